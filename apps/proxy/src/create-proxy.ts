import { Hono } from 'hono';
import { errorResponse, ownPages } from './app.js';
import type { ProxyConfig } from './config.js';
import { FetchTransport } from './forward/transport/fetch/fetch-transport.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import { beginCall, forwardThrough } from './middleware/hono-call.js';
import { clientAuth, rateLimit, validateRequest } from './middleware/index.js';
import { Pipeline } from './pipeline.js';
import type { PipelineParts } from './pipeline-parts.js';
import { newRequestId } from './request/request-id.js';
import type { Pages } from './response/pages.js';
import { proxyError } from './response/proxy-error.js';

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
  const pipeline = new Pipeline(config, { ...others, transport });
  return composeProxy(pipeline, config, others, pages);
}

/** The steps of the pipeline as middleware, in the order in which `Pipeline.handle` takes them. */
export function composeProxy(
  pipeline: Pipeline,
  config: ProxyConfig,
  { clientAuth: auth, limits }: Pick<ProxyParts, 'clientAuth' | 'limits'>,
  pages?: Pages,
): Hono {
  const app = new Hono();
  app.route('/', ownPages(pipeline, pages));
  app.use(beginCall(pipeline));
  if (auth !== undefined) app.use(clientAuth(auth, { limits }));
  app.use(validateRequest(config));
  if (limits !== undefined) app.use(rateLimit(limits));
  app.use(forwardThrough(pipeline));
  // What was thrown is not shown: it could quote what was sent.
  app.onError((error) => {
    const requestId = newRequestId();
    pipeline.report(error, requestId);
    return errorResponse(proxyError('internal-error'), requestId);
  });
  return app;
}
