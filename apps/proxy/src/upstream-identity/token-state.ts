import type { TokenAnswer } from './token-answer.js';

/** A token as it is kept. Times are those of the store, in milliseconds since 1970. */
export interface TokenState {
  readonly accessToken: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
  readonly refreshToken: string | null;
  /** When the refresh token ends, and with it the consent it stands for. */
  readonly renewByMs: number | null;
  /** Fingerprint of the configured code or refresh token that this state grew from; another one means a new consent. */
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
  answer: TokenAnswer,
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

function isTokenState(value: unknown): value is TokenState {
  if (typeof value !== 'object' || value === null) return false;
  const { accessToken, issuedMs, expiresMs, refreshToken, renewByMs, seed } = value as Partial<
    Record<keyof TokenState, unknown>
  >;
  return (
    typeof accessToken === 'string' &&
    typeof issuedMs === 'number' &&
    typeof expiresMs === 'number' &&
    (typeof refreshToken === 'string' || refreshToken === null) &&
    (typeof renewByMs === 'number' || renewByMs === null) &&
    typeof seed === 'string'
  );
}
