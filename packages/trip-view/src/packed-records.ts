// Records as compressed text: a month of both series is less than half of what it is as JSON that only gzip has seen.
import type { TripRecord } from './trip/trip.js';

/** How an array is written: as it is, as differences of scaled whole numbers, or as runs of equal strings. */
const kinds = { plain: 0, differences: 1, runs: 2 } as const;
/** Arrays that are shorter stay as they are. */
const leastLength = 8;
const scales = [1, 2, 4, 5, 8, 10, 100, 1000, 10_000];

/**
 * Packs records for a page, in which they are unpacked again bit by bit. Pass what it returns as `packed` of an embedded source.
 *
 * @param records JSON values: what JSON cannot hold is lost, as it is in a page that is not packed.
 * @example
 * const html = tripPageHtml({ title: 'March', source: { kind: 'embedded', packed: await packRecords(records) } });
 */
export async function packRecords(records: readonly TripRecord[]): Promise<string> {
  const text = JSON.stringify(encode(JSON.parse(JSON.stringify(records))));
  const bytes = new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );
  let binary = '';
  for (let start = 0; start < bytes.length; start += 32_768)
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  return btoa(binary);
}

/** Reads what `packRecords` wrote. Rejects what it did not. */
export async function unpackRecords(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return decode(await new Response(stream).json());
}

function encode(value: unknown): unknown {
  if (Array.isArray(value)) return differences(value) ?? runs(value) ?? [kinds.plain, ...value.map(encode)];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encode(member)]));
}

/** Samples are multiples of a small step and differ little from their neighbors. Nothing is rounded: other numbers stay. */
function differences(values: readonly unknown[]): readonly (number | string)[] | undefined {
  if (values.length < leastLength || !values.every((value) => typeof value === 'number')) return undefined;
  const fits = (scale: number) =>
    values.every((value) => {
      const whole = Math.round(value * scale);
      return Number.isSafeInteger(whole * 4) && Object.is(whole / scale, value);
    });
  const scale = scales.find(fits);
  if (scale === undefined) return undefined;
  let before = 0;
  let steps = '';
  for (const value of values) {
    const whole = Math.round(value * scale);
    steps += digitsOf(whole - before);
    before = whole;
  }
  return [kinds.differences, scale, steps];
}

/**
 * Digits of a step: printable letters that JSON does not escape, the lowest digit first. Those from `base` on say that another
 * follows. Most steps are one letter, whose bits are what deflate is good at.
 */
const base = 45;
const firstLetter = 35;
const backslash = 92;

function digitsOf(step: number): string {
  // Steps down have odd numbers.
  let left = step < 0 ? -step * 2 - 1 : step * 2;
  let text = '';
  for (let more = true; more; left = Math.floor(left / base)) {
    more = left >= base;
    const code = firstLetter + (left % base) + (more ? base : 0);
    text += String.fromCharCode(code < backslash ? code : code + 1);
  }
  return text;
}

function stepsOf(text: string): number[] {
  const steps: number[] = [];
  let [whole, unit] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const digit = (code < backslash ? code : code - 1) - firstLetter;
    whole += (digit % base) * unit;
    unit *= base;
    if (digit >= base) continue;
    steps.push(whole % 2 === 1 ? -(whole + 1) / 2 : whole / 2);
    [whole, unit] = [0, 1];
  }
  return steps;
}

function runs(values: readonly unknown[]): readonly unknown[] | undefined {
  if (values.length < leastLength || !values.every((value) => typeof value === 'string')) return undefined;
  const found: unknown[] = [kinds.runs];
  let start = 0;
  for (let index = 1; index <= values.length; index += 1) {
    if (values[index] === values[start]) continue;
    found.push(values[start], index - start);
    start = index;
  }
  return found;
}

function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]));
  const [kind, ...rest]: unknown[] = value;
  if (kind === kinds.plain) return rest.map(decode);
  if (kind === kinds.runs)
    return rest.flatMap((text, at) => (at % 2 === 0 ? Array<unknown>(Number(rest[at + 1])).fill(text) : []));
  if (kind !== kinds.differences) throw new Error('an array of no known kind');
  const [scale, steps] = rest;
  let whole = 0;
  return stepsOf(String(steps)).map((step) => {
    whole += step;
    return whole / Number(scale);
  });
}
