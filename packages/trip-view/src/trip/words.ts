import type { Defect } from './signals.js';

/** Made once: `toLocaleString` makes one for each number. */
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, signDisplay: 'negative' });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A length in words, for example `18 min 51 s`. */
export function durationInWords(ms: number): string {
  if (ms <= 0) return 'no stated length';
  // With one decimal, more is a minute.
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`;
  const whole = Math.round(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${twoDigits(minutes)} min`;
  return seconds > 0 ? `${minutes} min ${seconds} s` : `${minutes} min`;
}

/** Time since the start as `m:ss` or `h:mm:ss`, with milliseconds where there are any. */
export function clockOf(ms: number): string {
  const whole = Math.floor(Math.round(ms) / 1000);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = Math.round(ms - whole * 1000);
  const tail = `${twoDigits(whole % 60)}${rest > 0 ? `.${String(rest).padStart(3, '0')}` : ''}`;
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** A value as a reader expects it: digits in groups, no more decimals than it has. */
export function valueInWords(value: number): string {
  return numbers.format(value);
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

/** A place on an axis: time since the start, the number of a sample, or the distance from the start. */
export const placeWords = {
  time: clockOf,
  index: valueInWords,
  distance: (meters: number) => `${valueInWords(meters / 1000)} km`,
} as const;

/** Whether and how samples are placed in time. */
export const basisWords = {
  time: 'Time is assumed: samples are placed evenly over the trip. The API does not specify their times.',
  index: 'Time is unknown: these samples are shown by index only.',
  distance:
    'Every 10 m show the last sample up to there. A stop is one place. Distance follows from the derived speed.',
} as const;

/** What a reader sees in place of a sample that is no value. */
export const defectWords: Readonly<Record<Defect, string>> = {
  'out-of-range': 'out of range',
  sentinel: 'no value',
  missing: 'missing',
};

/** Text that is only text in HTML and XML, without the characters that XML cannot hold. */
export function escapeMarkup(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  return text.replaceAll(/[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (found) => names[found] ?? '');
}

function trimmed(value: number): string {
  return tenths.format(value);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
