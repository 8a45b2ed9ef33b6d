import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { handleNode } from './handle-node.js';
import { handleWeb } from './handle-web.js';
import type { Pipeline } from './pipeline.js';
import { newRequestId } from './request/request-id.js';
import { docsResponses } from './response/docs-response.js';
import { healthResponse } from './response/health.js';
import { docsFiles, isOwnPath, type Pages } from './response/pages.js';
import { errorBody, type ProxyError, proxyError } from './response/proxy-error.js';
import { webHeaders } from './response/web-response.js';

/** The pages that a proxy serves itself. Whatever is not their path, or would be changed by a parser of addresses, passes by. */
export function ownPages(pipeline: Pipeline, pages?: Pages, warnings: () => readonly string[] = () => []): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], ['/healthz', '/readyz'], ({ req }) => {
    const health = healthResponse(req.path, pipeline.draining, warnings());
    if (typeof health !== 'string') return errorResponse(health, newRequestId());
    return new Response(health, { headers: webHeaders(['content-type', 'application/json'], newRequestId()) });
  });
  const docs = pages && docsResponses(pages);
  const docsPaths = ['/docs', '/docs/*', ...docsFiles];
  app.on(['GET', 'HEAD'], docsPaths, async ({ req }, next) => {
    if (!isOwnPath(req.path)) return next();
    const response = await docs?.(req.raw, req.path, webHeaders([], newRequestId()));
    return response ?? errorResponse(proxyError('no-such-operation'), newRequestId());
  });
  for (const path of ['/healthz', '/readyz', ...docsPaths])
    app.all(path, ({ req }, next) => {
      if (req.method === 'GET' || req.method === 'HEAD') return next();
      return errorResponse(proxyError('method-not-allowed', [], ['allow', 'GET, HEAD']), newRequestId());
    });
  return app;
}

/** Makes the Hono app of a program: its own pages, and everything else as a request of the contract. */
export function createApp(pipeline: Pipeline, pages?: Pages, warnings?: () => readonly string[]): Hono {
  const app = new Hono();
  app.route('/', ownPages(pipeline, pages, warnings));
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
