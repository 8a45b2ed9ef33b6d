import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { ProxyConfig } from './config.js';
import { FetchTransport } from './forward/transport/fetch/fetch-transport.js';
import type { UpstreamTransport } from './forward/transport/upstream-transport.js';
import { handleNode } from './handle-node.js';
import { handleWeb } from './handle-web.js';
import { Pipeline, type PipelineParts } from './pipeline.js';
import { newRequestId } from './request/request-id.js';
import { docsResponses } from './response/docs-response.js';
import { healthResponse } from './response/health.js';
import { docsFiles, isOwnPath, type Pages } from './response/pages.js';
import { errorBody, type ProxyError, proxyError } from './response/proxy-error.js';
import { webHeaders } from './response/web-response.js';

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

/** Makes the Hono app of a proxy: its own pages, and everything else as a request of the contract. */
export function createApp(pipeline: Pipeline, pages?: Pages, warnings: () => readonly string[] = () => []): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], ['/healthz', '/readyz'], ({ req }) => {
    const health = healthResponse(req.path, pipeline.draining, warnings());
    if (typeof health !== 'string') return errorResponse(health, newRequestId());
    return new Response(health, { headers: webHeaders(['content-type', 'application/json'], newRequestId()) });
  });
  const docs = pages && docsResponses(pages);
  const docsPaths = ['/docs', '/docs/*', ...docsFiles];
  app.on(['GET', 'HEAD'], docsPaths, async (context) => {
    const { req } = context;
    if (!isOwnPath(req.path)) return handle(pipeline, context);
    const response = await docs?.(req.raw, req.path, webHeaders([], newRequestId()));
    return response ?? errorResponse(proxyError('no-such-operation'), newRequestId());
  });
  const notAllowed = () => errorResponse(proxyError('method-not-allowed', [], ['allow', 'GET, HEAD']), newRequestId());
  for (const path of ['/healthz', '/readyz', ...docsPaths]) app.all(path, notAllowed);
  app.all('*', (context) => handle(pipeline, context));
  // What was thrown is not shown: it could quote what was sent.
  app.onError((error) => {
    const requestId = newRequestId();
    pipeline.report(error, requestId);
    return errorResponse(proxyError('internal-error'), requestId);
  });
  return app;
}

export function errorResponse(error: ProxyError, requestId: string): Response {
  const headers = webHeaders(['content-type', 'application/json', ...error.headers], requestId);
  return new Response(errorBody(error, requestId), { status: error.status, headers });
}

function handle(pipeline: Pipeline, { env, req }: Context): Response | Promise<Response> {
  // What `@hono/node-server` brings to a request.
  const { incoming, outgoing }: Partial<HttpBindings> = env ?? {};
  if (incoming === undefined || outgoing === undefined) return handleWeb(pipeline, req.raw, env?.waitUntil);
  handleNode(pipeline, incoming, outgoing);
  return RESPONSE_ALREADY_SENT;
}
