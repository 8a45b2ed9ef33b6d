import type { Pipeline } from './pipeline.js';
import { onWorkers } from './platform/runtime.js';
import { bodyNotAllowed, type Head, readHead, repeatedHeader } from './request/head-rules.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { requestIdFor } from './request/request-id.js';
import { type ProxyError, proxyError } from './response/proxy-error.js';
import { WebResponseWriter } from './response/web-response.js';

// What a value of these headers looks like once two lines were joined; a second Brand breaks the contract's own rule anyway.
const joinedLines = [
  ['authorization', /,[ \t]*[A-Za-z][A-Za-z-]*[ \t]/],
  ['x-request-id', /,/],
] as const;

/**
 * Reads a request that the platform's own server has read, and makes the writer of its response.
 *
 * @param withinMs time in which an announced end of the body must come, in milliseconds
 */
export async function readWeb(web: Request, withinMs: number, waitUntil?: IncomingRequest['waitUntil']) {
  const { url, method } = web;
  // Without a Host, Bun shows the path alone.
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = pathAt === -1 ? '/' : url.slice(pathAt);
  const head = readWebHead(web, target);
  const requestId = requestIdFor(head.fault === null ? head.headers.get('x-request-id') : undefined);
  const peerAddress = onWorkers ? (web.headers.get('cf-connecting-ip') ?? '') : '';
  const out = new WebResponseWriter(requestId);
  const header = (name: string) => head.headers.get(name);
  const request: IncomingRequest = { method, target, requestId, peerAddress, header, waitUntil };
  const fault = head.fault ?? (await bodyFault(web, withinMs));
  if (fault === null) web.signal.addEventListener('abort', () => out.leave(), { once: true });
  return { request, out, fault };
}

/** Handles a request that the platform's own server has read. */
export async function handleWeb(
  pipeline: Pipeline,
  web: Request,
  waitUntil?: IncomingRequest['waitUntil'],
): Promise<Response> {
  const { request, out, fault } = await readWeb(web, pipeline.config.deadlineMs, waitUntil);
  if (fault === null) void pipeline.handle(request, out);
  else pipeline.reject(request, fault, out);
  return out.response;
}

/** Lines of one name come joined by commas, so a header that is sent twice is found where its joined value cannot be one. */
function readWebHead({ headers }: Request, target: string): Head {
  const head = readHead(target, [...headers].flat(), false);
  const joined = joinedLines.find(([name, form]) => form.test(head.headers.get(name) ?? ''));
  return joined === undefined ? head : { ...head, fault: head.fault ?? repeatedHeader(joined[0]) };
}

/**
 * The error of a request that brings a body although its head announces none, as it can over HTTP/2, or that breaks or does not end within
 * this time. Some platforms show an empty body.
 */
async function bodyFault({ body }: Request, withinMs: number): Promise<ProxyError | null> {
  if (body === null) return null;
  const reader = body.getReader();
  let late = false;
  // What is being read ends with it. Nobody waits for the stream's own end.
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    late = true;
    cancel();
  }, withinMs);
  try {
    for (;;) {
      const piece = await reader.read();
      if (piece.done) return late ? proxyError('request-timeout') : null;
      if (piece.value.length === 0) continue;
      cancel();
      return bodyNotAllowed('body');
    }
  } catch {
    return proxyError('request-timeout');
  } finally {
    clearTimeout(timer);
  }
}
