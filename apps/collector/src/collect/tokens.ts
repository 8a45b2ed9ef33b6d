// Where the access token of an account comes from. Tokens are kept in memory alone, and never printed.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Account } from '../ledger/accounts.js';

const timeoutMs = 30_000;
const mostBytes = 65_536;
/** How long before its end a token is replaced; at most half of its life. */
const earlyMs = 60_000;

/** Where tokens of accounts without a file of their own come from. */
export interface TokenSettings {
  /** One token, for one account. */
  readonly accessToken: string | undefined;
  /** A program that is called with the name and the brand of an account. */
  readonly tokenCommand: string | undefined;
  /** An address that gets both by POST. */
  readonly tokenUrl: string | undefined;
  /** Bearer token for that address. */
  readonly tokenUrlSecret: string | undefined;
}

/** What the SDK calls for a token. */
export type TokenFunction = (request: { readonly refresh: boolean }) => Promise<string>;

/** The token source of an account; `null` where the proxy adds the token. */
export function tokensOf(settings: TokenSettings, account: Account): TokenFunction | string | null {
  const { tokenFile } = account;
  // Read each time: whoever renews the token replaces the file.
  if (tokenFile !== null) return async () => (await readFile(tokenFile, 'utf8')).trim();
  const { tokenCommand, tokenUrl, tokenUrlSecret, accessToken } = settings;
  if (tokenCommand !== undefined) return cached(() => runCommand(tokenCommand, account));
  if (tokenUrl !== undefined) return cached(() => callUrl(tokenUrl, tokenUrlSecret, account));
  return accessToken ?? null;
}

/** Keeps a token until shortly before it ends. The SDK has one request of a kind under way at a time. */
function cached(fetchToken: () => Promise<unknown>): TokenFunction {
  let kept: { readonly token: string; readonly until: number } | undefined;
  return async ({ refresh }) => {
    if (!refresh && kept && performance.now() < kept.until) return kept.token;
    kept = undefined;
    const { token, seconds } = tokenResponse(await fetchToken());
    kept = { token, until: performance.now() + Math.max(seconds * 500, seconds * 1000 - earlyMs) };
    return token;
  };
}

/** Reads a response. https://www.rfc-editor.org/rfc/rfc6749#section-5.1 */
function tokenResponse(value: unknown): { readonly token: string; readonly seconds: number } {
  if (typeof value === 'object' && value !== null && 'access_token' in value) {
    const seconds = 'expires_in' in value ? Number(value.expires_in) : 300;
    if (typeof value.access_token === 'string' && seconds > 0) return { token: value.access_token, seconds };
  }
  throw new Error('the token source must return JSON with access_token and expires_in');
}

function runCommand(command: string, { name, brand }: Account): Promise<unknown> {
  return new Promise((resolve, reject) => {
    execFile(command, [name, brand], { timeout: timeoutMs, maxBuffer: mostBytes }, (error, stdout) => {
      // Its message has what the command printed.
      if (error) return reject(new Error('the token command failed'));
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error('the token command printed no JSON'));
      }
    });
  });
}

async function callUrl(url: string, secret: string | undefined, { name, brand }: Account): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ account: name, brand }),
    headers: { accept: 'application/json', ...(secret !== undefined && { authorization: `Bearer ${secret}` }) },
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  const text = await response.text();
  if (!response.ok || text.length > mostBytes) throw new Error('the token URL failed');
  return JSON.parse(text);
}
