import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import * as v from 'valibot';

/** Time for fetching the key set, in milliseconds. */
const timeoutMs = 3000;
/** Pause after a fetch before a token with an unknown key, or another failure, causes the next one, in milliseconds. */
const pauseMs = 10_000;
/** Age at which the key set is fetched again, in milliseconds: ten minutes. */
const refreshMs = 600_000;
/** Age up to which keys are used while the issuer cannot be reached, in milliseconds: one day. */
const maxAgeMs = 86_400_000;
const maxBytes = 262_144;
const keys = v.array(v.looseObject({ kty: v.string() }));
const keySet = v.pipe(v.string(), v.parseJson(), v.object({ keys: v.pipe(keys, v.nonEmpty(), v.maxLength(100)) }));

/** There is no key set: it was never fetched, or the issuer has been away for a day. */
export class KeySetUnavailable extends Error {
  override readonly name = 'KeySetUnavailable';
}

/**
 * The public keys of an issuer. They are fetched when they are needed and kept while the issuer is away: an outage of the issuer
 * ends no client's access.
 *
 * @returns finds the key that a token names; fails with {@link KeySetUnavailable} when there is no key set
 */
export function keySetAt(url: string): JWTVerifyGetKey {
  let text: string | null = null;
  let fetchedMs = Number.NEGATIVE_INFINITY;
  let failedMs = Number.NEGATIVE_INFINITY;
  const fetchOrKeep: FetchImplementation = async (address, options) => {
    if (Date.now() - failedMs >= pauseMs) {
      try {
        text = await fetchKeySet(address, options);
        fetchedMs = Date.now();
      } catch {
        failedMs = Date.now();
      }
    }
    if (text === null || Date.now() - fetchedMs > maxAgeMs) throw new KeySetUnavailable();
    return new Response(text);
  };
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: pauseMs,
    cacheMaxAge: refreshMs,
    [customFetch]: fetchOrKeep,
  });
}

async function fetchKeySet(...request: Parameters<FetchImplementation>): Promise<string> {
  const { status, body } = await fetch(...request);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBytes) throw new KeySetUnavailable();
  }
  if (status !== 200 || !v.is(keySet, text)) throw new KeySetUnavailable();
  return text;
}
