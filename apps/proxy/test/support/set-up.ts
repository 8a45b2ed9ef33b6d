import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ProxyConfig } from '../../src/config.js';
import type { ProxyServerOptions } from '../../src/node/server.js';
import type { PipelineParts } from '../../src/pipeline.js';
import { listen } from './listen.ts';
import { openProxy } from './proxy.ts';
import { RawClient } from './raw-client.ts';
import { type Behaviour, startRecordingUpstream, successBody } from './recording-upstream.ts';
import { startTokenEndpoint, type TokenBehaviour } from './token-endpoint.ts';

// Everything here is stopped when the test that started it has finished, the last one first.

export const vin = 'TESTVEHCLE0000001';
export const consent = '/v1/vehicles/consent';
export const withdrawal = `${consent}?vin=${vin}`;
export const locationOf = (vehicle = vin) => `/v1/vehicles/${vehicle}/locations`;

/** A response of an upstream; what is left out is that of a success. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
}

/** Starts an upstream that keeps its requests. Without a reply it breaks the connection off. */
export async function startUpstream(reply: (request: IncomingMessage, count: number) => Reply | null = () => ({})) {
  const seen: IncomingMessage[] = [];
  const { url, close } = await listen((request, response) => {
    const given = reply(request, seen.push(request));
    if (given === null) return void response.destroy();
    const { status = 200, headers = {}, body = successBody({ trips: [], vehicles: [] }), delayMs = 0 } = given;
    const send = () => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
  onTestFinished(close);
  return { url, seen, tokens: () => seen.map(bearerOf) };
}

export function bearerOf(request: IncomingMessage): string {
  return (request.headers.authorization ?? '').replace('Bearer ', '');
}

/** The error of an upstream in its envelope. */
export function rejection(code = '4011', status = 400): Reply {
  return {
    status,
    body: JSON.stringify({ error: { code, message: 'm', details: [], timestamp: '', requestId: 'upstream-error-7' } }),
  };
}

/** Starts an upstream that knows these tokens only. */
export function startUpstreamFor(isGood: (token: string) => boolean, otherwise = rejection()) {
  return startUpstream((request) => (isGood(bearerOf(request)) ? {} : otherwise));
}

export async function startEndpoint(behave: TokenBehaviour) {
  const endpoint = await startTokenEndpoint(behave);
  onTestFinished(endpoint.close);
  return endpoint;
}

/** Starts an upstream on raw sockets. */
export async function startRawUpstream(behave?: Behaviour) {
  const upstream = await startRecordingUpstream(behave);
  onTestFinished(upstream.close);
  return upstream;
}

/** Opens a raw connection to a port. */
export function connectTo(port: number): RawClient {
  const client = new RawClient(port);
  onTestFinished(() => client.close());
  return client;
}

/** Starts a proxy in this process. */
export async function startProxy(
  config: ProxyConfig,
  parts: Partial<PipelineParts> = {},
  options: ProxyServerOptions = {},
) {
  const proxy = await openProxy(config, options, parts);
  onTestFinished(proxy.close);
  const url = `http://127.0.0.1:${proxy.port}`;
  return { ...proxy, url, call: clientOf(url), connect: () => connectTo(proxy.port) };
}

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Code of an error, or nothing. */
  readonly code: string;
}

export type Call = (path?: string, headers?: Record<string, string>, method?: string) => Promise<ReadResponse>;

/** A client of a proxy, with the headers that all of its requests have. */
export function clientOf(
  url: string,
  usual: Record<string, string> = { brand: 'brand_a', authorization: 'Bearer of-the-client' },
): Call {
  return async (path = consent, headers = {}, method = 'GET') => {
    const response = await fetch(url + path, { method, headers: { ...usual, ...headers } });
    const text = await response.text();
    const code = /"error":\{"code":"([^"]*)"/.exec(text)?.[1] ?? '';
    return { status: response.status, headers: response.headers, text, code };
  };
}

/** Statuses of so many requests at the same time. */
export async function statusesOf(count: number, call: (index: number) => Promise<{ readonly status: number }>) {
  return (await Promise.all(Array.from({ length: count }, (_, index) => call(index)))).map(({ status }) => status);
}
