import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { createApp } from '../../src/app.js';
import { anonymous, type ClientAuth } from '../../src/auth/client.js';
import type { ProxyConfig } from '../../src/config.js';
import { composeProxy } from '../../src/create-proxy.js';
import { SocketTransport } from '../../src/forward/transport/socket/socket-transport.js';
import { ProxyServer, type ProxyServerOptions } from '../../src/node/server.js';
import type { RequestRecord, UnexpectedError } from '../../src/observability/observer.js';
import { Pipeline } from '../../src/pipeline.js';
import type { PipelineParts } from '../../src/pipeline-parts.js';
import { type AtEnd, type Behavior, startRawUpstream } from './servers.ts';
import { RawClient } from './wire.ts';

// What is started by `start…` and `connect…` ends with the test that started it, the last one first.

export const vin = 'TESTVEHCLE0000001';
export const consent = '/v1/vehicles/consent';
export const withdrawal = `${consent}?vin=${vin}`;
export const locationOf = (vehicle = vin) => `/v1/vehicles/${vehicle}/locations`;

/** The bytes of a request; the brand and a token are added. */
export function requestLines(line: string, ...headers: string[]): string {
  const usual = ['Host: p', 'Brand: brand_a', 'Authorization: Bearer t'];
  return `${[`${line} HTTP/1.1`, ...usual, ...headers].join('\r\n')}\r\n\r\n`;
}

/** Every client is who it says; one that is `fast` has a rate of its own. */
export const byName: ClientAuth = {
  challenge: 'Name',
  authenticate(incoming) {
    const id = incoming.header('x-api-key') ?? '';
    return { ...anonymous, id, rate: id === 'fast' ? { calls: 5, seconds: 60 } : null };
  },
};

/** Opens a raw connection to a port. */
export function connectTo(port: number, host?: string): RawClient {
  const client = new RawClient(port, undefined, host);
  onTestFinished(() => client.close());
  return client;
}

/** Has the clocks of this process stand still until the test has finished; the test moves them. */
export function fakeClocks(
  options: Parameters<typeof vi.useFakeTimers>[0] = { toFake: ['Date', 'performance'] },
): void {
  vi.useFakeTimers(options);
  onTestFinished(async () => {
    vi.useRealTimers();
    // What was to be judged by these clocks is.
    await new Promise((resolve) => setImmediate(resolve));
  });
}

/** Has the process do nothing for a while. */
export const stall = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Calls a function with each item, so many at a time. */
export function inTurns<T>(items: Iterable<T>, width: number, each: (item: T) => Promise<void>): Promise<void> {
  return Readable.from(items).forEach(each, { concurrency: width });
}

/** Whether the tests of this process run with the fast path. */
export const fastPath = process.env['VDS_FAST_PATH'] !== 'off';

/** What makes the app of a proxy. */
interface AppMaker {
  readonly makeApp: (pipeline: Pipeline) => ReturnType<typeof createApp> | Promise<ReturnType<typeof createApp>>;
}

/** What a test says about a proxy: its configuration, its parts and how it is served. */
export type ProxyOptions = Partial<
  ProxyConfig & PipelineParts & ProxyServerOptions & AppMaker & { readonly host: string }
>;

/** Starts a proxy with its server on a free port, in this process. It ends with the test, or `atEnd`. */
export async function startProxy(
  options: ProxyOptions & Pick<ProxyConfig, 'upstreamUrl'>,
  atEnd: AtEnd = onTestFinished,
) {
  const records: RequestRecord[] = [];
  const unexpected: UnexpectedError[] = [];
  const observer = {
    call: (record: RequestRecord) => void records.push(record),
    unexpected: (error: UnexpectedError) => void unexpected.push(error),
  };
  const transport = new SocketTransport(options.upstreamUrl);
  const pipeline = new Pipeline(options, { transport, observer, ...options });
  // Without the fast path, the steps are played as middleware: what differs is found.
  const makeApp = options.makeApp ?? (fastPath ? createApp : () => composeProxy(pipeline, options, options));
  const server = new ProxyServer(pipeline, () => makeApp(pipeline), { fastPath, ...options });
  const port = await server.listen({ port: 0, host: options.host ?? '127.0.0.1' });
  atEnd(() => server.close(0, 0));
  const url = `http://127.0.0.1:${port}`;
  const connect = () => connectTo(port);
  return { port, url, pipeline, server, records, unexpected, call: clientOf(url), connect };
}

/** Starts an upstream on raw sockets and a proxy in front of it. */
export async function startPair(behave?: Behavior, options: ProxyOptions = {}) {
  const upstream = await startRawUpstream(behave);
  const proxy = await startProxy({ upstreamUrl: upstream.url, ...options });
  return { upstream, proxy, connect: proxy.connect };
}

export type Call = ReturnType<typeof clientOf>;

/** A client of a proxy, with the headers that all of its requests have. It reads responses to their end. */
export function clientOf(
  url: string,
  usual: Record<string, string> = { brand: 'brand_a', authorization: 'Bearer of-the-client' },
) {
  return async (path = consent, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(url + path, { method, headers: { ...usual, ...headers } });
    const text = await response.text();
    /** Code of an error, or nothing. */
    const code = /"error":\{"code":"([^"]*)"/.exec(text)?.[1] ?? '';
    return { status: response.status, headers: response.headers, text, code };
  };
}

/** Statuses of so many requests at the same time. */
export async function statusesOf(count: number, call: (index: number) => Promise<{ readonly status: number }>) {
  return (await Promise.all(Array.from({ length: count }, (_, index) => call(index)))).map(({ status }) => status);
}

/** How many of them are this one. */
export function count(statuses: readonly number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}
