import type { DateRangeSpec } from '@vehicle-data/openapi';

/** How long a range of days may be. The number of days is the contract's. */
export const dateRangeRules = ({ start, end, maxDays }: DateRangeSpec) =>
  `- \`${end}\` is at most ${maxDays} days after \`${start}\`, and not before it. Only calendar days count; clock changes do not matter.
- Both days belong to the range, so a request covers **up to ${maxDays + 1} calendar days**.`;

const march = (day: number) =>
  new Date(Date.UTC(2026, 2, day)).toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** The picture of a range, with the days of the longest one that starts on March 2. */
export const dateRangePicture = (picture: string, { maxDays }: DateRangeSpec) =>
  picture
    .replace('March LAST', march(maxDays + 2))
    .replace('March AFTER', march(maxDays + 3))
    .replace('DAYS', `${maxDays + 1}`);
