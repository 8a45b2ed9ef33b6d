import type { Hono } from 'hono';
import type { CallerCheck } from './callers/caller.js';
import type { ProxyConfig } from './config.js';
import type { CallLimits } from './limits/call-limits.js';
import { makeProxy } from './make-proxy.js';
import type { Observer } from './observer.js';
import type { Pages } from './pages.js';
import type { UpstreamTransport } from './transport.js';
import type { TokenSource } from './upstream-identity/token-source.js';

/** What a runtime brings to the proxy besides its settings. */
export interface ProxyParts {
  /** Default: the platform's `fetch`. */
  readonly transport?: UpstreamTransport;
  /** Hears of every call. Default: nobody. */
  readonly observer?: Observer;
  /** Pages served under `/docs` and `/openapi.json`. Default: none. */
  readonly pages?: Pages;
  /** Who may call. Default: anyone. */
  readonly callers?: CallerCheck;
  /** Default: no limits. */
  readonly limits?: CallLimits;
  /** Access tokens, where the settings leave them to the proxy. Default: none. */
  readonly tokens?: TokenSource;
}

/**
 * Makes the proxy as a Hono app whose `fetch` runs wherever web standards do.
 *
 * @example
 * ```ts
 * import { createProxy } from '@vehicle-data/proxy';
 *
 * const proxy = createProxy({ upstreamUrl: 'https://vehicle-data.invalid' });
 * const answer = await proxy.fetch(new Request('http://localhost/healthz'));
 * console.log(answer.status); // 200
 * ```
 */
export function createProxy(config: ProxyConfig, parts: ProxyParts = {}): Hono {
  return makeProxy(config, parts).app;
}
