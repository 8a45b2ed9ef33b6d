import { describe, expect, it } from 'vitest';
import { dayInZone } from '../src/fleet/calendar.js';
import { violations } from './contract-check.js';
import { wholeFleet } from './every-vehicle.js';

const dayMs = 86_400_000;
const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / dayMs;

describe('the days of a request', () => {
  it.each([
    [
      'the day of summer time has 23 hours',
      'Europe/Berlin',
      [2026, 3, 29],
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ],
    [
      'the day of winter time has 25 hours',
      'Europe/Berlin',
      [2026, 10, 25],
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
    ],
    [
      'a day that starts at one o’clock',
      'America/Santiago',
      [2026, 9, 6],
      '2026-09-06T04:00:00Z',
      '2026-09-07T03:00:00Z',
    ],
    ['a leap day', 'America/New_York', [2028, 2, 29], '2028-02-29T05:00:00Z', '2028-03-01T05:00:00Z'],
    [
      'a year’s end far in the east',
      'Pacific/Kiritimati',
      [2026, 12, 31],
      '2026-12-30T10:00:00Z',
      '2026-12-31T10:00:00Z',
    ],
    ['a zone that runtimes do not know', 'Factory', [2026, 1, 1], '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['a day in UTC', 'UTC', [2026, 1, 1], '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ] as const)('%s', (_, zone, [year, month, date], first, after) => {
    const day = dayOf(year, month, date);
    const [start, end] = [Date.parse(first), Date.parse(after)];
    const days = [start - 1, start, end - 1, end].map((ms) => dayInZone(ms, zone));
    expect(days).toEqual([day - 1, day, day, day + 1]);
  });
});

interface Started {
  readonly triggerStartTime: string;
}
const starts = (trips: readonly Started[]) => trips.map(({ triggerStartTime }) => triggerStartTime);
const basic = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '');

describe('ranges of days', () => {
  it.each([
    ['clocks go forward', '2026-04-20T00:00:00Z', [2026, 3, 27]],
    ['clocks go back', '2026-11-20T00:00:00Z', [2026, 10, 23]],
    ['a leap day', '2028-03-20T00:00:00Z', [2028, 2, 27]],
    ['the end of a year', '2027-01-20T00:00:00Z', [2026, 12, 29]],
  ] as const)('every vehicle and operation responds as the contract says: %s', async (_, now, [year, month, date]) => {
    const { vins, get } = await wholeFleet(now);
    const first = dayOf(year, month, date);
    for (const vin of vins) {
      for (const zoneId of ['Europe/Berlin', 'America/Los_Angeles']) {
        const range = `startDate=${basic(first)}&endDate=${basic(first + 4)}&zoneId=${zoneId}`;
        const driving = await get(vin, `driving/data?${range}`);
        const powertrain = await get(vin, `powertrains/data?${range}`);
        expect(violations('getDrivingData', driving.status, driving.json)).toEqual([]);
        expect(violations('getPowertrainData', powertrain.status, powertrain.json)).toEqual([]);
        expect(starts(powertrain.json.data.trips)).toEqual(starts(driving.json.data.trips));
        if (zoneId !== 'Europe/Berlin') continue;
        const dayByDay: string[] = [];
        for (let day = first; day <= first + 4; day++) {
          const one = await get(vin, `powertrains/data?startDate=${basic(day)}&endDate=${basic(day)}&zoneId=${zoneId}`);
          dayByDay.push(...starts(one.json.data.trips));
        }
        expect(dayByDay).toEqual(starts(driving.json.data.trips));
      }
      const location = await get(vin, 'locations');
      const status = await get(vin, 'batteries');
      expect(violations('getLocation', location.status, location.json)).toEqual([]);
      expect(violations('getCurrentStatus', status.status, status.json)).toEqual([]);
    }
  });

  it('a trip late in the evening belongs to another day in another zone, and to one day only', async () => {
    const { get } = await wholeFleet('2026-07-01T00:00:00Z');
    const day = dayOf(2026, 6, 3);
    const ask = async (zoneId: string, from: number, to: number) => {
      const { json } = await get(
        'SANDB0XC000000001',
        `powertrains/data?startDate=${basic(from)}&endDate=${basic(to)}&zoneId=${zoneId}`,
      );
      return starts(json.data.trips);
    };
    const sydney = await ask('Australia/Sydney', day, day);
    const utc = await ask('UTC', day, day);
    expect(sydney.length).toBeGreaterThan(0);
    expect(sydney).not.toEqual(utc);
    expect(await ask('UTC', day - 1, day)).toEqual(expect.arrayContaining(sydney));
  });

  it('days without trips give an empty list, and so do days before the history and after today', async () => {
    const { vins, get } = await wholeFleet('2026-07-01T00:00:00Z');
    const empty = async (range: string) =>
      Promise.all(vins.map(async (vin) => (await get(vin, `driving/data?${range}`)).json.data.trips.length));
    expect(new Set(await empty('startDate=20151220&endDate=20151227'))).toEqual(new Set([0]));
    expect(new Set(await empty('startDate=20260702&endDate=20260709'))).toEqual(new Set([0]));
    expect(await empty('startDate=20260614&endDate=20260614')).toContain(0);
  });
});
