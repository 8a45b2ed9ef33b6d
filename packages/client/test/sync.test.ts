import { expect, test } from 'vitest';
import { failed, stubbed, success, vin } from './service.ts';

const other = `${vin.slice(0, -1)}Z`;
/** Windows of eight days, whatever the contract allows. */
const windows = { windowDays: 8 } as const;
const trip = (time: string) => ({ triggerStartTime: `${time}:00.000Z`, tripLength: 60_000 });

/** A service with trips that a test adds to; it notes what is requested. */
function fleet(trips: Readonly<Record<string, ReturnType<typeof trip>[]>>) {
  const requests: string[] = [];
  let [under, most] = [0, 0];
  const withdrawn = new Set<string>();
  const { client } = stubbed('', {
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(url);
      const name = pathname.split('/')[3] ?? '';
      const [from, to] = [`${searchParams.get('startDate')}`, `${searchParams.get('endDate')}`];
      requests.push(`${name === vin ? 'first' : 'other'} ${from}-${to}`);
      under += 1;
      most = Math.max(most, under);
      await new Promise((done) => setTimeout(done, 1));
      under -= 1;
      if (withdrawn.has(name)) return failed('5006');
      const found = (trips[name] ?? []).filter(({ triggerStartTime }) => {
        const day = triggerStartTime.slice(0, 10).replaceAll('-', '');
        return day >= from && day <= to;
      });
      return found.length ? new Response(success({ trips: found })) : failed('4045', 404);
    },
  });
  return { client, requests, withdrawn, most: () => most };
}

async function starts(trips: AsyncIterable<{ vin: string; trip: { triggerStartTime: string } }>): Promise<string[]> {
  const all: string[] = [];
  for await (const one of trips)
    all.push(`${one.vin === vin ? 'first' : 'other'} ${one.trip.triggerStartTime.slice(0, 16)}`);
  return all;
}

test('a sync returns each trip once, late ones too, and moves over windows without data', async () => {
  const trips = { [vin]: [trip('2026-02-01T08:00'), trip('2026-03-08T08:00')] };
  const { client, requests } = fleet(trips);
  const request = { series: 'driving' as const, vin, since: '2026-02-01' };
  const first = client.trips.sync(request, windows);
  expect(await starts(first)).toEqual(['first 2026-02-01T08:00', 'first 2026-03-08T08:00']);
  expect(requests).toHaveLength(5);
  expect(requests.at(-1)).toBe('first 20260305-20260309');

  // Late, and before the last one that was returned.
  trips[vin]?.unshift(trip('2026-03-07T17:00'));
  requests.length = 0;
  const second = client.trips.sync({ ...request, checkpoint: first.checkpoint }, windows);
  expect(await starts(second)).toEqual(['first 2026-03-07T17:00']);
  expect(requests).toEqual(['first 20260306-20260309']);
  expect(await starts(client.trips.sync({ ...request, checkpoint: second.checkpoint }))).toEqual([]);
  expect(first.checkpoint).not.toContain(vin);
});

test('a checkpoint is awaited before the next window, and a sync that ends there resumes from it', async () => {
  const trips = { [vin]: ['02-01', '02-10', '02-20', '03-01'].map((day) => trip(`2026-${day}T08:00`)) };
  const { client } = fleet(trips);
  const request = { series: 'powertrain' as const, vin, since: '20260201' };
  const events: string[] = [];
  let saved: string | undefined;
  const broken = new Error('disk full');
  const onCheckpoint = async (checkpoint: string) => {
    events.push('begin');
    await new Promise((done) => setTimeout(done, 2));
    if (events.filter((event) => event === 'begin').length === 3) throw broken;
    saved = checkpoint;
    events.push('end');
  };
  const taken: string[] = [];
  const run = (async () => {
    for await (const { trip: one } of client.trips.sync(request, { ...windows, onCheckpoint })) {
      events.push('trip');
      taken.push(one.triggerStartTime.slice(5, 10));
    }
  })();
  await expect(run).rejects.toMatchObject({ name: 'AbortedError', cause: broken });
  expect(events).toEqual(['trip', 'begin', 'end', 'trip', 'begin', 'end', 'trip', 'begin']);
  expect(taken).toEqual(['02-01', '02-10', '02-20']);
  // At least once: what was taken after the last checkpoint comes again.
  const rest = await starts(client.trips.sync({ ...request, checkpoint: saved }));
  expect(rest).toEqual(['first 2026-02-20T08:00', 'first 2026-03-01T08:00']);
});

test('several vehicles share one concurrency, and one that fails does not end the others', async () => {
  const trips = { [vin]: [trip('2026-03-01T08:00')], [other]: [trip('2026-03-02T08:00')] };
  const { client, withdrawn, most } = fleet(trips);
  const request = { series: 'driving' as const, vin: [vin, other], since: '2026-01-01' };
  const sync = client.trips.sync(request, { concurrency: 3 });
  expect(await starts(sync)).toEqual(['first 2026-03-01T08:00', 'other 2026-03-02T08:00']);
  expect(most()).toBe(3);

  withdrawn.add(vin);
  trips[other]?.push(trip('2026-03-09T05:00'));
  const failures: unknown[] = [];
  const again = client.trips.sync(
    { ...request, checkpoint: sync.checkpoint },
    { onVehicleError: (one) => failures.push(one) },
  );
  expect(await starts(again)).toEqual(['other 2026-03-09T05:00']);
  expect(failures).toMatchObject([{ vin, error: { resolution: 'ask-consent', window: { to: '20260309' } } }]);
  await expect(starts(client.trips.sync(request))).rejects.toMatchObject({ name: 'ConsentError' });
});

test('a vehicle whose trip arrives any number of days late is read as often as overlapDays says', async () => {
  const { client, requests } = fleet({});
  const request = { series: 'driving' as const, vin, since: '2026-03-01', overlapDays: 0 };
  const sync = client.trips.sync(request);
  await starts(sync);
  requests.length = 0;
  await starts(client.trips.sync({ ...request, checkpoint: sync.checkpoint }));
  expect(requests).toEqual(['first 20260309-20260309']);
});

test.each([
  ['an unknown series', { series: 'cycling' }],
  ['a bad VIN', { vin: '..' }],
  ['a bad VIN among others', { vin: [vin, '..'] }],
  ['a day that does not exist', { since: '2026-02-30' }],
  ['an unknown member', { form: '2026-01-01' }],
  ['half a day', { overlapDays: 0.5 }],
  ['a checkpoint of something else', { checkpoint: '{"version":1}' }],
])('a sync of %s is rejected before any request', async (_, more) => {
  const { client, requests } = fleet({});
  const request = { series: 'driving' as const, vin, since: '2026-01-01', ...(more as object) };
  await expect(client.trips.sync(request).next()).rejects.toMatchObject({ name: 'ArgumentError' });
  expect(requests).toEqual([]);
});

test('a sync ends by break and by the signal', async () => {
  const { client } = fleet({ [vin]: [trip('2026-03-01T08:00'), trip('2026-03-02T08:00')] });
  const controller = new AbortController();
  const request = { series: 'driving' as const, vin, since: '2026-03-01' };
  for await (const _ of client.trips.sync(request)) break;
  const sync = client.trips.sync(request, { signal: controller.signal });
  await sync.next();
  controller.abort();
  await expect(sync.next()).rejects.toMatchObject({ name: 'AbortedError' });
  await expect(sync.next()).resolves.toEqual({ done: true, value: undefined });
});
