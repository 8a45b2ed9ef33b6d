// Records as bytes: a fifth of what they are as JSON, which a page reads several times as fast, and a twenty-fifth once they are compressed.
//
// First JSON of the records, in which each array is tagged with how it is written. Then a byte 0, which JSON never has. Then the steps
// of all arrays of numbers. Steps of one signal stand together whatever record they are of, since deflate learns how often each byte
// is met.
import type { TripRecord } from './trip/trip.js';

/** The first member of what stands for an array, and for the number that JSON does not keep. */
const kinds = { plain: 0, steps: 1, runs: 2, negativeZero: 3 } as const;

interface Header {
  readonly records: unknown;
  /** Where the steps begin, by the path of their arrays. */
  readonly starts: Readonly<Record<string, number>>;
}

/** Arrays that are shorter stay as they are. */
const leastLength = 8;
/** Signals are multiples of one of these parts. */
const scales = [1, 2, 4, 5, 8, 10, 100, 1000, 10_000];

/**
 * Writes records for a page, in which they are read again bit by bit. Nothing is rounded.
 *
 * @param records JSON values: what JSON cannot hold is lost
 */
export function packRecords(records: readonly TripRecord[]): Uint8Array<ArrayBuffer> {
  const steps = new Map<string, number[]>();
  const encoded = encode(records, '', (path) => {
    const known = steps.get(path) ?? [];
    steps.set(path, known);
    return known;
  });
  const starts: Record<string, number> = {};
  let length = 0;
  for (const [path, bytes] of steps) {
    starts[path] = length;
    length += bytes.length;
  }
  const header: Header = { records: encoded, starts };
  const json = new TextEncoder().encode(`${JSON.stringify(header)}\0`);
  const packed = new Uint8Array(json.length + length);
  packed.set(json);
  for (const [path, bytes] of steps) packed.set(bytes, json.length + (starts[path] ?? 0));
  return packed;
}

/** Reads what `packRecords` wrote. Throws where it did not. */
export function unpackRecords(packed: Uint8Array): unknown {
  const end = packed.indexOf(0);
  const { records, starts }: Header = JSON.parse(new TextDecoder().decode(packed.subarray(0, end)));
  const bytes = packed.subarray(end + 1);
  const places = new Map(Object.entries(starts));
  return decode(records, '', (path, scale, length) => {
    const [values, next] = readSteps(bytes, places.get(path) ?? bytes.length, scale, length);
    places.set(path, next);
    return values;
  });
}

/** @param stepsOf the bytes of the steps of a path, to which those of each array are added in the order in which `decode` takes them */
function encode(value: unknown, path: string, stepsOf: (path: string) => number[]): unknown {
  if (Object.is(value, -0)) return [kinds.negativeZero];
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, encode(member, `${path}.${name}`, stepsOf)]),
    );
  return (
    encodeSteps(value, path, stepsOf) ??
    runsOf(value) ?? [kinds.plain, ...value.map((member) => encode(member, path, stepsOf))]
  );
}

/** @param take reads the next array of numbers of a path */
function decode(
  value: unknown,
  path: string,
  take: (path: string, scale: number, length: number) => unknown[],
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, decode(member, `${path}.${name}`, take)]),
    );
  const [kind, ...rest]: unknown[] = value;
  if (kind === kinds.plain) return rest.map((member) => decode(member, path, take));
  if (kind === kinds.negativeZero) return -0;
  if (kind === kinds.runs) return readRuns(rest);
  if (kind !== kinds.steps) throw new Error('an array of no known kind');
  const [scale, length, ...others] = rest;
  const values = take(path, Number(scale), Number(length));
  for (let at = 0; at < others.length; at += 2) values[Number(others[at])] = decode(others[at + 1], path, take);
  return values;
}

/**
 * Samples are multiples of a small part and differ little from their neighbors: how far each is from the one before. Samples that are
 * no such number, as `null`, stand with their index behind; in their place the number before is repeated.
 */
function encodeSteps(
  values: readonly unknown[],
  path: string,
  stepsOf: (path: string) => number[],
): readonly unknown[] | undefined {
  if (values.length < leastLength) return undefined;
  const isNumber = (value: unknown): value is number => Number.isFinite(value) && !Object.is(value, -0);
  const numbers = values.filter(isNumber);
  if (numbers.length < values.length / 2) return undefined;
  const scale = scales.find((parts) => numbers.every((value) => isMultiple(value, parts)));
  if (scale === undefined) return undefined;
  const steps = stepsOf(path);
  const others: unknown[] = [];
  let before = 0;
  for (const [index, value] of values.entries()) {
    const whole = isNumber(value) ? Math.round(value * scale) : before;
    if (!isNumber(value)) others.push(index, encode(value, path, stepsOf));
    writeStep(steps, whole - before);
    before = whole;
  }
  return [kinds.steps, scale, values.length, ...others];
}

function isMultiple(value: number, parts: number): boolean {
  const whole = Math.round(value * parts);
  // Differences are exact, and so is twice of one.
  return Number.isSafeInteger(whole * 4) && Object.is(whole / parts, value);
}

/** Equal texts, and places without one: each with how many of it stand together. */
function runsOf(values: readonly unknown[]): readonly unknown[] | undefined {
  if (values.length < leastLength || !values.every((value) => value === null || typeof value === 'string'))
    return undefined;
  const found: unknown[] = [kinds.runs];
  let start = 0;
  for (let index = 1; index <= values.length; index += 1) {
    if (index < values.length && values[index] === values[start]) continue;
    found.push(values[start], index - start);
    start = index;
  }
  return found;
}

/** A byte below this ends a step. Others have six bits of it, the lowest ones first. Most steps are one byte. */
const more = 192;
const base = 64;

function writeStep(bytes: number[], step: number): void {
  // Steps down have odd numbers.
  let left = step < 0 ? -step * 2 - 1 : step * 2;
  for (; left >= more; left = Math.floor(left / base)) bytes.push(more + (left % base));
  bytes.push(left);
}

/** The numbers whose steps begin at a place, and the place after them. A page reads millions, of which most are one byte. */
function readSteps(
  bytes: Uint8Array,
  place: number,
  scale: number,
  length: number,
): readonly [values: unknown[], next: number] {
  if (!(length <= bytes.length - place)) throw new Error('an array without its steps');
  const values = new Array<unknown>(length);
  let at = place;
  let whole = 0;
  for (let index = 0; index < length; index += 1) {
    let byte = bytes[at] ?? 0;
    let step = byte;
    at += 1;
    if (byte >= more) {
      step = 0;
      for (let unit = 1; ; unit *= base) {
        step += (byte < more ? byte : byte - more) * unit;
        if (byte < more) break;
        byte = bytes[at] ?? 0;
        at += 1;
      }
    }
    whole += step % 2 === 1 ? -(step + 1) / 2 : step / 2;
    values[index] = whole / scale;
  }
  if (at > bytes.length) throw new Error('an array without its steps');
  return [values, at];
}

/** The values of which `runsOf` wrote how many of each stand together. */
function readRuns(runs: readonly unknown[]): unknown[] {
  let length = 0;
  for (let at = 1; at < runs.length; at += 2) length += Number(runs[at]);
  const values = new Array<unknown>(length);
  let from = 0;
  for (let at = 1; at < runs.length; at += 2) {
    const end = from + Number(runs[at]);
    values.fill(runs[at - 1], from, end);
    from = end;
  }
  return values;
}
