// A service with a fleet of any size for proofs: small bodies, owners who withdraw, and a count of every call.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vehicle's VIN by its number. */
export const vinOf = (number: number) => `FLEETVEHXCL${`${number}`.padStart(6, '0')}`;

/** Starts a service. */
export async function startFleetService(vehicles: number) {
  const sharing = new Set(Array.from({ length: vehicles }, (_, number) => vinOf(number)));
  /** Calls for trips, by vehicle, series and first day. */
  const calls = new Map<string, number>();
  /** When each call for trips began, in milliseconds of `performance.now()`. */
  const arrivals: number[] = [];
  let heldUntil = 0;
  let heldFor = 0;

  function respond(url: string, response: ServerResponse): void {
    const send = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const meta = { code: 200, message: 'Success', success: 'true' };
    const failed = (code: string, message: string) => ({ error: { code, message, details: [] } });
    const [, vin = '', series = '', day = ''] =
      /^\/v1\/vehicles\/(\w{17})\/(\w+)\/data\?startDate=(\d+)/.exec(url) ?? [];
    if (vin === '') {
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
    const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
    const trip = {
      triggerStartTime: `${date}T07:00:00.000Z`,
      tripLength: 60_000,
      odometer: { value: [Number(vin.slice(11))] },
    };
    send(200, { data: { trips: [trip] }, meta });
  }

  const server = createServer(({ url = '' }, response) => respond(url, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    arrivals,
    sharing,
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
