// A service with a fleet of any size: a trip a day, owners who withdraw, faults to order, and a count of every call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vehicle's VIN by its number. */
export const vinOf = (number: number) => `FLEETVEHXCL${`${number}`.padStart(6, '0')}`;

/** The days from one to another, both as yyyyMMdd, without those that are to come. */
function daysOf(first: string, last: string): readonly string[] {
  const at = (day: string) => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
  const days: string[] = [];
  for (let time = at(first); time <= Math.min(at(last), Date.now()); time += 86_400_000)
    days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}

/** What a call gets in place of its response. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a call with a token that is not known gets. */
export const wrongToken: Failure = { status: 400, code: '4011' };

/** A call as it came; without a series, it is one for the list. */
export interface Call {
  readonly series: string;
  readonly authorization: string | undefined;
}

/** Starts a service. */
export async function startFleetService(vehicles: number) {
  const sharing = new Set(Array.from({ length: vehicles }, (_, number) => vinOf(number)));
  /** Calls for trips, by vehicle, series and first day. */
  const calls = new Map<string, number>();
  /** When each call for trips began, in milliseconds of `performance.now()`. */
  const arrivals: number[] = [];
  /** When the first list was sent. */
  let listedAt: number | undefined;
  let heldUntil = 0;
  let heldFor = 0;
  let fault: (call: Call) => Failure | undefined = () => undefined;

  function respond({ url = '', headers: { authorization } }: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const meta = { code: 200, message: 'Success', success: 'true' };
    const failed = (code: string, message: string) => ({ error: { code, message, details: [] } });
    const [, vin = '', series = '', day = '', lastDay = ''] =
      /^\/v1\/vehicles\/(\w{17})\/(\w+)\/data\?startDate=(\d+)&endDate=(\d+)/.exec(url) ?? [];
    const failure = fault({ series, authorization });
    if (failure) {
      send(failure.status, failed(failure.code, 'as ordered'), failure.headers);
      return;
    }
    if (vin === '') {
      listedAt ??= performance.now();
      const listed = [...sharing].map((one) => ({ vin: one, type: 'EV', nickname: 'x', name: 'NE1', sellname: 'M' }));
      send(200, { data: { vehicles: listed }, meta });
      return;
    }
    const now = performance.now();
    arrivals.push(now);
    if (now < heldUntil) {
      send(429, failed('429', 'Too many requests'), { 'retry-after': `${heldFor}` });
      return;
    }
    const key = `${vin} ${series} ${day}`;
    calls.set(key, (calls.get(key) ?? 0) + 1);
    if (!sharing.has(vin)) {
      send(410, failed('4101', 'VIN not registered for sharing'));
      return;
    }
    const odometer = { value: [Number(vin.slice(11))] };
    const trips = daysOf(day, lastDay).map((date) => ({
      triggerStartTime: `${date}T07:00:00.000Z`,
      tripLength: 60_000,
      odometer,
    }));
    send(200, { data: { trips }, meta });
  }

  const server = createServer(respond).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    arrivals,
    sharing,
    listedAt: () => listedAt,
    /** What calls get from now on in place of their response. */
    failWith(next: typeof fault) {
      fault = next;
    },
    /** Responds 429 from now on, for so many seconds. Returns until when, in milliseconds of `performance.now()`. */
    hold(seconds: number): number {
      heldFor = seconds;
      heldUntil = performance.now() + seconds * 1000;
      return heldUntil;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
