import { type Context, Hono } from 'hono';
import { ownAnswerHeaders } from './answer-headers.js';
import type { ProxyCore } from './core.js';
import { decisiveHeaders } from './decide.js';
import type { HeadFault } from './head-rules.js';
import { healthAnswer } from './health.js';
import { pageAnswers } from './page-answer.js';
import type { Page, Pages } from './pages.js';
import { bodyNotAllowed, bringsBody, type PortableHead, readPortableHead } from './portable-head.js';
import { type Refusal, refusal, refusalBody } from './refusal.js';
import { newRequestId, requestIdFor } from './request-id.js';
import { ResponseOut } from './response-out.js';

const wantedHeaders = decisiveHeaders();

/** Turns a list of name, value, name, value into headers. */
function toHeaders(list: readonly string[], requestId: string): Headers {
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) headers.append(list[index] ?? '', list[index + 1] ?? '');
  for (let index = 0; index < ownAnswerHeaders.length; index += 2)
    headers.set(ownAnswerHeaders[index] ?? '', ownAnswerHeaders[index + 1] ?? '');
  headers.set('x-request-id', requestId);
  return headers;
}

function refuse(refused: Refusal, requestId: string): Response {
  const headers = toHeaders(['content-type', 'application/json', ...refused.headers], requestId);
  return new Response(refusalBody(refused, requestId), { status: refused.status, headers });
}

function health(core: ProxyCore, path: string): Response {
  const answer = healthAnswer(core, path);
  if (typeof answer !== 'string') return refuse(answer ?? refusal('no-such-operation'), newRequestId());
  return new Response(answer, { headers: toHeaders(['content-type', 'application/json'], newRequestId()) });
}

/** Answers requests for a page, with the headers that every answer has; what a page says of its own caching wins. */
function pageHandler(page: Page | undefined): (context: Context) => Response | Promise<Response> {
  if (page === undefined) return () => refuse(refusal('no-such-operation'), newRequestId());
  const answers = pageAnswers(page);
  return ({ req }) => answers(req.raw, toHeaders([], newRequestId()));
}

/** Makes the Hono app of a proxy: its own pages, and everything else as a call of the contract. */
export function createApp(core: ProxyCore, pages: Pages): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], ['/healthz', '/readyz'], ({ req }) => health(core, req.path));
  app.on(['GET', 'HEAD'], '/docs', pageHandler(pages.docs));
  app.on(['GET', 'HEAD'], '/openapi.json', pageHandler(pages.contract));
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
    app.all(path, () => refuse(refusal('method-not-allowed', [], ['allow', 'GET, HEAD']), newRequestId()));
  }
  app.all('*', (context) => answerCall(core, context));
  // The error itself is not shown: it could quote what was sent.
  app.onError(() => refuse(refusal('internal-error'), newRequestId()));
  return app;
}

function answerCall(core: ProxyCore, context: Context): Response | Promise<Response> {
  const request = context.req.raw;
  const head = readPortableHead(request, wantedHeaders);
  if ('code' in head) return refuseHead(core, newRequestId(), head);
  const requestId = requestIdFor(head.headers.get('x-request-id'));
  const forward = () => forwardCall(core, request, head, requestId);
  if (request.body === null) return forward();
  return bringsBody(request).then((body) => (body ? refuseHead(core, requestId, bodyNotAllowed) : forward()));
}

function refuseHead(core: ProxyCore, requestId: string, { code, name, reason }: HeadFault): Response {
  const refused = refusal(code, [{ in: 'request', name, reason }]);
  core.noteRefusal(requestId, '-', '-', refused.code, refused.status);
  return refuse(refused, requestId);
}

function forwardCall(core: ProxyCore, request: Request, head: PortableHead, requestId: string): Promise<Response> {
  return new Promise<Response>((resolve) => {
    const out = new ResponseOut(
      resolve,
      (refused) => refuse(refused, requestId),
      (list) => toHeaders(list, requestId),
    );
    const header = (name: string) => head.headers.get(name);
    const exchange = core.answer({ method: request.method, target: head.target, requestId, header }, out);
    if (exchange === null) return;
    out.exchange = exchange;
    request.signal.addEventListener('abort', () => exchange.cancel(), { once: true });
  });
}
