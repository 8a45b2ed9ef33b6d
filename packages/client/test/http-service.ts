import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What one request looked like when it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** A real HTTP service on 127.0.0.1 for one test; it ends with the test. */
export interface HttpService {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

export type Handler = (request: SeenRequest, response: ServerResponse, index: number) => void | Promise<void>;

export async function startHttpService(handler: Handler): Promise<HttpService> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    requests.push(seen);
    void handler(seen, response, requests.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export const vin = 'SANDB0XA000000001';
export const token = 'secret-token-of-this-test';
export const requestId = '0c9a7a5e-4f2c-4c59-8a6e-2f6f1f6a9dgg';
export const respondedAt = '2026-03-09T07:00:00.000Z';

/** A success envelope of the service. */
export function success(data: unknown, flag: unknown = 'true'): string {
  const meta = { code: 200, message: 'Success', success: flag, timestamp: respondedAt, requestId };
  return JSON.stringify({ data, meta });
}

/** An error envelope of the service. */
export function failure(code: string, message = 'Text of the service', details: readonly unknown[] = []): string {
  return JSON.stringify({ error: { code, message, details, timestamp: respondedAt, requestId } });
}

/** Sends JSON as the service does. */
export function reply(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
