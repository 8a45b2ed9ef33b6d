import type { OperationId } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { basicDate, dayInZone } from '../src/fleet/calendar.js';
import { createSandbox } from '../src/index.js';
import { fleetVehicles, outcome, send, type TestResponse, vin, violations, wholeFleet } from './calls.js';

const dayMs = 86_400_000;
const starts = ({ json }: TestResponse) => json.data.trips.map(({ triggerStartTime }) => triggerStartTime);
/** The query for some days from one on, counted since 1970. */
const range = (day: number, days: number) =>
  `startDate=${basicDate(day * dayMs)}&endDate=${basicDate((day + days - 1) * dayMs)}`;

it.each([
  {
    zone: 'Europe/Berlin',
    date: '2026-03-29',
    first: '2026-03-28T23:00:00Z',
    after: '2026-03-29T22:00:00Z',
    story: '23 hours, as summer time begins',
  },
  {
    zone: 'Europe/Berlin',
    date: '2026-10-25',
    first: '2026-10-24T22:00:00Z',
    after: '2026-10-25T23:00:00Z',
    story: '25 hours, as winter time begins',
  },
  {
    zone: 'America/Santiago',
    date: '2026-09-06',
    first: '2026-09-06T04:00:00Z',
    after: '2026-09-07T03:00:00Z',
    story: 'starts at one o’clock',
  },
  {
    zone: 'America/New_York',
    date: '2028-02-29',
    first: '2028-02-29T05:00:00Z',
    after: '2028-03-01T05:00:00Z',
    story: 'a leap day',
  },
  {
    zone: 'Pacific/Kiritimati',
    date: '2026-12-31',
    first: '2026-12-30T10:00:00Z',
    after: '2026-12-31T10:00:00Z',
    story: 'far in the east',
  },
  {
    zone: 'Factory',
    date: '2026-01-01',
    first: '2026-01-01T00:00:00Z',
    after: '2026-01-02T00:00:00Z',
    story: 'a zone that runtimes do not know',
  },
])('a day begins and ends by the clocks of its zone: $date in $zone, $story', ({ zone, date, first, after }) => {
  const day = Date.parse(date) / dayMs;
  const [start, end] = [Date.parse(first), Date.parse(after)];
  const days = [start - 1, start, end - 1, end].map((ms) => dayInZone(ms, zone));
  expect(days).toEqual([day - 1, day, day, day + 1]);
});

it.each([
  { story: 'clocks go forward', now: '2026-04-20T00:00:00Z', date: '2026-03-28', zone: 'Europe/Berlin' },
  { story: 'clocks go back', now: '2026-11-20T00:00:00Z', date: '2026-10-31', zone: 'America/Los_Angeles' },
  { story: 'a leap day', now: '2028-03-20T00:00:00Z', date: '2028-02-28', zone: 'Europe/Berlin' },
  { story: 'the end of a year', now: '2027-01-20T00:00:00Z', date: '2026-12-30', zone: 'America/Los_Angeles' },
])(
  'every vehicle and operation responds as the contract says, each trip on one day: $story',
  async ({ now, date, zone }) => {
    const { vins, get } = await wholeFleet(now);
    const first = Date.parse(date) / dayMs;
    for (const one of vins) {
      const checked = async (id: OperationId, path: string) => {
        const response = await get(one, path);
        expect(violations(id, response)).toEqual([]);
        return response;
      };
      const rangeIn = (day: number, days: number) => `data?${range(day, days)}&zoneId=${zone}`;
      const driving = starts(await checked('getDrivingData', `driving/${rangeIn(first, 3)}`));
      const powertrain = await checked('getPowertrainData', `powertrains/${rangeIn(first, 3)}`);
      const days = [0, 1, 2].map((day) => get(one, `powertrains/${rangeIn(first + day, 1)}`));
      expect([starts(powertrain), (await Promise.all(days)).flatMap(starts)]).toEqual([driving, driving]);
      await checked('getLocation', 'locations');
      await checked('getCurrentStatus', 'batteries');
    }
  },
);

it('every trip is on a day of any zone, also of one that is 26 hours ahead of the home of its vehicle', async () => {
  const one = 'MYTESTCAR00000001';
  const vehicles = [{ vin: one, type: 'EV', habit: 'family', home: { latitude: 0.5, longitude: -179 } }] as const;
  const sandbox = createSandbox({ vehicles, now: new Date('2026-03-01T00:00:00Z'), frozen: true });
  const onEachDay = (count: number, zone: string) => {
    const january = Array.from({ length: count }, (_, index) => range(Date.UTC(2026, 0, 1) / dayMs + index, 1));
    const path = `/v1/vehicles/${one}/powertrains/data`;
    return Promise.all(january.map(async (day) => starts(await send(sandbox, `${path}?${day}&zoneId=${zone}`))));
  };
  const [inZone, inUtc] = [await onEachDay(32, 'Pacific/Kiritimati'), await onEachDay(31, 'UTC')];
  expect(inZone.flat()).toEqual(expect.arrayContaining(inUtc.flat()));
});

it('days without trips, before the history and after today give an empty list; before the first trip, there is no location and no status', async () => {
  const { vins, get } = await wholeFleet('2026-07-01T00:00:00Z');
  const count = async (days: string) =>
    Promise.all(vins.map(async (one) => starts(await get(one, `driving/data?${days}`)).length));
  expect(new Set(await count('startDate=20151220&endDate=20151227'))).toEqual(new Set([0]));
  expect(new Set(await count('startDate=20260702&endDate=20260709'))).toEqual(new Set([0]));
  expect(await count('startDate=20260614&endDate=20260614')).toContain(0);
  const before = await wholeFleet('2015-06-01T00:00:00Z');
  for (const what of ['locations', 'batteries']) expect(await outcome(before.get(vin, what))).toBe('4045');
});

it('a vehicle lives a year as people do: commutes, errands, weekends, long journeys, trips past midnight and days without trips', async () => {
  const zone = fleetVehicles[0]?.zone ?? 'UTC';
  // What sensors add to their values is not asked for here, and takes most of the time.
  const { get } = await wholeFleet('2027-01-10T00:00:00Z', { sensorNoise: false });
  const trips: { startMs: number; endMs: number; kilometers: number }[] = [];
  for (let week = 0; week < 52; week++) {
    const path = `driving/data?${range(Date.UTC(2025, 11, 29) / dayMs + week * 7, 7)}`;
    for (const trip of (await get(vin, path)).json.data.trips) {
      const startMs = Date.parse(trip.triggerStartTime);
      const [from = 0, to = 0] = [trip.odometer?.value?.[0], trip.odometer?.value?.at(-1)];
      trips.push({ startMs, endMs: startMs + trip.tripLength, kilometers: to - from });
    }
  }
  const days = trips.map(({ startMs }) => dayInZone(startMs, zone));
  const count = (is: (trip: (typeof trips)[number], index: number) => boolean) => trips.filter(is).length;
  const weekends = days.filter((day) => (day + 3) % 7 >= 5).length;
  const found: readonly (readonly [what: string, count: number, above: number, below: number])[] = [
    ['days with trips', new Set(days).size, 200, 350],
    ['trips at weekends', weekends, 100, 400],
    ['trips on other days', trips.length - weekends, 400, 1500],
    ['long trips', count(({ kilometers }) => kilometers > 80), 2, 100],
    ['trips around the corner', count(({ kilometers }) => kilometers < 0.9), 5, 300],
    ['trips that lead nowhere', count(({ kilometers }) => kilometers === 0), 2, 100],
    ['trips past midnight', count(({ endMs }, index) => dayInZone(endMs, zone) !== days[index]), 0, 100],
    ['trips that overlap', count(({ startMs }, index) => startMs < (trips[index - 1]?.endMs ?? 0)), -1, 1],
  ];
  expect(found.filter(([, number, above, below]) => number <= above || number >= below)).toEqual([]);
});

it('every vehicle drives in the week of the docs’ samples; harsh braking is rare, and none of its values stands out in a histogram', async () => {
  const { vins, get } = await wholeFleet('2026-06-30T00:00:00Z');
  let harsh = 0;
  for (const one of vins) {
    const shares = new Map<number, number>();
    let braking = 0;
    for (const week of ['startDate=20260302&endDate=20260308', 'startDate=20260309&endDate=20260315']) {
      const { trips } = (await get(one, `driving/data?${week}`)).json.data;
      expect(trips.length, one).toBeGreaterThan(0);
      for (const trip of trips) {
        const values: readonly number[] = trip.acceleration?.longitudinal ?? [];
        harsh += values.filter((value, index) => value < -0.4 && !((values[index - 1] ?? 0) < -0.4)).length;
        for (const value of values.filter((each) => each < -0.05)) {
          braking++;
          shares.set(value, (shares.get(value) ?? 0) + 1);
        }
      }
    }
    expect(braking, one).toBeGreaterThan(200);
    expect(Math.max(...shares.values()) / braking, one).toBeLessThan(0.05);
  }
  expect(harsh).toBeGreaterThan(3);
  expect(harsh).toBeLessThan(20 * vins.length);
});

it('every trip is a pure function of seed, VIN and day, in whatever order it is sent for', async () => {
  // One vehicle of each type.
  const vins = [...new Map(fleetVehicles.map((vehicle) => [vehicle.type, vehicle.vin])).values()];
  const days = 'startDate=20260323&endDate=20260325';
  const fingerprints = async (order: readonly string[], seed: number) => {
    const { get } = await wholeFleet('2026-07-01T00:00:00Z', { seed });
    const texts: string[] = [];
    for (const one of order) {
      for (const path of [`powertrains/data?${days}`, `driving/data?${days}`, 'locations']) {
        texts.push(JSON.stringify((await get(one, path)).json.data));
      }
    }
    return texts.sort();
  };
  const forwards = await fingerprints(vins, 1);
  expect((await fingerprints(vins.toReversed(), 1)).every((text, index) => text === forwards[index])).toBe(true);
  expect((await fingerprints(vins, 2)).some((text) => forwards.includes(text))).toBe(false);
});
