import * as v from 'valibot';
import type { SettingValues } from '../config/settings.js';
import { refreshTokenForm, type TokenResponse, tokenForm } from './token-endpoint.js';

/** Greatest lifetime that is believed, in seconds: one day. */
const maxLifetimeSeconds = 86_400;
const dayMs = 86_400_000;

/** The state after a response. A refresh token that was not replaced stays, with its end. */
export function nextState(
  response: TokenResponse,
  before: TokenState | null,
  seed: string,
  nowMs: number,
  assumed: SettingValues,
  usedRefreshToken: string | null,
): TokenState {
  const seconds = Math.min(response.expiresInSeconds ?? assumed.VDS_TOKEN_LIFETIME_S, maxLifetimeSeconds);
  const refreshToken = response.refreshToken ?? usedRefreshToken;
  const replaced = refreshToken !== null && refreshToken !== before?.refreshToken;
  const refreshMs =
    response.refreshExpiresInSeconds === null
      ? assumed.VDS_REFRESH_TOKEN_DAYS * dayMs
      : response.refreshExpiresInSeconds * 1000;
  const renewByMs = replaced ? nowMs + refreshMs : (before?.renewByMs ?? null);
  return {
    generation: Math.max((before?.generation ?? 0) + 1, nowMs),
    accessToken: response.accessToken,
    issuedMs: nowMs,
    expiresMs: nowMs + seconds * 1000,
    refreshToken,
    renewByMs: refreshToken === null ? null : renewByMs,
    seed,
  };
}

// https://tc39.es/ecma262/#sec-time-values-and-time-range
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

// Others may write to the store, too, and an access token goes into a header as it is.
const tokenState = v.object({
  /** The time that it was issued, or later: it grows with each response, also when a clock is set back. */
  generation: time,
  accessToken: v.pipe(v.string(), v.regex(tokenForm)),
  issuedMs: time,
  expiresMs: time,
  refreshToken: v.nullable(v.pipe(v.string(), v.regex(refreshTokenForm))),
  /** When the refresh token ends, and with it the consent it stands for. */
  renewByMs: v.nullable(time),
  /** Fingerprint of the settings that this state came from, the configured code or refresh token included. */
  seed: v.string(),
});
const stored = v.pipe(v.string(), v.parseJson(), tokenState);

/** A token as it is kept. Times are those of the store, in milliseconds since 1970. */
export type TokenState = Readonly<v.InferOutput<typeof tokenState>>;

/** Reads a kept state; `null` when the text is not one. */
export function parseTokenState(text: string): TokenState | null {
  const parsed = v.safeParse(stored, text);
  return parsed.success ? parsed.output : null;
}

/** The newer of two states of the same settings; the first when both are as old. */
export function newerState(one: TokenState | null, other: TokenState | null): TokenState | null {
  if (one === null || other === null) return one ?? other;
  return one.generation >= other.generation ? one : other;
}
