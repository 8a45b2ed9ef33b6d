import type { Defect, TimeBasis } from './signals.js';

const perSecond = 1000;
const perMinute = 60_000;
const perHour = 3_600_000;
/** Made once: `toLocaleString` makes one for each number. */
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

/** A length in words, for example `18 min 51 s`. */
export function durationInWords(ms: number): string {
  if (ms <= 0) return 'no stated length';
  if (ms < perMinute) return `${trimmed(ms / perSecond)} s`;
  const hours = Math.floor(ms / perHour);
  const minutes = Math.floor((ms % perHour) / perMinute);
  const seconds = Math.round((ms % perMinute) / perSecond);
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`;
  return seconds > 0 ? `${minutes} min ${seconds} s` : `${minutes} min`;
}

/** Time since the start as `m:ss` or `h:mm:ss`, with milliseconds where there are any. */
export function clockOf(ms: number): string {
  const whole = Math.floor(ms / perSecond);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const rest = Math.round(ms - whole * perSecond);
  const tail = `${String(seconds).padStart(2, '0')}${rest > 0 ? `.${String(rest).padStart(3, '0')}` : ''}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** A value as a reader expects it: digits in groups, no more decimals than it has. */
export function valueInWords(value: number): string {
  return Object.is(value, -0) ? '0' : numbers.format(value);
}

/** A distance with its unit; `undefined` where it is not known. */
export function distanceInWords(
  distance: { readonly value: number; readonly unit: string } | null,
): string | undefined {
  return distance === null ? undefined : `${trimmed(distance.value)} ${distance.unit}`;
}

/** A count with its noun: `1 sample`, `3,600 samples`. */
export function counted(count: number, noun: string): string {
  return `${valueInWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a reader sees in place of a sample that is no value. */
export const defectWords: Readonly<Record<Defect, string>> = {
  'out-of-range': 'out of range',
  sentinel: 'no value',
  missing: 'missing',
};

/** What each time basis means. */
export const timeBasisWords: Readonly<Record<TimeBasis, string>> = {
  'assumed-even':
    'Time is assumed: samples are placed evenly over the trip. The interface does not specify their times.',
  unknown: 'Time is unknown: these samples are shown by index only.',
  given: 'Time is given by the source.',
};

function trimmed(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
