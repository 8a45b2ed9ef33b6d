import { addDays, dateIn, datesBetween, timeIn } from '#kit/calendar.js';
import { groupBy } from './read.js';

export interface CalendarDay {
  /** The day in the zone, as `yyyy-mm-dd`. */
  readonly day: string;
  readonly trips: number;
  readonly durationMs: number;
  readonly provisional: boolean;
}

/** What a calendar needs of a trip. */
export interface Dated {
  /** Start in milliseconds since 1970 UTC. */
  readonly startTime: number;
  /** Length in milliseconds; 0 where the trip states none. */
  readonly durationMs: number;
  readonly provisional: boolean;
}

/** Later times have no day here: in some zone, their year has more than four digits. */
export const lastTime = Date.parse('9999-12-30');

export function isZone(zone: string): boolean {
  try {
    return timeIn(zone, 0) !== '';
  } catch {
    return false;
  }
}

/** The calendar day of a moment in a zone, as `yyyy-mm-dd`. */
export function dayOf(time: number, zone: string): string {
  return dateIn(zone, time);
}

/** The time of day of a moment in a zone, as `hh:mm`. */
export function timeOfDay(time: number, zone: string): string {
  return timeIn(zone, time).slice(11);
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();

/** What a zone is called at a moment, as `UTC` or `GMT+2`. */
export function zoneAt(time: number, zone: string): string {
  const format = zoneFormats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' });
  zoneFormats.set(zone, format);
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** The earlier of two days, both as `yyyy-mm-dd`. */
export const earlierOf = (day: string, other: string) => (day < other ? day : other);

/** The later of two days, both as `yyyy-mm-dd`. */
export const laterOf = (day: string, other: string) => (day > other ? day : other);

/** Days that a calendar has at most: ten years of them. */
export const mostDays = 3660;

/** Days from one to another, both included; at most ten years of them. */
export function daysBetween(first: string, last: string): readonly string[] {
  return datesBetween(first, earlierOf(last, addDays(first, mostDays - 1)));
}

/** Trips by the day, in the zone, on which they start. */
export function tripsByDay<Item extends Dated>(trips: readonly Item[], zone: string): Map<string, Item[]> {
  return groupBy(trips, ({ startTime }) => dayOf(startTime, zone));
}

/** Every day from one to another, at most ten years of them, with its trips counted. */
export function calendar(byDay: ReadonlyMap<string, readonly Dated[]>, from: string, to: string): CalendarDay[] {
  return daysBetween(from, to).map((day) => {
    const found = byDay.get(day) ?? [];
    return {
      day,
      trips: found.length,
      durationMs: found.reduce((sum, trip) => sum + trip.durationMs, 0),
      provisional: found.some((trip) => trip.provisional),
    };
  });
}
