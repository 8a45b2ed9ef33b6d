import type { Pipeline } from './pipeline.js';
import { malformedHeaderLine, malformedRequestLine, readHead } from './request/head-rules.js';
import { newRequestId, requestIdFor } from './request/request-id.js';
import { type NodeOutgoing, NodeResponseWriter } from './response/node-response.js';

/** Node's `IncomingMessage`, as far as it is used here. */
export interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

type Head = ReturnType<typeof readHead>;

// Node takes bytes above ASCII and control characters in some places.
const visible = /^[\x21-\x7e]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

const heads = new WeakMap<NodeIncoming, Head>();

/** Whether a request has to be rejected for its head. */
export function isMalformed(incoming: NodeIncoming): boolean {
  return 'code' in headOf(incoming);
}

/** The head of a request, read once: Node's parser lets through HTTP/2.0 and HTTP/0.9 in a request line, absolute addresses and more. */
function headOf(incoming: NodeIncoming): Head {
  let head = heads.get(incoming);
  if (head === undefined) {
    head = readNodeHead(incoming);
    heads.set(incoming, head);
  }
  return head;
}

function readNodeHead({ url = '', httpVersion, rawHeaders }: NodeIncoming): Head {
  if ((httpVersion !== '1.1' && httpVersion !== '1.0') || !visible.test(url)) return malformedRequestLine();
  if (!rawHeaders.every((text, index) => index % 2 === 0 || valueForm.test(text))) return malformedHeaderLine();
  return readHead(url, rawHeaders, httpVersion === '1.1');
}

/** Handles a request on Node's own server, past the web-standard `Request` and `Response`. */
export function handleNode(pipeline: Pipeline, incoming: NodeIncoming, outgoing: NodeOutgoing): void {
  const head = headOf(incoming);
  const peerAddress = incoming.socket?.remoteAddress ?? '';
  if ('code' in head) {
    const requestId = newRequestId();
    outgoing.shouldKeepAlive = false;
    pipeline.reject(requestId, head, new NodeResponseWriter(outgoing, requestId), peerAddress);
    return;
  }
  const { method = '', url: target = '' } = incoming;
  const requestId = requestIdFor(head.get('x-request-id'));
  const request = { method, target, requestId, peerAddress, header: (name: string) => head.get(name) };
  void pipeline.handle(request, new NodeResponseWriter(outgoing, requestId));
}
