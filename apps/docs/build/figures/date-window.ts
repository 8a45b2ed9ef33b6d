import type { DateRangeSpec } from '@vehicle-data/openapi';
import { type Figure, line, rectangle, text } from './svg.ts';

/** Which days and trips the longest range covers. The number of days is the contract's. */
export function dateWindow({ start, end, maxDays }: DateRangeSpec): Figure {
  const [left, width, days] = [30, 82, maxDays + 3];
  const last = maxDays + 1;
  const x = (day: number) => left + day * width;
  // The first of March 2026 is a Sunday; the range starts on the day after.
  const nameOf = (day: number) =>
    new Date(Date.UTC(2026, 2, 1 + day)).toLocaleDateString('en-US', {
      weekday: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
  // Start and end of each trip, in days.
  const trips: readonly (readonly [number, number])[] = [
    [0.6, 0.85],
    [0.93, 1.15],
    [1.3, 1.5],
    [3.2, 3.75],
    [5.35, 5.5],
    [last + 0.4, last + 0.6],
    [last + 0.9, last + 1.12],
    [last + 1.4, last + 1.6],
  ];
  const isInside = (time: number) => time >= 1 && time < last + 1;
  const middle = { anchor: 'middle' } as const;
  const small = { size: 12, style: 'small' } as const;
  const [from, to] = [x(1) + width / 2, x(last) + width / 2];
  return {
    width: left * 2 + days * width,
    height: 214,
    alternative: `A row of ${days} calendar days in March 2026. ${start} is ${nameOf(1)} and ${end} is ${nameOf(last)}, ${maxDays} days later; both and all days between, ${maxDays + 1} in all, belong to the range. The response has the trips that start on one of these days, also one that starts late on ${end} and ends on the day after. It does not have a trip that starts on the evening before ${start} and ends on it.`,
    caption: `The longest range: ${end} is ${maxDays} days after ${start}, so it covers ${maxDays + 1} calendar days of the time zone. The day on which a trip starts counts.`,
    shapes: [
      ...Array.from({ length: days }, (_, day) => {
        const label = { ...middle, bold: isInside(day), ...(isInside(day) ? {} : { style: 'small' as const }) };
        return (
          rectangle(x(day) + 2, 40, width - 4, 92, isInside(day) ? 'box-strong' : 'box') +
          text(x(day) + width / 2, 62, nameOf(day), label)
        );
      }),
      text(from, 26, start, { ...middle, style: 'code' }),
      text(to, 26, end, { ...middle, style: 'code' }),
      ...trips.map(([begin, finish]) =>
        rectangle(x(begin), 88, (finish - begin) * width, 22, isInside(begin) ? 'fill-3' : 'refuse', 5),
      ),
      line(
        [
          [from, 152],
          [to, 152],
        ],
        'arrow',
      ),
      text((from + to) / 2, 172, `at most ${maxDays} days apart`, { ...middle, ...small }),
      rectangle(left + 4, 188, 22, 14, 'fill-3', 4),
      text(left + 34, 200, 'trip in the response', small),
      rectangle(left + 184, 188, 22, 14, 'refuse', 4),
      text(left + 214, 200, 'trip not in the response', small),
    ],
  };
}
