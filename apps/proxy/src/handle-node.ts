import type { HttpBindings } from '@hono/node-server';
import type { Pipeline } from './pipeline.js';
import { type Head, malformedHeaderLine, malformedRequestLine, readHead } from './request/head-rules.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { newRequestId, requestIdFor } from './request/request-id.js';
import { NodeResponseWriter } from './response/node-response.js';

type NodeIncoming = HttpBindings['incoming'];

// Node takes bytes above ASCII and control characters in some places.
const visible = /^[\x21-\x7e]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

const heads = new WeakMap<NodeIncoming, Head>();

export function isMalformed(incoming: NodeIncoming): boolean {
  return headOf(incoming).fault !== null;
}

/** The head of a request, read once: Node's parser lets through HTTP/2.0 and HTTP/0.9 in a request line, absolute addresses and more. */
function headOf(incoming: NodeIncoming): Head {
  const known = heads.get(incoming);
  if (known !== undefined) return known;
  const { url = '', httpVersion, rawHeaders } = incoming;
  let head = readHead(url, rawHeaders, httpVersion === '1.1');
  if ((httpVersion !== '1.1' && httpVersion !== '1.0') || !visible.test(url))
    head = { ...head, fault: malformedRequestLine() };
  else if (!rawHeaders.every((text, index) => index % 2 === 0 || valueForm.test(text)))
    head = { ...head, fault: malformedHeaderLine() };
  heads.set(incoming, head);
  return head;
}

/** Reads a request on Node's own server, past the web-standard `Request` and `Response`, and makes the writer of its response. */
export function readNode(incoming: NodeIncoming, outgoing: HttpBindings['outgoing']) {
  const { headers, fault } = headOf(incoming);
  const { method = '', url: target = '' } = incoming;
  const peerAddress = incoming.socket?.remoteAddress ?? '';
  const requestId = fault === null ? requestIdFor(headers.get('x-request-id')) : newRequestId();
  const request: IncomingRequest = { method, target, requestId, peerAddress, header: (name) => headers.get(name) };
  if (fault !== null) outgoing.shouldKeepAlive = false;
  return { request, out: new NodeResponseWriter(outgoing, requestId), fault };
}

/** Handles a request on Node's own server. */
export function handleNode(pipeline: Pipeline, incoming: NodeIncoming, outgoing: HttpBindings['outgoing']): void {
  const { request, out, fault } = readNode(incoming, outgoing);
  if (fault === null) void pipeline.handle(request, out);
  else pipeline.reject(request, fault, out);
}
