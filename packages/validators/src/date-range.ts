import { dayNumber } from './formats/calendar-date.js';

/** Says what is wrong with the range from one valid day to another, or undefined where nothing is. */
export function dateRangeProblem(start: string, end: string, startName: string, maxDays: number): string | undefined {
  const days = dayNumber(end) - dayNumber(start);
  if (days < 0) return `is ${inDays(-days)} before ${startName}; it must not be before it`;
  if (days > maxDays) return `is ${inDays(days)} after ${startName}; at most ${maxDays} are allowed`;
  return undefined;
}

function inDays(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
