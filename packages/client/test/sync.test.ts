import { expect, test, vi } from 'vitest';
import { clientOf, errorOf, instantClock, later, nowhere, vin } from './service.ts';
import { collect, serviceWith, trip } from './trip-service.ts';

const other = `${vin.slice(0, -1)}Z`;
/** Windows of eight days, whatever the contract allows. */
const windows = { windowDays: 8 } as const;

const request = { series: 'driving' as const, vin, since: '2026-02-01' };

/** A service with the days of trips that a test adds to. */
function fleet(days: Readonly<Record<string, string[]>>) {
  const withdrawn = new Set<string>();
  const service = serviceWith(([from, to], name) => {
    if (withdrawn.has(name)) return '5006';
    const found = (days[name] ?? []).filter((day) => day >= from && day <= to);
    return found.length ? found.map((day) => trip(day)) : '4045';
  });
  return { ...service, withdrawn };
}
const tripsOf = (name: string, ...days: string[]) => days.map((day) => ({ vin: name, trip: trip(day) }));

test('a sync returns each trip once, late ones too, and moves over windows without data', async () => {
  // The last one has a start that is no time.
  const days = { [vin]: ['20260201', '20260308', '20260308x'] };
  const service = fleet(days);
  const first = service.client.trips.sync(request, windows);
  expect(await collect(first)).toEqual(tripsOf(vin, '20260201', '20260308', '20260308x'));
  expect(service.windows).toHaveLength(5);
  expect(service.windows.at(-1)).toEqual(['20260305', '20260309']);

  // Late, and before the last one that was returned.
  days[vin]?.unshift('20260307');
  service.windows.length = 0;
  const second = service.client.trips.sync({ ...request, checkpoint: first.checkpoint }, windows);
  expect(await collect(second)).toEqual(tripsOf(vin, '20260307'));
  expect(service.windows).toEqual([['20260306', '20260309']]);
  expect(await collect(service.client.trips.sync({ ...request, checkpoint: second.checkpoint }))).toEqual([]);
  expect(first.checkpoint).not.toContain(vin);
});

test('a checkpoint is awaited before the next window, and a sync that ends there resumes from it', async () => {
  const { client } = fleet({ [vin]: ['20260201', '20260210', '20260220', '20260301'] });
  const powertrain = { series: 'powertrain' as const, vin, since: '20260201' };
  const events: string[] = [];
  let saved: string | undefined;
  const broken = new Error('disk full');
  const onCheckpoint = async (checkpoint: string) => {
    events.push('begin');
    await later(2);
    if (events.filter((event) => event === 'begin').length === 3) throw broken;
    saved = checkpoint;
    events.push('end');
  };
  const run = async () => {
    for await (const one of client.trips.sync(powertrain, { ...windows, onCheckpoint }))
      events.push(one.trip.triggerStartTime.slice(0, 10));
  };
  expect(await errorOf(run())).toMatchObject({ name: 'AbortedError', cause: broken });
  const steps = ['begin', 'end'];
  expect(events).toEqual(['2026-02-01', ...steps, '2026-02-10', ...steps, '2026-02-20', 'begin']);
  // At least once: what was taken after the last checkpoint comes again.
  const rest = await collect(client.trips.sync({ ...powertrain, checkpoint: saved }));
  expect(rest).toEqual(tripsOf(vin, '20260220', '20260301'));
});

test('a sync that was left is done, and saves no further checkpoint', async () => {
  const { client } = fleet({ [vin]: ['20260201'] });
  const onCheckpoint = vi.fn();
  const sync = client.trips.sync(request, { onCheckpoint });
  await sync.next();
  await sync.return();
  expect(await sync.next()).toEqual({ done: true, value: undefined });
  expect(onCheckpoint).not.toHaveBeenCalled();
});

test('several vehicles share one concurrency, and one that fails does not end the others', async () => {
  const days = { [vin]: ['20260301'], [other]: ['20260302'] };
  const { client, withdrawn, load } = fleet(days);
  const both = { ...request, vin: [vin, other] };
  const sync = client.trips.sync(both, { concurrency: 3 });
  expect(await collect(sync)).toEqual([...tripsOf(vin, '20260301'), ...tripsOf(other, '20260302')]);
  expect(load.most).toBe(3);

  withdrawn.add(vin);
  days[other]?.push('20260309');
  const onVehicleError = vi.fn();
  const again = client.trips.sync({ ...both, checkpoint: sync.checkpoint }, { onVehicleError });
  expect(await collect(again)).toEqual(tripsOf(other, '20260309'));
  expect(onVehicleError.mock.calls).toMatchObject([
    [{ vin, error: { resolution: 'ask-consent', window: { to: '20260309' } } }],
  ]);
  // Once for a vehicle, whose next window is on its way by then.
  await collect(client.trips.sync(both, { onVehicleError }));
  expect(onVehicleError).toHaveBeenCalledTimes(2);
  expect(await errorOf(collect(client.trips.sync(both)))).toHaveProperty('name', 'ConsentError');
});

test.each([
  { zoneId: 'UTC', from: '20260309' },
  // Where it is still the evening of March 8.
  { zoneId: 'Pacific/Honolulu', from: '20260308' },
])(
  'days that are not over are read again, and as many before as overlapDays says: in $zoneId',
  async ({ zoneId, from }) => {
    const service = fleet({ [vin]: ['20260308'] });
    const ofZone = { ...request, overlapDays: 0, zoneId };
    const sync = service.client.trips.sync(ofZone);
    expect(await collect(sync)).toEqual(tripsOf(vin, '20260308'));
    service.windows.length = 0;
    expect(await collect(service.client.trips.sync({ ...ofZone, checkpoint: sync.checkpoint }))).toEqual([]);
    expect(service.windows).toEqual([[from, '20260309']]);
  },
);

test('a run with a clock that is ahead loses no trip of the days between', async () => {
  // The service responds on March 9, also that it has no data.
  const days: Record<string, string[]> = { [vin]: [] };
  const { client, fetch } = fleet(days);
  const clock = { ...instantClock(), now: () => Date.parse('2026-04-20T12:00:00Z') };
  const first = clientOf(nowhere, { clock, fetch }).trips.sync(request);
  expect(await collect(first)).toEqual([]);
  days[vin]?.push('20260307');
  const again = client.trips.sync({ ...request, checkpoint: first.checkpoint });
  expect(await collect(again)).toEqual(tripsOf(vin, '20260307'));
});

test('days that are read again are those after whose beginning every trip is remembered', async () => {
  const { client } = fleet({ [vin]: ['20260201', '20260303', '20260307', '20260309'] });
  const sync = client.trips.sync({ ...request, overlapDays: 1 });
  expect(await collect(sync)).toHaveLength(4);
  let { checkpoint } = sync;
  for (const overlapDays of [10, 60, 0]) {
    const again = client.trips.sync({ ...request, overlapDays, checkpoint });
    expect(await collect(again)).toEqual([]);
    checkpoint = again.checkpoint;
  }
});

const aDay = 'must be a real day, written yyyyMMdd or yyyy-MM-dd, for example 2026-03-09';
test.each([
  { story: 'an unknown series', more: { series: 'cycling' }, text: 'series must be powertrain or driving' },
  { story: 'a bad VIN', more: { vin: '..' }, text: 'vin must be 17 ASCII digits or letters; got 2 characters' },
  {
    story: 'a bad VIN among others',
    more: { vin: [vin, '..'] },
    text: 'vin must be 17 ASCII digits or letters; got 2 characters',
  },
  {
    story: 'a day that does not exist',
    more: { since: '2026-02-30' },
    text: `since ${aDay}; got a day that does not exist`,
  },
  { story: 'a Date', more: { since: new Date() }, text: `since ${aDay}; got a Date` },
  {
    story: 'an unknown member',
    more: { form: '2026-01-01' },
    text: 'parameters must be an object of series, vin, since, ',
  },
  { story: 'half a day', more: { overlapDays: 0.5 }, text: 'overlapDays must be a whole number from 0 to 60; got 0.5' },
  {
    story: 'a checkpoint of something else',
    more: { checkpoint: '{"version":1}' },
    text: 'checkpoint must be one of a sync; got 13 ',
  },
  {
    story: 'another version',
    more: { checkpoint: '{"version":2,"sources":{}}' },
    text: 'checkpoint must be one of a sync; got 26 ',
  },
  {
    story: 'no day',
    more: { checkpoint: '{"version":1,"sources":{"a":{}}}' },
    text: 'checkpoint must be one of a sync; got 32 ',
  },
])('a mistake in a sync is rejected before any request, in words of the method: $story', async ({ more, text }) => {
  const service = fleet({});
  const sync = service.untyped.trips.sync({ ...request, ...more });
  const { name, message, docsUrl } = await errorOf(sync.next());
  expect([name, docsUrl]).toEqual(['ArgumentError', `${nowhere}/docs/errors/invalid-argument/`]);
  expect(message).toContain(`trips.sync: ${text}`);
  expect(service.windows).toEqual([]);
});
