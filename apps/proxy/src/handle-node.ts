import type { Pipeline } from './pipeline.js';
import type { HeadFault } from './request/head-rules.js';
import type { IncomingRequest } from './request/incoming-request.js';
import { type NodeIncoming, readNodeHead } from './request/node-head.js';
import { plannedHeaders } from './request/plan-request.js';
import { newRequestId, requestIdFor } from './request/request-id.js';
import { type NodeOutgoing, NodeResponseWriter } from './response/node-response.js';
import { type ProxyError, proxyError } from './response/proxy-error.js';

const wanted = plannedHeaders();

/** Handles a request on Node's own server, past the web-standard `Request` and `Response`. */
export function handleNode(pipeline: Pipeline, incoming: NodeIncoming, outgoing: NodeOutgoing): void {
  const head = readNodeHead(incoming, wanted);
  const peerAddress = incoming.socket?.remoteAddress ?? '';
  if ('code' in head) {
    const requestId = newRequestId();
    outgoing.shouldKeepAlive = false;
    pipeline.reject(requestId, headError(head), new NodeResponseWriter(outgoing, requestId), peerAddress);
    return;
  }
  const { method, target, headers } = head;
  const requestId = requestIdFor(headers.get('x-request-id'));
  const request: IncomingRequest = { method, target, requestId, peerAddress, header: (name) => headers.get(name) };
  void pipeline.handle(request, new NodeResponseWriter(outgoing, requestId));
}

/** The error of a head that breaks a rule. */
export function headError({ code, name, reason }: HeadFault): ProxyError {
  return proxyError(code, [{ in: 'request', name, reason }]);
}
