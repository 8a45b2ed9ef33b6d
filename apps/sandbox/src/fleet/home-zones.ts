import { type Day, dayOf, weekdayOf, yearOf } from './calendar.js';

/**
 * The time zones in which the fleet lives, with their rules of daylight saving since 2016. They are written down here, and not
 * read from the runtime, because the time zone data of two machines may differ while a trip may not.
 */
const homeZones = {
  'Europe/Berlin': { standardMinutes: 60, saving: 'europe' },
  'Europe/London': { standardMinutes: 0, saving: 'europe' },
  'America/New_York': { standardMinutes: -300, saving: 'north-america' },
  'America/Los_Angeles': { standardMinutes: -480, saving: 'north-america' },
  'Asia/Seoul': { standardMinutes: 540, saving: 'none' },
  'Asia/Kolkata': { standardMinutes: 330, saving: 'none' },
  'Australia/Sydney': { standardMinutes: 600, saving: 'australia' },
} as const satisfies Readonly<Record<string, { standardMinutes: number; saving: keyof typeof savingRules }>>;

/** Name of a zone in which a vehicle of the fleet is at home. */
export type HomeZone = keyof typeof homeZones;

const savingRules = {
  none: () => false,
  europe: (day: Day, year: number) => day >= lastSunday(year, 3) && day < lastSunday(year, 10),
  'north-america': (day: Day, year: number) => day >= firstSunday(year, 3) + 7 && day < firstSunday(year, 11),
  australia: (day: Day, year: number) => day >= firstSunday(year, 10) || day < firstSunday(year, 4),
} as const;

function firstSunday(year: number, month: number): Day {
  const first = dayOf(year, month, 1);
  return first + 6 - weekdayOf(first);
}

function lastSunday(year: number, month: number): Day {
  const last = dayOf(year, month + 1, 1) - 1;
  return last - ((weekdayOf(last) + 1) % 7);
}

/** Offset from UTC in minutes that holds at noon of a day in a home zone. */
export function offsetMinutesAtNoon(zone: HomeZone, day: Day): number {
  const { standardMinutes, saving } = homeZones[zone];
  return standardMinutes + (savingRules[saving](day, yearOf(day)) ? 60 : 0);
}
