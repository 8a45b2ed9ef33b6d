import { refreshTokenForm, type TokenResponse, tokenForm } from './token-response.js';

/** A token as it is kept. Times are those of the store, in milliseconds since 1970. */
export interface TokenState {
  readonly accessToken: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
  readonly refreshToken: string | null;
  /** When the refresh token ends, and with it the consent it stands for. */
  readonly renewByMs: number | null;
  /** Fingerprint of the settings that this state came from, the configured code or refresh token included. */
  readonly seed: string;
}

/** Greatest lifetime that is believed, in seconds: one day. */
const maxLifetimeSeconds = 86_400;
const dayMs = 86_400_000;

/** Lifetimes to assume where an answer states none. */
export interface AssumedLifetimes {
  readonly tokenSeconds: number;
  readonly refreshTokenDays: number;
}

/** The state after an answer. A refresh token that was not replaced stays, with its end. */
export function nextState(
  answer: TokenResponse,
  before: TokenState | null,
  seed: string,
  nowMs: number,
  assumed: AssumedLifetimes,
  usedRefreshToken: string | null,
): TokenState {
  const seconds = Math.min(answer.expiresInSeconds ?? assumed.tokenSeconds, maxLifetimeSeconds);
  const refreshToken = answer.refreshToken ?? usedRefreshToken;
  const replaced = refreshToken !== null && refreshToken !== before?.refreshToken;
  const refreshMs =
    answer.refreshExpiresInSeconds === null ? assumed.refreshTokenDays * dayMs : answer.refreshExpiresInSeconds * 1000;
  const renewByMs = replaced ? nowMs + refreshMs : (before?.renewByMs ?? null);
  return {
    accessToken: answer.accessToken,
    issuedMs: nowMs,
    expiresMs: nowMs + seconds * 1000,
    refreshToken,
    renewByMs: refreshToken === null ? null : renewByMs,
    seed,
  };
}

/** Reads a kept state; `null` when the text is not one. */
export function parseTokenState(text: string): TokenState | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isTokenState(value) ? value : null;
}

/** The newer of two states of the same settings; the first when both are as old. */
export function newerState(one: TokenState | null, other: TokenState | null): TokenState | null {
  if (one === null || other === null) return one ?? other;
  return one.issuedMs >= other.issuedMs ? one : other;
}

/** Others may write to the store, too, and an access token goes into a header as it is. */
function isTokenState(value: unknown): value is TokenState {
  if (typeof value !== 'object' || value === null) return false;
  const { accessToken, issuedMs, expiresMs, refreshToken, renewByMs, seed } = value as Partial<
    Record<keyof TokenState, unknown>
  >;
  return (
    typeof accessToken === 'string' &&
    tokenForm.test(accessToken) &&
    isTime(issuedMs) &&
    isTime(expiresMs) &&
    (refreshToken === null || (typeof refreshToken === 'string' && refreshTokenForm.test(refreshToken))) &&
    (renewByMs === null || isTime(renewByMs)) &&
    typeof seed === 'string'
  );
}

/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}
