import type { Pipeline } from './pipeline.js';
import { bodyNotAllowed, type Head, readHead, repeatedHeader } from './request/head-rules.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { requestIdFor } from './request/request-id.js';
import { type ProxyError, proxyError } from './response/proxy-error.js';
import { WebResponseWriter } from './response/web-response.js';

const onWorkers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

// What a value of these headers looks like once two lines were joined; a second Brand breaks the contract's own rule anyway.
const joinedLines = [
  ['authorization', /,[ \t]*[A-Za-z][A-Za-z-]*[ \t]/],
  ['x-request-id', /,/],
] as const;

/** Handles a request that the platform's own server has read. */
export async function handleWeb(
  pipeline: Pipeline,
  web: Request,
  waitUntil?: IncomingRequest['waitUntil'],
): Promise<Response> {
  const { url, method } = web;
  // Without a Host, Bun shows the path alone.
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = pathAt === -1 ? '/' : url.slice(pathAt);
  const head = readWebHead(web, target);
  const requestId = requestIdFor(head.fault === null ? head.headers.get('x-request-id') : undefined);
  const peerAddress = onWorkers ? (web.headers.get('cf-connecting-ip') ?? '') : '';
  const out = new WebResponseWriter(requestId);
  const header = (name: string) => head.headers.get(name);
  const request = { method, target, requestId, peerAddress, header, waitUntil };
  if (head.fault !== null) pipeline.reject(request, head.fault, out);
  else {
    const fault = await bodyFault(web, pipeline.config.deadlineMs);
    if (fault !== null) {
      pipeline.reject(request, fault, out);
      return out.response;
    }
    web.signal.addEventListener('abort', () => out.leave(), { once: true });
    void pipeline.handle(request, out);
  }
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
