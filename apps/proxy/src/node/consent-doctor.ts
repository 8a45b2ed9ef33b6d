// `vds-proxy consent doctor`: what the store has of each consent, without any token, and whether a restart would keep it.

import { setTimeout as wait } from 'node:timers/promises';
import { tokensFrom } from '../config/domain-options.js';
import { storeOptionsFrom } from '../config/program-options.js';
import type { Settings } from '../config/settings.js';
import { sha256Hex } from '../sha256.js';
import type { Store } from '../store/memory-store.js';
import { storeKeyOf } from '../upstream-token/store-key.js';
import { lookEveryMs } from '../upstream-token/stored-token.js';
import { type TokenOptions, tokenDefaults } from '../upstream-token/token-options.js';
import { parseTokenState, type TokenState } from '../upstream-token/token-state.js';
import { openStore } from './open-store.js';

export const consentUsage = `Usage: vds-proxy consent doctor [FLAGS]
Shows for each brand which token the store has, by the first digits of its SHA-256, since when and until when, and whether a restart is
safe now. Takes the settings of the proxy. Nothing is requested and nothing is changed. Exits with 1 when a restart is not safe.
`;

/** Time between the two looks, in which every running process writes back what the store has lost, in milliseconds. */
const settleMs = 2 * lookEveryMs;

/** Says one line for each brand with managed tokens. Returns whether a restart is safe for all of them. */
export async function diagnoseConsents(settings: Settings, write: (line: string) => void): Promise<boolean> {
  const brands = [...tokensFrom(settings)];
  if (brands.length === 0) {
    write('no brand has tokens from a token endpoint: nothing is lost with a restart\n');
    return true;
  }
  const { store } = await openStore(storeOptionsFrom(settings.values));
  try {
    const before = await Promise.all(brands.map(([brand, options]) => lookAt(store, brand, options)));
    await wait(settleMs);
    const after = await Promise.all(brands.map(([brand, options]) => lookAt(store, brand, options)));
    const safe = await Promise.all(
      brands.map(async ([brand, options], index) => {
        const [early, late] = [before[index] ?? null, after[index] ?? null];
        const problem =
          (options.grant ?? tokenDefaults.grant) === 'client-credentials' ? '' : problemOf(early, late, store.nowMs());
        const found = late === null || late === 'away' ? '' : `${await shown(late)}; `;
        write(`${brand}: ${found}${problem === '' ? 'a restart is safe' : `a restart is NOT safe: ${problem}`}\n`);
        return problem === '';
      }),
    );
    return safe.every((each) => each);
  } finally {
    await store.close();
  }
}

/** What the store has; `null` for nothing, `away` when it cannot be read or decrypted. */
async function lookAt(store: Store, brand: string, options: TokenOptions): Promise<TokenState | 'away' | null> {
  try {
    return parseTokenState((await store.read(await storeKeyOf(brand, options))) ?? '');
  } catch {
    return 'away';
  }
}

function problemOf(early: TokenState | 'away' | null, late: TokenState | 'away' | null, nowMs: number): string {
  if (early === 'away' || late === 'away') return 'the store cannot be read, or was encrypted with another key';
  if (late === null) return 'the store has no token, and the configured one is used up if it was ever used';
  if (late.refreshToken === null) return 'there is no refresh token, so the consent ends with the access token';
  if (late.renewByMs !== null && late.renewByMs <= nowMs)
    return 'the refresh token has ended; the owner has to consent again';
  if (early?.generation !== late.generation) return 'the token was renewed or written back just now; ask again';
  return '';
}

async function shown({ accessToken, refreshToken, issuedMs, expiresMs, renewByMs }: TokenState): Promise<string> {
  const mark = async (token: string) => (await sha256Hex(token)).slice(0, 8);
  const time = (ms: number) => new Date(ms).toISOString();
  const access = `access token ${await mark(accessToken)} since ${time(issuedMs)} until ${time(expiresMs)}`;
  if (refreshToken === null) return access;
  const end = renewByMs === null ? '' : ` until ${time(renewByMs)}`;
  return `${access}, refresh token ${await mark(refreshToken)}${end}`;
}
