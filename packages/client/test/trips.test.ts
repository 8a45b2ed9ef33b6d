import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, errorOf, later, nowhere, silence, stubbed, success, vin } from './service.ts';
import { collect, serviceWith, trip, type Window } from './trip-service.ts';

const msPerDay = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
function days([start, end]: Window): readonly string[] {
  const length = (timeOf(end) - timeOf(start)) / msPerDay + 1;
  return Array.from({ length }, (_, index) => dayOf(timeOf(start) + index * msPerDay));
}
const oneADay = (window: Window): readonly unknown[] => days(window).map((day) => trip(day));

/** Windows of eight days, whatever the contract allows. */
const eightDays = { windowDays: 8 } as const;
const longestWindow = operations.getDrivingData.dateRange.maxDays + 1;

describe('the trips of any range', () => {
  test('come from their own operation, with its parameters, in windows as long as the contract allows', async () => {
    const { client, sent } = stubbed(success({ trips: [] }));
    const zone = { vin, zoneId: 'Europe/Berlin' };
    await collect(client.trips.driving({ ...zone, from: '20260101', to: '2026-12-31' }));
    await collect(client.trips.powertrain({ vin, from: '20260101', to: '20260101' }));
    const lastDay = days(['20260101', '20261231'])[longestWindow - 1];
    expect(sent[0]?.url).toMatch(`/driving/data?startDate=20260101&endDate=${lastDay}&zoneId=Europe%2FBerlin`);
    expect(sent.at(-1)?.url).toBe(`/v1/vehicles/${vin}/powertrains/data?startDate=20260101&endDate=20260101`);
  });

  test('cover every day exactly once and in order, whatever the range and the window', async () => {
    const length = fc.integer({ min: 0, max: 60 });
    const windowLength = fc.integer({ min: 1, max: longestWindow });
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 30_000 }),
      length,
      windowLength,
      fc.integer({ min: 1, max: 5 }),
      async (first, further, windowDays, concurrency) => {
        // Every second response is late, and the order within each is wrong.
        const { client, windows } = serviceWith(async (window) => {
          if (windows.length % 2) await new Promise(setImmediate);
          return oneADay(window).toReversed();
        });
        const [from, to] = [dayOf(first * msPerDay), dayOf((first + further) * msPerDay)];
        const trips = await collect(client.trips.driving({ vin, from, to }, { windowDays, concurrency }));
        expect(windows.flatMap(days)).toEqual(days([from, to]));
        expect(Math.max(...windows.map((window) => days(window).length))).toBeLessThanOrEqual(windowDays);
        expect(trips).toEqual(oneADay([from, to]));
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  test('are each returned once, also where windows repeat them; with another length they are another trip', async () => {
    const { client } = serviceWith(([start, end]) => [
      trip(end, '23:59:00.000'),
      { ...trip(start), tripLength: 90_000 },
      trip(start),
      trip(start),
      trip(dayOf(timeOf(start) - msPerDay), '23:59:00.000'),
    ]);
    const trips = await collect(client.trips.driving({ vin, from: '20260101', to: '20260116' }, eightDays));
    const both = (day: string) => [trip(day), { ...trip(day), tripLength: 90_000 }];
    const [before, ...ends] = ['20251231', '20260108', '20260116'].map((day) => trip(day, '23:59:00.000'));
    expect(trips).toEqual([before, ...both('20260101'), ends[0], ...both('20260109'), ends[1]]);
  });

  test('with one start and no length are two, unless they are one whole', async () => {
    const [one, other] = [1, 2].map((km) => ({ ...trip('20260101'), tripLength: null, odometer: { value: [km] } }));
    const { client } = serviceWith(() => [one, other, one]);
    const trips: unknown[] = await collect(client.trips.driving({ vin, from: '20260101', to: '20260101' }));
    expect(trips).toHaveLength(2);
    expect(trips).toEqual(expect.arrayContaining([one, other]));
  });

  test('of a window without data are none, and a bad item ends nothing: it is counted and given to onInvalidTrip', async () => {
    const bad = [null, { tripLength: 1 }];
    const { client } = serviceWith((window) => (window[0] === '20260109' ? '4045' : [...bad, ...oneADay(window)]));
    const [onProgress, onInvalidTrip] = [vi.fn(), vi.fn()];
    const range = { vin, from: '20260101', to: '20260117' };
    const options = { ...eightDays, onProgress, onInvalidTrip };
    expect(await collect(client.trips.driving(range, options))).toHaveLength(9);
    const [first, last] = [
      { from: '20260101', to: '20260108' },
      { from: '20260117', to: '20260117' },
    ];
    expect(onProgress.mock.calls).toEqual([
      [{ ...first, trips: 8, invalidTrips: 2, windowsRead: 1, windowsTotal: 3 }],
      [{ from: '20260109', to: '20260116', trips: 0, invalidTrips: 0, windowsRead: 2, windowsTotal: 3 }],
      [{ ...last, trips: 1, invalidTrips: 2, windowsRead: 3, windowsTotal: 3 }],
    ]);
    const given = [first, last].flatMap((window) => bad.map((item) => [{ ...window, item }]));
    expect(onInvalidTrip.mock.calls).toEqual(given);
  });

  test('come also where the time of a response is none', async () => {
    const timestamp = { toString: 1 };
    const one = Response.json({ data: { trips: [trip('20260101')] }, meta: { timestamp } });
    const { client } = stubbed([one, Response.json({ error: { code: '4045', timestamp } })]);
    const range = { vin, from: '20260101', to: '20260102' };
    expect(await collect(client.trips.driving(range, { windowDays: 1 }))).toEqual([trip('20260101')]);
  });

  test('are requested with no more windows at a time than allowed, and none ahead of a slow reader', async () => {
    const { client, windows, load } = serviceWith(oneADay);
    const trips = client.trips.driving({ vin, from: '20260101', to: '20261231' }, { ...eightDays, concurrency: 3 });
    await trips.next();
    await expect.poll(() => windows.length).toBe(4);
    await later(50);
    expect(windows).toHaveLength(4);
    await collect(trips);
    expect(load.most).toBe(3);
    expect(windows).toHaveLength(46);
  });
});

describe('a cursor', () => {
  const range = { vin, from: '20260301', to: '20260320' };
  const threeADay = (window: Window) =>
    days(window).flatMap((day) => ['08', '12', '16'].map((hour) => trip(day, `${hour}:00:00.000`)));

  test.each([
    { before: 8, after: 8 },
    { before: 8, after: 1 },
    { before: 1, after: 8 },
    { before: 3, after: 5 },
  ])(
    'at any trip lets windows of another length continue with the next trip: $before days, then $after',
    async ({ before, after }) => {
      const { client } = serviceWith(threeADay);
      const all = await collect(client.trips.driving(range));
      for (const stop of [1, 17, 24, 25, 59, 60]) {
        const first = client.trips.driving(range, { windowDays: before });
        expect(first.cursor).toBeUndefined();
        for (let read = 0; read < stop; read += 1) await first.next();
        await first.return();
        expect(first.cursor).not.toContain(vin);
        const rest = await collect(client.trips.driving(range, { windowDays: after, cursor: first.cursor }));
        expect(rest, `${stop}`).toEqual(all.slice(stop));
      }
    },
  );

  test('of a finished iteration finds what came since, with a later end', async () => {
    const { client } = serviceWith(oneADay);
    const first = client.trips.driving({ ...range, to: '20260310' });
    await collect(first);
    const later = client.trips.driving({ ...range, to: '20260312' }, { cursor: first.cursor });
    expect(await collect(later)).toEqual(oneADay(['20260311', '20260312']));
  });

  test('is also there after a failure, which names its window, and earlier ones are not read again', async () => {
    let isDown = true;
    const { client, windows } = serviceWith((window) =>
      isDown && window[0] === '20260317' ? '5001' : oneADay(window),
    );
    const first = client.trips.driving(range, eightDays);
    const window = { from: '20260317', to: '20260320' };
    expect(await errorOf(collect(first))).toMatchObject({ code: '5001', window });
    isDown = false;
    windows.length = 0;
    const rest = await collect(client.trips.driving(range, { ...eightDays, cursor: first.cursor }));
    expect(rest).toEqual(oneADay(['20260317', '20260320']));
    // From the window of the cursor on.
    expect(windows[0]).toEqual(['20260309', '20260316']);
  });

  test('is rejected for another vehicle, series or zone, and after the range', async () => {
    const { client } = serviceWith(threeADay);
    const first = client.trips.driving(range, eightDays);
    await first.next();
    const { cursor } = first;
    // A later version reads it, too.
    expect(cursor).toBe('2amqmg8yqh3/20260301/20260308/2026-03-01T08:00:00.000Z/000000001000');
    for (const other of [
      client.trips.driving({ ...range, vin: `${vin.slice(0, -1)}Z` }, { cursor }),
      client.trips.powertrain(range, { cursor }),
      client.trips.driving({ ...range, zoneId: 'Asia/Seoul' }, { cursor }),
      client.trips.driving({ vin, from: '20250101', to: '20250201' }, { cursor }),
    ]) {
      expect(await errorOf(other.next())).toMatchObject({ name: 'ArgumentError', parameter: 'cursor' });
    }
  });
});

describe('leaving an iteration', () => {
  const range = { vin, from: '20260101', to: '20261231' };
  /** A client of a service that responds to a number of windows and to no more, with the signals of its requests. */
  function silentAfter(windows: number) {
    const signals: AbortSignal[] = [];
    const body = success({ trips: oneADay(['20260101', '20260102']) });
    const client = clientOf(nowhere, {
      fetch: async (_, { signal }) => (signals.push(signal) > windows ? silence() : new Response(body)),
    });
    return { client, signals };
  }

  test('by break ends every request under way', async () => {
    const { client, signals } = silentAfter(1);
    for await (const _ of client.trips.driving(range, { concurrency: 4 })) break;
    expect(signals.slice(1)).toMatchObject(Array(4).fill({ aborted: true }));
  });

  test.each(['return()', 'the signal'])('by %s ends requests on their way, and no vehicle fails', async (way) => {
    const { client, signals } = silentAfter(0);
    const controller = new AbortController();
    const { signal } = controller;
    const onVehicleError = vi.fn();
    const both = { series: 'driving', vin: [vin, `${vin.slice(0, -1)}Z`], since: range.from } as const;
    const begun = [client.trips.driving(range, { signal }), client.trips.sync(both, { signal, onVehicleError })];
    const steps = begun.map((trips) => trips.next().catch((error: unknown) => error));
    await expect.poll(() => signals.length).toBe(4);
    const reason = new Error('enough');
    if (way === 'the signal') controller.abort(reason);
    else for (const trips of begun) await trips.return();
    const done = { done: true, value: undefined };
    const result = way === 'return()' ? done : { name: 'AbortedError', code: 'aborted', cause: reason };
    expect(await Promise.all(steps)).toMatchObject([result, result]);
    expect(await Promise.all(begun.map((trips) => trips.next()))).toEqual([done, done]);
    expect(signals).toMatchObject(Array(4).fill({ aborted: true }));
    await new Promise(setImmediate);
    expect(onVehicleError).not.toHaveBeenCalled();
  });

  const times = ['before the first trip', 'after a trip', 'after a trip of a sync'];
  test.each(times)('by the signal %s throws at the next step, then it is done', async (time) => {
    const { client, windows } = serviceWith(oneADay);
    const controller = new AbortController();
    const { signal } = controller;
    const sync = client.trips.sync({ series: 'driving', vin, since: range.from }, { signal });
    const trips = time.endsWith('sync') ? sync : client.trips.driving(range, { signal });
    const isFirst = time === 'before the first trip';
    if (!isFirst) await trips.next();
    controller.abort();
    expect(await errorOf(trips.next())).toHaveProperty('name', 'AbortedError');
    expect(await trips.next()).toEqual({ done: true, value: undefined });
    if (isFirst) expect(windows).toEqual([]);
  });
});

describe('what cannot be iterated is rejected before any request, in words of the method', () => {
  const good = { vin, from: '20260101', to: '20260102' };
  const aDay = 'must be a real day, written yyyyMMdd or yyyy-MM-dd, for example 2026-03-09';
  const names = 'parameters must be an object of vin, zoneId, from, to';
  test.each<{ story: string; range: object | undefined; options: object; text: string }>([
    {
      story: 'a bad VIN',
      range: { ...good, vin: '..' },
      options: {},
      text: 'vin must be 17 ASCII digits or letters; got 2 characters',
    },
    {
      story: 'a day that does not exist',
      range: { ...good, from: '20260230' },
      options: {},
      text: `from ${aDay}; got a day that does not exist`,
    },
    {
      story: 'a dashed one',
      range: { ...good, to: '2026-02-30' },
      options: {},
      text: `to ${aDay}; got a day that does not exist`,
    },
    {
      story: 'a half-dashed day',
      range: { ...good, from: '2026-0101' },
      options: {},
      text: `from ${aDay}; got 9 characters with hyphens`,
    },
    { story: 'a day as a number', range: { ...good, from: 20260101 }, options: {}, text: `from ${aDay}; got a Number` },
    { story: 'no last day', range: { ...good, to: undefined }, options: {}, text: `to ${aDay}; got undefined` },
    {
      story: 'an end before the start',
      range: { ...good, to: '20251231' },
      options: {},
      text: 'to must not be before from',
    },
    {
      story: 'an unknown parameter',
      range: { ...good, brand: 'brand_a' },
      options: {},
      text: `${names}; got the unknown name brand`,
    },
    {
      story: 'a name of the operation',
      range: { ...good, startDate: '20260101' },
      options: {},
      text: `${names}; got the unknown name startDate`,
    },
    { story: 'nothing', range: undefined, options: {}, text: `${names}; got undefined` },
    {
      story: 'a bad zone',
      range: { ...good, zoneId: '' },
      options: {},
      text: 'zoneId must be an IANA time zone name, for example',
    },
    {
      story: 'a window that is too long',
      range: good,
      options: { windowDays: longestWindow + 1 },
      text: 'windowDays must be a whole number',
    },
    { story: 'a window of no day', range: good, options: { windowDays: 0 }, text: 'windowDays must be a whole number' },
    { story: 'half a day', range: good, options: { windowDays: 0.5 }, text: 'windowDays must be a whole number' },
    {
      story: 'no window at a time',
      range: good,
      options: { concurrency: 0 },
      text: 'concurrency must be a whole number',
    },
    {
      story: 'all windows at a time',
      range: good,
      options: { concurrency: Infinity },
      text: 'concurrency must be a whole number',
    },
    {
      story: 'a cursor of something else',
      range: good,
      options: { cursor: 'abc' },
      text: 'cursor must be one of an iteration; got 3 characters',
    },
    {
      story: 'a cursor without a trip',
      range: good,
      options: { cursor: 'abc/20260101/20260108/' },
      text: 'cursor must be one of an iteration; ',
    },
    {
      story: 'an unknown option',
      range: good,
      options: { retries: 1 },
      text: 'options must be an object of signal, headers, ',
    },
  ])('$story', async ({ range, options, text }) => {
    const { untyped, sent } = stubbed(success({ trips: [] }));
    const { name, message } = await errorOf(untyped.trips.driving(range, options).next());
    expect(name).toBe('ArgumentError');
    expect(message).toContain(`trips.driving: ${text}`);
    expect(sent).toEqual([]);
  });
});

test('three years of trips, far more than the heap holds, pass through it', { timeout: 120_000 }, async () => {
  const program = fileURLToPath(new URL('years-of-trips.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=48', program]);
  const { trips, megabytes } = JSON.parse(stdout) as { trips: number; megabytes: number };
  expect(trips).toBe(1_096);
  // As text. As arrays, whose numbers take eight bytes each, they are twice that.
  expect(megabytes).toBeGreaterThan(48);
});
