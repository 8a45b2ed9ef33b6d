import { type FetchOptions, FetchTransport } from './fetch-transport.js';
import { OneShotTransport } from './one-shot-transport.js';
import type { UpstreamTransport } from './upstream-transport.js';

/** Parts of Deno and Bun that are asked for, each where it runs. */
interface Platform {
  readonly Deno?: { createHttpClient(options: { readonly poolMaxIdlePerHost: number }): unknown };
  readonly Bun?: unknown;
}

/**
 * The way to the upstream that this runtime brings. Where `fetch` would send a DELETE again after a connection broke that was used before,
 * the DELETE gets a connection of its own.
 */
export function platformTransport(upstreamUrl: string): UpstreamTransport {
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers')
    return new OneShotTransport(upstreamUrl, new FetchTransport(upstreamUrl));
  const platform = globalThis as Platform;
  const once: FetchOptions = {
    ...(platform.Bun === undefined ? {} : { keepalive: false }),
    ...(platform.Deno === undefined ? {} : { client: platform.Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }),
  };
  return new FetchTransport(upstreamUrl, undefined, once);
}
