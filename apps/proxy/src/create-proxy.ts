import type { Hono } from 'hono';
import { createApp } from './app.js';
import type { ProxyConfig } from './config.js';
import { FetchTransport } from './forward/transport/fetch-transport.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import { Pipeline, type PipelineParts } from './pipeline.js';
import type { Pages } from './response/pages.js';

/** What a runtime brings to the proxy besides its configuration. */
export interface ProxyParts extends Omit<PipelineParts, 'transport'> {
  /**
   * The way to the upstream. Default: the platform's `fetch`. On Node, `socketTransport` of `@vehicle-data/proxy/node` is several times
   * faster.
   */
  readonly transport?: UpstreamTransport;
  /** The docs site, served at `/docs/`, `/openapi.json`, `/openapi.yaml` and `/llms.txt`. Default: none. */
  readonly pages?: Pages | undefined;
}

/**
 * Makes the proxy as a Hono app whose `fetch` runs wherever web standards do.
 *
 * @example
 * ```ts
 * import { createProxy } from '@vehicle-data/proxy';
 *
 * const proxy = createProxy({ upstreamUrl: 'https://vehicle-data.invalid' });
 * const response = await proxy.fetch(new Request('http://localhost/healthz'));
 * console.log(response.status); // 200
 * ```
 */
export function createProxy(config: ProxyConfig, parts: ProxyParts = {}): Hono {
  const { pages, transport = new FetchTransport(config.upstreamUrl), ...others } = parts;
  return createApp(new Pipeline(config, { ...others, transport }), pages);
}
