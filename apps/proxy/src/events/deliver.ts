import type { IncomingMessage, RequestOptions } from 'node:http';
import { http } from '../platform/builtin.js';

const https = () => process.getBuiltinModule('node:https');

/** What an attempt to deliver came to: a status, or why there is none. */
export interface Outcome {
  readonly status: number;
  readonly reason: 'status' | 'timeout' | 'unreachable';
  /** Time for which the receiver wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
}

/** Bytes of a response that are taken; nobody reads them. */
const maxResponseBytes = 65_536;

/** Sends one event. Follows no redirect. @param deadlineMs time for all of the attempt, in milliseconds */
export function deliver(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  deadlineMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    };
    const request = (url.startsWith('https:') ? https() : http).request(url, { ...options, agent: false });
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, deadlineMs).unref();
    const fail = () => {
      clearTimeout(deadline);
      resolve({ status: 0, reason: isLate ? 'timeout' : 'unreachable', retryAfterMs: 0 });
    };
    request.on('error', fail).on('close', fail);
    request.on('response', (response: IncomingMessage) => {
      const seconds = /^\d{1,5}$/.exec(response.headers['retry-after'] ?? '')?.[0] ?? '0';
      resolve({ status: response.statusCode ?? 0, reason: 'status', retryAfterMs: Number(seconds) * 1000 });
      let bytes = 0;
      response
        .on('error', () => {})
        .on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > maxResponseBytes) request.destroy();
        });
    });
    request.end(body);
  });
}
