// What tests share: a service over HTTP, one that speaks in bytes, its envelopes, and clients of them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import * as net from 'node:net';
import { addAbortSignal } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import {
  type Clock,
  createVehicleDataClient,
  type VehicleDataClient,
  type VehicleDataClientOptions,
  type VehicleDataError,
} from '../src/index.js';

export const vin = 'SANDB0XA000000001';
export const token = 'secret-token-of-this-test';
export const requestId = '0c9a7a5e-4f2c-4c59-8a6e-2f6f1f6a9dgg';
const respondedAt = '2026-03-09T07:00:00.000Z';

/** A success envelope of the service. */
export function success(data: unknown, flag: unknown = 'true'): string {
  const meta = { code: 200, message: 'Success', success: flag, timestamp: respondedAt, requestId };
  return JSON.stringify({ data, meta });
}

/** The success envelope of a location, which most tests ask for. */
export const located = success({ location: {} });

/** An error envelope of the service. */
export function failure(code: string, message = 'Text of the service', details: readonly unknown[] = []): string {
  return JSON.stringify({ error: { code, message, details, timestamp: respondedAt, requestId } });
}

/** How the SDK names itself. */
export const named = { 'user-agent': expect.stringMatching(/^vehicle-data-client\/\d+\.\d+\.\d+$/) };

/** An error response of the service. */
export const failed = (code: string, status = 400, headers: Record<string, string> = {}) =>
  new Response(failure(code), { status, headers });

/** Listens on a free port of 127.0.0.1 until the test has finished. */
export async function listen(server: Server | net.Server, close: () => void): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    close();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** A real HTTP service of JSON on 127.0.0.1 for one test, with the requests that have arrived; it ends with the test. */
export async function startHttpService(respond: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response.setHeader('content-type', 'application/json'));
  });
  return { url: await listen(server, () => server.closeAllConnections()), requests };
}

/** A service that speaks in bytes, for responses that no HTTP library would give. */
export async function startRawService(respond: (socket: net.Socket) => void) {
  let requests = 0;
  const busy = new Set<net.Socket>();
  const ended = new AbortController();
  const server = net.createServer((socket) => {
    addAbortSignal(ended.signal, socket);
    socket.on('close', () => busy.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', () => {
      busy.add(socket);
      requests += 1;
      respond(socket);
    });
  });
  const url = await listen(server, () => ended.abort());
  // Connections that have carried a request and are open now. Runtimes may hold idle ones ready beside them.
  return { url, requests: () => requests, busyConnections: () => busy.size };
}

/** Where no service listens. */
export const nowhere = 'http://127.0.0.1:1';

/** A client of brand_a with a token; a test sets what it is about. */
export const clientOf = (baseUrl: string, options: Partial<VehicleDataClientOptions> = {}): VehicleDataClient =>
  createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: token, ...options });

/** What a transport responds with: a success envelope, or a response as often as it is wanted. */
type Play = string | Response;
type Played = (index: number) => Play | Promise<Play>;

/** A client of a transport that plays responses in turn, the last one again and again, with what the transport was called with. */
export function stubbed(
  plays: Play | Played | readonly (Play | Played)[],
  options: Partial<VehicleDataClientOptions> = {},
) {
  const sent: { url: string; method: string; headers: Record<string, string> }[] = [];
  const inTurn = [plays].flat();
  const clock = instantClock();
  const client = clientOf(nowhere, {
    clock,
    fetch: async (url, { method, headers }) => {
      const index = sent.push({ url: url.slice(nowhere.length), method, headers }) - 1;
      const next = inTurn[Math.min(index, inTurn.length - 1)] ?? '';
      const play = typeof next === 'function' ? await next(index) : next;
      return typeof play === 'string' ? new Response(play) : play.clone();
    },
    ...options,
  });
  return { client, clock, sent, untyped: untypedOf(client) };
}

/** A value after a time. */
export const later = <Value>(delayMs: number, value?: Value) =>
  new Promise<Value>((resolve) => setTimeout(resolve, delayMs, value));

/** A transport that never responds, and knows no signal. */
export const silence = () => new Promise<Response>(() => undefined);

type UntypedCall = (...args: readonly unknown[]) => Promise<unknown>;
type Method = 'listVehicles' | 'getLocation' | 'getDrivingData' | 'stopSharing' | 'stopSharingForAllVehicles';

/** A client as JavaScript sees it: whatever is passed compiles. */
export interface UntypedClient extends Readonly<Record<Method, UntypedCall>> {
  readonly raw: Readonly<Record<'GET' | 'DELETE', UntypedCall>>;
  readonly trips: Readonly<Record<'driving' | 'sync', (...args: readonly unknown[]) => { next(): Promise<unknown> }>>;
}
export const untypedOf = (client: VehicleDataClient) => client as object as UntypedClient;

/** The error that a call ends with. */
export const errorOf = (call: Promise<unknown>): Promise<VehicleDataError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: VehicleDataError) => error,
  );

/** Stops the clock of the system until a test moves it on, or lets it jump to the next timer whenever all else waits. */
export function fakeTime(way: 'stopped' | 'jumping' = 'stopped'): void {
  vi.useFakeTimers();
  if (way === 'jumping') vi.setTimerTickMode('nextTimerAsync');
  onTestFinished(() => void vi.useRealTimers());
}

/** A clock whose timers run at once, in order, and which notes how long each would have taken. */
export function instantClock(random = 0.5): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  let time = Date.parse('2026-03-09T07:00:05.000Z');
  return {
    pauses,
    now: () => time,
    random: () => random,
    after(delayMs, run) {
      // Deadlines, thirty seconds by default, are left alone: only pauses before retries pass at once.
      if (delayMs >= 30_000) return () => undefined;
      pauses.push(delayMs);
      time += delayMs;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}
