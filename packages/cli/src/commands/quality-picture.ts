// The quality of an archive as a picture: a strip of days for each month, darker with more trips, framed where something is odd.
import type { MonthQuality } from '@vehicle-data/archive';
import { datesBetween } from '#kit/calendar.js';
import { printable } from '../output/printable.js';

/** What is drawn of a vehicle. */
interface DrawnVehicle {
  readonly name: string;
  readonly months: readonly MonthQuality[];
}

const cell = 18;
const gap = 3;
const left = 84;
const right = 300;
const rowHeight = cell + gap;
const width = left + 31 * rowHeight + right;
const style =
  'text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:#171a24}.name{font-size:15px;font-weight:650}.muted{fill:#555b6e}' +
  '.ground{fill:#fff}.d0{fill:#e9ecf3}.d1{fill:#c3cdf5}.d2{fill:#7f93e6}.d3{fill:#3a56d4}.odd{fill:none;stroke:#b3185e;stroke-width:2}' +
  '@media (prefers-color-scheme:dark){text{fill:#f3f5fb}.muted{fill:#a9b0c4}.ground{fill:#12141c}.d0{fill:#23283a}.d1{fill:#39468a}' +
  '.d2{fill:#6f83d8}.d3{fill:#a5b4ff}.odd{stroke:#ff8fae}}';

/** Trips of a day as one of four shades: none, one or two, up to five, more. */
export const shadeOf = (trips: number): number => [0, 2, 5].filter((most) => trips > most).length;

const escaped = (text: string) =>
  printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Days of a month with a finding, and what it is about. */
function oddDays(month: MonthQuality, zoneId: string): ReadonlyMap<number, readonly string[]> {
  const days = new Intl.DateTimeFormat('en-CA', {
    timeZone: zoneId,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const found = new Map<number, Set<string>>();
  const add = (day: string, what: string) => {
    if (!day.startsWith(month.month)) return;
    const number = Number(day.slice(8));
    found.set(number, (found.get(number) ?? new Set()).add(what));
  };
  const findings: readonly (readonly [what: string, starts: readonly (string | null)[]])[] = [
    ['missing kilometers', month.gaps.map(({ before }) => before)],
    ['late', month.late.map(({ start }) => start)],
    ['changed', month.changed],
    ['overlapping', month.overlapping],
    ['in one series alone', month.oneSided.map(({ start }) => start)],
    ['without times', month.untimed],
  ];
  for (const [what, starts] of findings)
    for (const start of starts) if (start !== null) add(days.format(Date.parse(start)), what);
  for (const { from, to } of month.windowsMissing) for (const day of datesBetween(from, to)) add(day, 'window missing');
  return new Map([...found].map(([day, whats]) => [day, [...whats]]));
}

/** A report as SVG, in the colors of the reader's system. @param zoneId zone in which days count */
export function qualitySvg(vehicles: readonly DrawnVehicle[], zoneId: string): string {
  let y = 8;
  const parts: string[] = [];
  const label = (x: number, at: number, kind: string, text: string) =>
    parts.push(`<text class="${kind}" x="${x}" y="${at}">${escaped(text)}</text>`);
  for (const { name, months } of vehicles) {
    label(12, y + 16, 'name', name);
    y += 28;
    for (const month of months) {
      const odd = oddDays(month, zoneId);
      label(12, y + 13, 'muted', month.month);
      for (const [index, trips] of month.tripsByDay.entries()) {
        const x = left + index * rowHeight;
        const whats = odd.get(index + 1) ?? [];
        const title = `${month.month}-${String(index + 1).padStart(2, '0')}: ${[`${trips} trips`, ...whats].join(', ')}`;
        const box = `x="${x}" y="${y}" width="${cell}" height="${cell}" rx="3"`;
        parts.push(`<rect class="d${shadeOf(trips)}" ${box}><title>${escaped(title)}</title></rect>`);
        if (whats.length > 0) parts.push(`<rect class="odd" ${box}/>`);
      }
      const missing = month.missingKm > 0 ? `, ${month.missingKm.toFixed(1)} km missing` : '';
      label(
        left + 31 * rowHeight + 8,
        y + 13,
        'muted',
        `${month.trips} trips, ${month.drivenKm.toFixed(1)} km${missing}`,
      );
      y += rowHeight;
    }
    y += 12;
  }
  label(
    12,
    y + 12,
    'muted',
    `One square a day (${zoneId}), darker with more trips. A frame: something is missing, late, changed or odd.`,
  );
  const height = y + 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="What of the data is missing, by day"><style>${style}</style><rect class="ground" width="100%" height="100%"/>${parts.join('')}</svg>\n`;
}
