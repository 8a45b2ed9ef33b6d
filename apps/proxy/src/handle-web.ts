import type { Pipeline } from './pipeline.js';
import { bodyNotAllowed, readHead, repeatedHeader } from './request/head-rules.js';
import { requestIdFor } from './request/request-id.js';
import { WebResponseWriter } from './response/web-response.js';

const onWorkers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

// What a value of these headers looks like once two lines were joined; a second Brand breaks the contract's own rule anyway.
const joinedLines = [
  ['authorization', /,[ \t]*[A-Za-z][A-Za-z-]*[ \t]/],
  ['x-request-id', /,/],
] as const;

/** Handles a request that the platform's own server has read. */
export async function handleWeb(pipeline: Pipeline, web: Request): Promise<Response> {
  const { url, method } = web;
  // Without a Host, Bun shows the path alone.
  const pathAt = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = pathAt === -1 ? '/' : url.slice(pathAt);
  const head = readWebHead(web, target);
  const requestId = requestIdFor('code' in head ? undefined : head.get('x-request-id'));
  const peerAddress = onWorkers ? (web.headers.get('cf-connecting-ip') ?? '') : '';
  const out = new WebResponseWriter(requestId);
  if ('code' in head) pipeline.reject(requestId, head, out, peerAddress);
  else if (await bringsBody(web)) pipeline.reject(requestId, bodyNotAllowed('body'), out, peerAddress);
  else {
    web.signal.addEventListener('abort', () => out.leave(), { once: true });
    void pipeline.handle({ method, target, requestId, peerAddress, header: (name) => head.get(name) }, out);
  }
  return out.response;
}

/** Lines of one name come joined by commas, so a header that stands twice is found where its joined value cannot be one. */
function readWebHead({ headers }: Request, target: string): ReturnType<typeof readHead> {
  const head = readHead(target, [...headers].flat(), false);
  if ('code' in head) return head;
  const joined = joinedLines.find(([name, form]) => form.test(head.get(name) ?? ''));
  return joined === undefined ? head : repeatedHeader(joined[0]);
}

/** Whether a request brings a body although its head announces none, as it can over HTTP/2. Some platforms show an empty one. */
async function bringsBody({ body }: Request): Promise<boolean> {
  if (body === null) return false;
  const reader = body.getReader();
  for (;;) {
    const piece = await reader.read();
    if (piece.done) return false;
    if (piece.value.length === 0) continue;
    await reader.cancel();
    return true;
  }
}
