import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { handleNode, headError } from './handle-node.js';
import type { Pipeline } from './pipeline.js';
import type { NodeIncoming } from './request/node-head.js';
import { plannedHeaders } from './request/plan-request.js';
import { bodyNotAllowed, bringsBody, readPortableHead } from './request/portable-head.js';
import { newRequestId, requestIdFor } from './request/request-id.js';
import { preflightHeaders } from './response/cors.js';
import { docsResponses } from './response/docs-response.js';
import { healthResponse } from './response/health.js';
import type { NodeOutgoing } from './response/node-response.js';
import { filesByPath, isOwnPath, type Pages } from './response/pages.js';
import { errorBody, type ProxyError, proxyError } from './response/proxy-error.js';
import { WebResponseWriter, webHeaders } from './response/web-response.js';

const wanted = plannedHeaders();
const onWorkers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/** Makes the Hono app of a proxy: its own pages, and everything else as a request of the contract. */
export function createApp(pipeline: Pipeline, pages?: Pages, warnings: () => readonly string[] = () => []): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], ['/healthz', '/readyz'], ({ req }) => {
    const health = healthResponse(req.path, pipeline.draining, warnings());
    if (typeof health !== 'string') return errorResponse(health, newRequestId());
    return new Response(health, { headers: webHeaders(['content-type', 'application/json'], newRequestId()) });
  });
  const docs = pages && docsResponses(pages);
  const docsPaths = ['/docs', '/docs/*', ...filesByPath.keys()];
  app.on(['GET', 'HEAD'], docsPaths, async (context) => {
    const { req } = context;
    if (!isOwnPath(req.path)) return handle(pipeline, context);
    const response = await docs?.(req.raw, req.path, webHeaders([], newRequestId()));
    return response ?? errorResponse(proxyError('no-such-operation'), newRequestId());
  });
  const notAllowed = () => errorResponse(proxyError('method-not-allowed', [], ['allow', 'GET, HEAD']), newRequestId());
  for (const path of ['/healthz', '/readyz', ...docsPaths]) app.all(path, notAllowed);
  app.options('*', (context) => {
    const { req } = context;
    const method = req.header('access-control-request-method');
    const headers = preflightHeaders(pipeline.config.cors, req.header('origin'), method);
    if (headers === null) return handle(pipeline, context);
    return new Response(null, { status: 204, headers: webHeaders(headers, newRequestId()) });
  });
  app.all('*', (context) => handle(pipeline, context));
  // What was thrown is not shown: it could quote what was sent.
  app.onError(() => errorResponse(proxyError('internal-error'), newRequestId()));
  return app;
}

function errorResponse(error: ProxyError, requestId: string): Response {
  const headers = webHeaders(['content-type', 'application/json', ...error.headers], requestId);
  return new Response(errorBody(error, requestId), { status: error.status, headers });
}

/** What `@hono/node-server` brings to a request. */
interface NodeBindings {
  readonly incoming: NodeIncoming;
  readonly outgoing: NodeOutgoing;
}

function isNode(environment: unknown): environment is NodeBindings {
  return (
    typeof environment === 'object' && environment !== null && 'incoming' in environment && 'outgoing' in environment
  );
}

function handle(pipeline: Pipeline, { env, req }: Context): Response | Promise<Response> {
  if (!isNode(env)) return handleWeb(pipeline, req.raw);
  handleNode(pipeline, env.incoming, env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

async function handleWeb(pipeline: Pipeline, web: Request): Promise<Response> {
  const head = readPortableHead(web, wanted);
  const requestId = requestIdFor('code' in head ? undefined : head.headers.get('x-request-id'));
  const peerAddress = onWorkers ? (web.headers.get('cf-connecting-ip') ?? '') : '';
  const out = new WebResponseWriter(requestId);
  const fault = 'code' in head ? head : web.body !== null && (await bringsBody(web)) ? bodyNotAllowed : null;
  if (fault !== null || 'code' in head) {
    pipeline.reject(requestId, headError(fault ?? bodyNotAllowed), out, peerAddress);
    return out.response;
  }
  const { target, headers } = head;
  web.signal.addEventListener('abort', () => out.leave(), { once: true });
  void pipeline.handle(
    { method: web.method, target, requestId, peerAddress, header: (name) => headers.get(name) },
    out,
  );
  return out.response;
}
