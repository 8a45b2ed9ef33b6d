import type { Socket } from 'node:net';
import type { Pipeline } from '../pipeline.js';
import { http } from '../platform/builtin.js';
import { endGently } from '../platform/end-gently.js';
import { headTooLarge, malformed, malformedHeaderLine, malformedRequestLine, noBody } from '../request/head-rules.js';
import { newRequestId } from '../request/request-id.js';
import { NodeResponseWriter } from '../response/node-response.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';

/** Connections that get an error response: the parser reports every further piece of what it has rejected. */
const rejected = new WeakSet<Socket>();

/**
 * Responds with the error envelope to what Node's parser rejects, and closes the connection.
 *
 * @param underWay whether an earlier request of this connection still waits for its response, which comes first
 */
export function rejectParserError(error: Error, socket: Socket, pipeline: Pipeline, underWay: () => boolean): void {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const silent = code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (!socket.writable || code === 'ECONNRESET' || silent) {
    socket.destroy();
    return;
  }
  if (rejected.has(socket)) return;
  rejected.add(socket);
  const respond = () => {
    // The client may have left, or the response before this one has closed the connection.
    if (!socket.writable) return;
    if (underWay()) setTimeout(respond, 5);
    else {
      const outgoing = new http.ServerResponse(new http.IncomingMessage(socket));
      outgoing.shouldKeepAlive = false;
      outgoing.on('finish', () => endGently(socket));
      outgoing.assignSocket(socket);
      const requestId = newRequestId();
      const request = { requestId, peerAddress: socket.remoteAddress ?? '', header: () => undefined };
      const known = errors.find(([form]) => form.test(code))?.[1];
      const found = known?.() ?? malformed('request', 'send exactly one HTTP/1.1 request without a body');
      pipeline.reject(request, found, new NodeResponseWriter(outgoing, requestId));
    }
  };
  respond();
}

/** What Node's parser found, by the form of its error codes. */
const errors: readonly (readonly [RegExp, () => ProxyError])[] = [
  [/^ERR_HTTP_REQUEST_TIMEOUT$/, () => proxyError('request-timeout')],
  [/^HPE_HEADER_OVERFLOW$/, headTooLarge],
  [/CONTENT_LENGTH/, () => malformed('Content-Length', noBody)],
  [/TRANSFER_ENCODING|CHUNK/, () => malformed('Transfer-Encoding', noBody)],
  [/METHOD|URL|VERSION|CONSTANT/, malformedRequestLine],
  [/HEADER_TOKEN/, malformedHeaderLine],
  [
    /CR_EXPECTED|LF_EXPECTED/,
    () => malformed('line end', 'every line ends with CR LF; no CR, LF or NUL stands anywhere else'),
  ],
];
