import type { DateRangeSpec } from '../../../src/contract.ts';
import { type Figure, line, rectangle, text } from './svg.ts';

/** Which days and trips the widest range covers. The number of days is the contract's. */
export function dateWindow({ start, end, maxDays }: DateRangeSpec): Figure {
  const left = 30;
  const width = 82;
  const days = maxDays + 3;
  const first = 1;
  const x = (day: number) => left + (day - first) * width;
  const inside = (day: number) => day > first && day <= first + maxDays + 1;
  const trips: readonly (readonly [number, number, boolean])[] = [
    [1.6, 1.85, false],
    [1.93, 2.15, false],
    [2.3, 2.5, true],
    [4.2, 4.75, true],
    [6.35, 6.5, true],
    [first + maxDays + 1.4, first + maxDays + 1.6, true],
    [first + maxDays + 1.9, first + maxDays + 2.12, true],
    [first + maxDays + 2.4, first + maxDays + 2.6, false],
  ];
  const last = first + maxDays + 1;
  return {
    width: left * 2 + days * width,
    height: 214,
    alternative: `A row of ${days} calendar days. ${start} is day ${first + 1} and ${end} is day ${last}, ${maxDays} days later; both and all days between, ${maxDays + 1} in all, belong to the range. Trips that start on one of these days are in the answer, also one that starts late on ${end} and ends on the day after. A trip that starts on the evening before ${start} and ends on it is not.`,
    caption: `The widest range: ${end} is ${maxDays} days after ${start}, which makes ${maxDays + 1} calendar days in the given zone. What counts is the day on which a trip starts.`,
    shapes: [
      ...Array.from({ length: days }, (_, index) => {
        const day = first + index;
        return [
          rectangle({ x: x(day) + 2, y: 40 }, width - 4, 92, inside(day) ? 'box-strong' : 'box'),
          text({ x: x(day) + width / 2, y: 62 }, `day ${day}`, {
            anchor: 'middle',
            style: inside(day) ? 'text' : 'small',
            bold: inside(day),
          }),
        ].join('');
      }),
      text({ x: x(first + 1) + width / 2, y: 26 }, start, { anchor: 'middle', style: 'code', size: 13 }),
      text({ x: x(last) + width / 2, y: 26 }, end, { anchor: 'middle', style: 'code', size: 13 }),
      ...trips.map(([from, to, covered]) =>
        rectangle({ x: x(from), y: 88 }, (to - from) * width, 22, covered ? 'fill-3' : 'refuse', 5),
      ),
      line({ x: x(first + 1) + width / 2, y: 152 }, { x: x(last) + width / 2, y: 152 }, 'arrow'),
      text({ x: (x(first + 1) + x(last) + width) / 2, y: 172 }, `at most ${maxDays} days apart`, {
        anchor: 'middle',
        size: 12,
        style: 'small',
      }),
      rectangle({ x: left + 4, y: 188 }, 22, 14, 'fill-3', 4),
      text({ x: left + 34, y: 200 }, 'trip in the answer', { size: 12, style: 'small' }),
      rectangle({ x: left + 174, y: 188 }, 22, 14, 'refuse', 4),
      text({ x: left + 204, y: 200 }, 'trip not in the answer', { size: 12, style: 'small' }),
    ],
  };
}
