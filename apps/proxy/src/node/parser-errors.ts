import type { Socket } from 'node:net';
import type { Pipeline } from '../pipeline.js';
import { headError, headerLineFault, headTooLarge, malformed, requestLineFault } from '../request/head-rules.js';
import { newRequestId } from '../request/request-id.js';
import { NodeResponseWriter } from '../response/node-response.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';
import { http } from './builtin.js';

/** Time for a client to take an error response and close, in milliseconds. */
const lingerMs = 1000;

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
  // Nothing that still comes on this connection is read as a request.
  socket.removeAllListeners('data');
  const respond = () => {
    if (underWay() && !socket.destroyed) setTimeout(respond, 5);
    else {
      const outgoing = new http.ServerResponse(new http.IncomingMessage(socket));
      outgoing.shouldKeepAlive = false;
      outgoing.on('finish', () => {
        socket.end();
        socket.resume();
        setTimeout(() => socket.destroy(), lingerMs).unref();
      });
      outgoing.assignSocket(socket);
      const requestId = newRequestId();
      pipeline.reject(
        requestId,
        errorOf(code),
        new NodeResponseWriter(outgoing, requestId),
        socket.remoteAddress ?? '',
      );
    }
  };
  respond();
}

function errorOf(code: string): ProxyError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return proxyError('request-timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return headError(headTooLarge);
  const place = places.find(({ form }) => form.test(code)) ?? whole;
  return headError(malformed(place.name, place.reason));
}

const noBody = 'no operation takes a body; leave it out';
const whole = { name: 'request', reason: 'send exactly one HTTP/1.1 request without a body' };
/** Where Node's parser found a fault, by the form of its error codes. */
const places: readonly { readonly form: RegExp; readonly name: string; readonly reason: string }[] = [
  { form: /CONTENT_LENGTH/, name: 'Content-Length', reason: noBody },
  { form: /TRANSFER_ENCODING|CHUNK/, name: 'Transfer-Encoding', reason: noBody },
  { form: /METHOD|URL|VERSION|CONSTANT/, ...requestLineFault },
  { form: /HEADER_TOKEN/, ...headerLineFault },
  {
    form: /CR_EXPECTED|LF_EXPECTED/,
    name: 'line end',
    reason: 'every line ends with CR LF; no CR, LF or NUL stands anywhere else',
  },
];
