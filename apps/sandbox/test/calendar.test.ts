import type { OperationId } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { basicDate, dayInZone } from '../src/fleet/calendar.js';
import { type TestResponse, violations, wholeFleet } from './calls.js';

const dayMs = 86_400_000;

it.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '23 hours, as summer time begins'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '25 hours, as winter time begins'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z', 'starts at one o’clock'],
  ['America/New_York', '2028-02-29', '2028-02-29T05:00:00Z', '2028-03-01T05:00:00Z', 'a leap day'],
  ['Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00:00Z', '2026-12-31T10:00:00Z', 'far in the east'],
  ['Factory', '2026-01-01', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'a zone that runtimes do not know'],
])('in %s, the day %s is from %s to %s (%s)', (zone, date, first, after) => {
  const day = Date.parse(date) / dayMs;
  const [start, end] = [Date.parse(first), Date.parse(after)];
  const days = [start - 1, start, end - 1, end].map((ms) => dayInZone(ms, zone));
  expect(days).toEqual([day - 1, day, day, day + 1]);
});

const starts = ({ json }: TestResponse) => json.data.trips.map(({ triggerStartTime }) => triggerStartTime);
const range = (days: readonly number[], zoneId: string) => {
  const [start, end] = [days[0] ?? 0, days.at(-1) ?? 0].map((day) => basicDate(day * dayMs));
  return `startDate=${start}&endDate=${end}&zoneId=${zoneId}`;
};

it.each([
  ['clocks go forward', '2026-04-20T00:00:00Z', '2026-03-27'],
  ['clocks go back', '2026-11-20T00:00:00Z', '2026-10-23'],
  ['a leap day', '2028-03-20T00:00:00Z', '2028-02-27'],
  ['the end of a year', '2027-01-20T00:00:00Z', '2026-12-29'],
])('every vehicle and operation responds as the contract says, each trip on one day: %s', async (_, now, date) => {
  const { vins, get } = await wholeFleet(now);
  const days = Array.from({ length: 5 }, (_, index) => Date.parse(date) / dayMs + index);
  for (const vin of vins) {
    const checked = async (id: OperationId, path: string) => {
      const response = await get(vin, path);
      expect(violations(id, response)).toEqual([]);
      return response;
    };
    for (const zoneId of ['Europe/Berlin', 'America/Los_Angeles']) {
      const driving = await checked('getDrivingData', `driving/data?${range(days, zoneId)}`);
      const powertrain = await checked('getPowertrainData', `powertrains/data?${range(days, zoneId)}`);
      expect(starts(powertrain)).toEqual(starts(driving));
      const dayByDay = days.map((day) => get(vin, `powertrains/data?${range([day], zoneId)}`));
      expect((await Promise.all(dayByDay)).flatMap(starts)).toEqual(starts(driving));
    }
    await checked('getLocation', 'locations');
    await checked('getCurrentStatus', 'batteries');
  }
});

it('days without trips give an empty list, and so do days before the history and after today', async () => {
  const { vins, get } = await wholeFleet('2026-07-01T00:00:00Z');
  const empty = async (days: string) =>
    Promise.all(vins.map(async (vin) => starts(await get(vin, `driving/data?${days}`)).length));
  expect(new Set(await empty('startDate=20151220&endDate=20151227'))).toEqual(new Set([0]));
  expect(new Set(await empty('startDate=20260702&endDate=20260709'))).toEqual(new Set([0]));
  expect(await empty('startDate=20260614&endDate=20260614')).toContain(0);
});
