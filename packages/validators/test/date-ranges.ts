// Date ranges at the limit of the contract, so that no test repeats it.
import { operations } from '@vehicle-data/openapi';

export const { maxDays } = operations.getDrivingData.dateRange;

/** The day so many days after 2 March 2026. */
export function dayAfter(days: number): string {
  return new Date(Date.UTC(2026, 2, 2 + days)).toISOString().slice(0, 10).replaceAll('-', '');
}

export const longestQuery = `startDate=${dayAfter(0)}&endDate=${dayAfter(maxDays)}`;
export const tooLongQuery = `startDate=${dayAfter(0)}&endDate=${dayAfter(maxDays + 1)}`;

/** What an issue says about a range of so many days. */
export function tooLong(days = maxDays + 1): string {
  return `endDate is ${days} days after startDate; at most ${maxDays} are allowed`;
}
