// Records as compressed text: a month of both series is less than half of what it is as JSON that only gzip has seen.
import type { TripRecord } from './trip/trip.js';

/** How an array is written: as it is, as differences of scaled whole numbers, or as runs of equal strings. */
const kinds = { plain: 0, differences: 1, runs: 2 } as const;

/**
 * What stands in the page. Steps of one signal stand together whatever record they are of, since deflate learns how often each letter
 * is met: a tenth less than record by record.
 */
interface Packed {
  readonly records: unknown;
  /** Steps by the path of their array. */
  readonly steps: Readonly<Record<string, readonly string[]>>;
}
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
  const steps = new Map<string, string[]>();
  const encoded = encode(JSON.parse(JSON.stringify(records)), '', (path, text) => {
    const before = steps.get(path);
    if (before) before.push(text);
    else steps.set(path, [text]);
  });
  const packed: Packed = { records: encoded, steps: Object.fromEntries(steps) };
  const text = JSON.stringify(packed);
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
  const { records, steps }: Packed = await new Response(stream).json();
  const taken = new Map<string, number>();
  return decode(records, '', (path) => {
    const count = taken.get(path) ?? 0;
    taken.set(path, count + 1);
    const text = steps[path]?.[count];
    if (text === undefined) throw new Error('an array without its steps');
    return text;
  });
}

/** `keep` takes the steps of an array, in the order in which `decode` takes them back. */
function encode(value: unknown, path: string, keep: (path: string, steps: string) => void): unknown {
  if (Array.isArray(value)) {
    const found = differences(value);
    if (found === undefined) return runs(value) ?? [kinds.plain, ...value.map((member) => encode(member, path, keep))];
    keep(path, found.steps);
    return [kinds.differences, found.scale];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, encode(member, `${path}.${name}`, keep)]),
  );
}

/** Samples are multiples of a small step and differ little from their neighbors. Nothing is rounded: other numbers stay. */
function differences(values: readonly unknown[]): { readonly scale: number; readonly steps: string } | undefined {
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
  return { scale, steps };
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

function decode(value: unknown, path: string, take: (path: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, decode(member, `${path}.${name}`, take)]),
    );
  const [kind, ...rest]: unknown[] = value;
  if (kind === kinds.plain) return rest.map((member) => decode(member, path, take));
  if (kind === kinds.runs)
    return rest.flatMap((text, at) => (at % 2 === 0 ? Array<unknown>(Number(rest[at + 1])).fill(text) : []));
  if (kind !== kinds.differences) throw new Error('an array of no known kind');
  const [scale] = rest;
  let whole = 0;
  return stepsOf(take(path)).map((step) => {
    whole += step;
    return whole / Number(scale);
  });
}
