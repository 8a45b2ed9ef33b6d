import type { Hono } from 'hono';
import { createApp } from './app.js';
import type { ProxyConfig } from './config.js';
import { type CoreParts, ProxyCore } from './core.js';
import type { ProxyParts } from './create-proxy.js';
import { FetchTransport } from './fetch-transport.js';
import { separateWatch, sharedWatch } from './watch.js';

// A Worker's timers end with the request that made them.
const tiesTimers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/** Makes the proxy as a Hono app, together with the core that the app asks. */
export function makeProxy(
  config: ProxyConfig,
  parts: ProxyParts & Pick<CoreParts, 'onDrift'>,
): { readonly core: ProxyCore; readonly app: Hono } {
  const transport = parts.transport ?? new FetchTransport(config.upstreamUrl);
  const { pages = {}, ...others } = parts;
  const watch = tiesTimers ? separateWatch : sharedWatch();
  const core = new ProxyCore(config, { ...others, transport, watch });
  return { core, app: createApp(core, pages) };
}
