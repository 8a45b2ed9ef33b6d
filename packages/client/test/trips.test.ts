import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { basicDateOf, dayNumber } from '../src/calendar-days.js';
import type { InvalidTrip, TripProgress } from '../src/index.js';
import { failure, reply, type SeenRequest, startHttpService, success, vin } from './http-service.ts';
import { startRawService, until } from './raw-service.ts';
import { clientOf, nowhere } from './test-client.ts';
import { instantClock } from './test-clock.ts';

interface Trip {
  readonly triggerStartTime: string;
  readonly tripLength: number;
}

const trip = (day: string, time = '08:00:00.000'): Trip => ({
  triggerStartTime: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time}Z`,
  tripLength: 1_000,
});

function windowOf({ url }: { readonly url: string }): readonly [string, string] {
  const query = new URL(url, 'http://x').searchParams;
  return [query.get('startDate') ?? '', query.get('endDate') ?? ''];
}

function days([start, end]: readonly [string, string]): readonly string[] {
  const [first = 0, last = 0] = [dayNumber(start), dayNumber(end)];
  return Array.from({ length: last - first + 1 }, (_, index) => basicDateOf(first + index));
}

/** A service with the trips that a function gives for a window. */
async function serviceWith(tripsOf: (window: readonly [string, string], request: SeenRequest) => readonly unknown[]) {
  return startHttpService((request, response) =>
    reply(response, 200, success({ trips: tripsOf(windowOf(request), request) })),
  );
}

/** Windows of eight days, whatever the contract allows. */
const windows = { windowDays: 8 } as const;
const longestWindow = operations.getDrivingData.dateRange.maxDays + 1;

const oneADay = (window: readonly [string, string]) => days(window).map((day) => trip(day));

async function collect<T>(trips: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of trips) all.push(one);
  return all;
}

describe('the trips of any range', () => {
  test('are requested in legal windows without gap or overlap, and come in order', async () => {
    const service = await serviceWith(oneADay);
    const range = { vin, from: '20260101', to: '2026-01-20', zoneId: 'Europe/Berlin' };
    const trips = await collect(clientOf(service.url).trips.driving(range, windows));
    expect(service.requests.map(windowOf)).toEqual([
      ['20260101', '20260108'],
      ['20260109', '20260116'],
      ['20260117', '20260120'],
    ]);
    expect(
      service.requests.every(({ url }) => url.includes('/driving/data') && url.includes('zoneId=Europe%2FBerlin')),
    ).toBe(true);
    expect(trips).toEqual(days(['20260101', '20260120']).map((day) => trip(day)));
  });

  test('are asked for in windows as long as the contract allows', async () => {
    const service = await serviceWith(oneADay);
    await collect(clientOf(service.url).trips.driving({ vin, from: '20260101', to: '20261231' }));
    const [first, second] = service.requests.map(windowOf);
    expect(days(first ?? ['', ''])).toHaveLength(longestWindow);
    expect(days(second ?? ['', ''])).toHaveLength(longestWindow);
  });

  test('of the powertrain come from their own operation', async () => {
    const service = await serviceWith(oneADay);
    await collect(clientOf(service.url).trips.powertrain({ vin, from: '20260101', to: '20260101' }));
    expect(service.requests[0]?.url).toBe(`/v1/vehicles/${vin}/powertrains/data?startDate=20260101&endDate=20260101`);
  });

  test('cover every day exactly once, whatever the range and the window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30_000 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: longestWindow }),
        fc.integer({ min: 1, max: 5 }),
        async (first, length, windowDays, concurrency) => {
          const asked: string[] = [];
          const client = clientOf(nowhere, {
            fetch: async (url) => {
              const window = windowOf({ url });
              asked.push(...days(window));
              return new Response(success({ trips: oneADay(window) }));
            },
          });
          const [from, to] = [basicDateOf(first), basicDateOf(first + length)];
          const trips = await collect(client.trips.driving({ vin, from, to }, { windowDays, concurrency }));
          expect(asked).toEqual(days([from, to]));
          expect(trips.map(({ triggerStartTime }) => triggerStartTime)).toEqual(
            days([from, to]).map((day) => trip(day).triggerStartTime),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are each returned once, also where one or two windows repeat them', async () => {
    const service = await serviceWith(([start, end]) => [
      trip(end, '23:59:00.000'),
      trip(start),
      trip(start),
      trip(basicDateOf((dayNumber(start) ?? 0) - 1), '23:59:00.000'),
    ]);
    const trips = await collect(
      clientOf(service.url).trips.driving({ vin, from: '20260101', to: '20260116' }, windows),
    );
    expect(trips.map(({ triggerStartTime }) => triggerStartTime)).toEqual([
      '2025-12-31T23:59:00.000Z',
      '2026-01-01T08:00:00.000Z',
      '2026-01-08T23:59:00.000Z',
      '2026-01-09T08:00:00.000Z',
      '2026-01-16T23:59:00.000Z',
    ]);
  });

  test('of a window without data are none, and no error', async () => {
    const service = await startHttpService((request, response) => {
      const window = windowOf(request);
      if (window[0] === '20260109') reply(response, 404, failure('4045'));
      else reply(response, 200, success({ trips: oneADay(window) }));
    });
    const progress: TripProgress[] = [];
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20260117' },
      { ...windows, onProgress: (step) => progress.push(step) },
    );
    expect(await collect(trips)).toHaveLength(9);
    expect(progress).toEqual([
      { from: '20260101', to: '20260108', trips: 8, invalidTrips: 0, windowsRead: 1, windowsTotal: 3 },
      { from: '20260109', to: '20260116', trips: 0, invalidTrips: 0, windowsRead: 2, windowsTotal: 3 },
      { from: '20260117', to: '20260117', trips: 1, invalidTrips: 0, windowsRead: 3, windowsTotal: 3 },
    ]);
  });

  test('are requested with no more windows at a time than allowed, and none ahead of a slow reader', async () => {
    let under = 0;
    let most = 0;
    const service = await startHttpService(async (request, response) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 10));
      under -= 1;
      reply(response, 200, success({ trips: oneADay(windowOf(request)) }));
    });
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20261231' },
      { ...windows, concurrency: 3 },
    );
    await trips.next();
    await until(() => service.requests.length === 4);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.requests).toHaveLength(4);
    await collect(trips);
    expect(most).toBe(3);
    expect(service.requests).toHaveLength(46);
  });

  test('come in order also where a later window responds first', async () => {
    const service = await startHttpService(async (request, response, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 2 ? 0 : 20));
      reply(response, 200, success({ trips: oneADay(windowOf(request)).reverse() }));
    });
    const trips = await collect(
      clientOf(service.url).trips.driving({ vin, from: '20260101', to: '20260210' }, { concurrency: 4 }),
    );
    expect(trips).toEqual(days(['20260101', '20260210']).map((day) => trip(day)));
  });
});

describe('a cursor', () => {
  test('at any trip lets another iteration continue with the next one', async () => {
    const service = await serviceWith(oneADay);
    const client = clientOf(service.url);
    const range = { vin, from: '20260101', to: '20260120' };
    const all = await collect(client.trips.driving(range));
    for (const stop of [1, 7, 8, 9, 16, 19, 20]) {
      const first = client.trips.driving(range);
      expect(first.cursor).toBeUndefined();
      const before: Trip[] = [];
      for await (const one of first) {
        before.push(one);
        if (before.length === stop) break;
      }
      const cursor = JSON.parse(JSON.stringify(first.cursor)) as string;
      expect(cursor).not.toContain(vin);
      const after = await collect(client.trips.driving(range, { cursor }));
      expect([...before, ...after]).toEqual(all);
    }
  });

  test('of a finished iteration finds what came since, with a later end', async () => {
    const service = await serviceWith(oneADay);
    const client = clientOf(service.url);
    const first = client.trips.driving({ vin, from: '20260101', to: '20260110' });
    await collect(first);
    const later = client.trips.driving({ vin, from: '20260101', to: '20260112' }, { cursor: first.cursor });
    expect((await collect(later)).map(({ triggerStartTime }) => triggerStartTime.slice(0, 10))).toEqual([
      '2026-01-11',
      '2026-01-12',
    ]);
  });

  test('is also there after a failure, so that the next attempt requests nothing twice', async () => {
    let isDown = true;
    const service = await startHttpService((request, response) => {
      const window = windowOf(request);
      if (isDown && window[0] === '20260117') reply(response, 500, failure('5001'));
      else reply(response, 200, success({ trips: oneADay(window) }));
    });
    const client = clientOf(service.url, { clock: instantClock() });
    const range = { vin, from: '20260101', to: '20260120' };
    const first = client.trips.driving(range, windows);
    const before: Trip[] = [];
    await expect(
      (async () => {
        for await (const one of first) before.push(one);
      })(),
    ).rejects.toMatchObject({ code: '5001' });
    expect(before).toHaveLength(16);
    isDown = false;
    expect(await collect(client.trips.driving(range, { ...windows, cursor: first.cursor }))).toHaveLength(4);
  });
});

describe('leaving an iteration', () => {
  async function silentAfter(windows: number) {
    return startRawService((socket, index) => {
      if (index >= windows) return;
      const body = success({ trips: [trip('20260101'), trip('20260102')] });
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
  }

  test('by break ends every request under way', async () => {
    const service = await silentAfter(1);
    for await (const _ of clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20261231' },
      { concurrency: 4 },
    ))
      break;
    await until(() => service.busyConnections() <= 1);
    expect(service.busyConnections()).toBeLessThanOrEqual(1);
  });

  test('by return() while a window is on its way ends it at once and without an error', async () => {
    const service = await silentAfter(0);
    const trips = clientOf(service.url).trips.driving({ vin, from: '20260101', to: '20261231' });
    const next = trips.next();
    await until(() => service.requests.length === 2);
    await trips.return();
    await expect(next).resolves.toEqual({ done: true, value: undefined });
    await expect(trips.next()).resolves.toEqual({ done: true, value: undefined });
    await until(() => service.busyConnections() === 0);
    expect(service.busyConnections()).toBe(0);
  });

  test('by the signal while a window is on its way throws, and ends every request', async () => {
    const service = await silentAfter(0);
    const controller = new AbortController();
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20261231' },
      { signal: controller.signal },
    );
    const next = trips.next();
    await until(() => service.requests.length === 2);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(next).rejects.toMatchObject({ name: 'AbortedError', cause: reason });
    await until(() => service.busyConnections() === 0);
    expect(service.busyConnections()).toBe(0);
  });

  test('by the signal between two trips throws at the next one', async () => {
    const service = await serviceWith(oneADay);
    const controller = new AbortController();
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20260120' },
      { signal: controller.signal },
    );
    await trips.next();
    controller.abort();
    await expect(trips.next()).rejects.toMatchObject({ name: 'AbortedError' });
    await expect(trips.next()).resolves.toEqual({ done: true, value: undefined });
  });

  test('by a signal that is aborted already sends nothing', async () => {
    const service = await serviceWith(oneADay);
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20260120' },
      { signal: AbortSignal.abort() },
    );
    await expect(trips.next()).rejects.toMatchObject({ name: 'AbortedError' });
    expect(service.requests).toEqual([]);
  });
});

describe('what cannot be iterated is rejected before any request', () => {
  const client = clientOf(nowhere);
  const good = { vin, from: '20260101', to: '20260102' };
  test.each([
    ['a bad VIN', { ...good, vin: '..' }, {}],
    ['a day that does not exist', { ...good, from: '20260230' }, {}],
    ['a half-dashed day', { ...good, from: '2026-0101' }, {}],
    ['an end before the start', { ...good, to: '20251231' }, {}],
    ['an unknown parameter', { ...good, brand: 'brand_a' }, {}],
    ['a bad zone', { ...good, zoneId: '' }, {}],
    ['a window that is too long', good, { windowDays: longestWindow + 1 }],
    ['a window of no day', good, { windowDays: 0 }],
    ['half a day', good, { windowDays: 0.5 }],
    ['no window at a time', good, { concurrency: 0 }],
    ['all windows at a time', good, { concurrency: Number.POSITIVE_INFINITY }],
    ['a cursor of something else', good, { cursor: 'abc' }],
    ['a cursor without a trip', good, { cursor: 'abc/20260101/20260108/' }],
    ['an unknown option', good, { retries: 1 } as object],
  ])('%s', async (_, range, options) => {
    await expect(client.trips.driving(range as typeof good, options).next()).rejects.toMatchObject({
      name: 'ArgumentError',
    });
  });
});

describe('one bad item', () => {
  test('does not end the range: it is counted and given to onInvalidTrip', async () => {
    const service = await serviceWith((window) => [null, { tripLength: 1 }, ...oneADay(window)]);
    const [invalid, progress]: [InvalidTrip[], TripProgress[]] = [[], []];
    const trips = clientOf(service.url).trips.driving(
      { vin, from: '20260101', to: '20260102' },
      { onInvalidTrip: (one) => invalid.push(one), onProgress: (one) => progress.push(one) },
    );
    expect(await collect(trips)).toHaveLength(2);
    expect(invalid.map(({ from, to, item }) => [from, to, item])).toEqual([
      ['20260101', '20260102', null],
      ['20260101', '20260102', { tripLength: 1 }],
    ]);
    expect(progress).toMatchObject([{ trips: 2, invalidTrips: 2 }]);
  });

  test('of a window that fails, the error names the window', async () => {
    const service = await startHttpService((request, response) => {
      const window = windowOf(request);
      if (window[0] === '20260109') reply(response, 500, failure('5001'));
      else reply(response, 200, success({ trips: oneADay(window) }));
    });
    const client = clientOf(service.url, { clock: instantClock() });
    const range = { vin, from: '20260101', to: '20260120' };
    await expect(collect(client.trips.driving(range, windows))).rejects.toMatchObject({
      code: '5001',
      window: { from: '20260109', to: '20260116' },
    });
  });

  test('two trips with one start and different lengths are both returned', async () => {
    const [one] = oneADay(['20260101', '20260101']);
    const service = await serviceWith(() => [{ ...one, tripLength: 90_000 }, one, one]);
    const trips = await collect(clientOf(service.url).trips.driving({ vin, from: '20260101', to: '20260101' }));
    expect(trips.map(({ tripLength }) => tripLength)).toEqual([1_000, 90_000]);
  });
});

describe('a cursor of another iteration', () => {
  const threeADay = (window: readonly [string, string]) =>
    days(window).flatMap((day) => ['08', '12', '16'].map((hour) => trip(day, `${hour}:00:00.000`)));

  test('resumes with any other windowDays: nothing is repeated or lost', async () => {
    const service = await serviceWith(threeADay);
    const client = clientOf(service.url);
    const range = { vin, from: '20260301', to: '20260320' };
    const all = await collect(client.trips.driving(range));
    for (const [before, after] of [
      [8, 1],
      [1, 8],
      [3, 5],
      [8, 7],
    ] as const) {
      for (const stop of [1, 17, 24, 25, 59]) {
        const first = client.trips.driving(range, { windowDays: before });
        for (let read = 0; read < stop; read += 1) await first.next();
        await first.return();
        const rest = await collect(client.trips.driving(range, { windowDays: after, cursor: first.cursor }));
        expect(rest, `${before} ${after} ${stop}`).toEqual(all.slice(stop));
      }
    }
  });

  test('is rejected for another vehicle, series or zone, and after the range', async () => {
    const service = await serviceWith(threeADay);
    const client = clientOf(service.url);
    const range = { vin, from: '20260301', to: '20260320' };
    const first = client.trips.driving(range);
    await first.next();
    await first.return();
    const { cursor } = first;
    const rejected = expect.objectContaining({ name: 'ArgumentError', parameter: 'cursor' });
    const other = `${vin.slice(0, -1)}Z`;
    await expect(client.trips.driving({ ...range, vin: other }, { cursor }).next()).rejects.toEqual(rejected);
    await expect(client.trips.powertrain(range, { cursor }).next()).rejects.toEqual(rejected);
    await expect(client.trips.driving({ ...range, zoneId: 'Asia/Seoul' }, { cursor }).next()).rejects.toEqual(rejected);
    await expect(client.trips.driving({ vin, from: '20250101', to: '20250201' }, { cursor }).next()).rejects.toEqual(
      rejected,
    );
  });
});

test('an iteration whose code cannot be loaded ends with a ConnectionError, and return() before the first step loads none', async () => {
  vi.doMock('../src/trips/iterate-trips.js', () => {
    throw new Error('no such file');
  });
  onTestFinished(() => void vi.doUnmock('../src/trips/iterate-trips.js'));
  const client = clientOf(nowhere);
  const range = { vin, from: '20260101', to: '20260101' };
  const done = { done: true, value: undefined };
  await expect(client.trips.driving(range).next()).rejects.toMatchObject({
    name: 'ConnectionError',
    code: 'connection-failed',
    isTemporary: true,
  });
  const left = client.trips.driving(range);
  expect([await left.return(), await left.next()]).toEqual([done, done]);
});
