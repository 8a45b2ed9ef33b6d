import { type Scan, scanNumbers } from './number-scan.js';
import { anyNumber, type NumberRange } from './number-shape.js';

const words = /*#__PURE__*/ ['true', 'false', 'null'].map(bytesOf);

/** What items of a list may be, where a fast scan can see it. */
export interface ScannedItems {
  readonly numbers: NumberRange | undefined;
  readonly values: EnumerationBytes | undefined;
}

/** Passes over items of a list that a fast scan finds valid; false where there are none, or no such scan. */
export function scanItems({ numbers, values }: ScannedItems, scan: Scan): boolean {
  scan.items = 0;
  if (numbers) scanNumbers(scan, numbers);
  else if (values) scanEnumeration(scan, values);
  return scan.items > 0;
}

/** Passes over numbers, plain strings or words of a list whose items may be anything; false where there are none. */
export function scanUnknownItems(scan: Scan): boolean {
  scanNumbers(scan, anyNumber);
  if (scan.items === 0) scanText(scan);
  if (scan.items === 0) scanEnumeration(scan, words);
  return scan.items > 0;
}

/** The values of a list, each as the bytes that it is usually written with. */
export type EnumerationBytes = readonly Uint8Array[];

/** A short text that is plainly written the same everywhere. */
const plainText = /^[ !#-[\]-~]{1,100}$/;

/** Prepares the values of an enumeration. Those that are not short plain text are left to the general path. */
export function enumerationBytes(values: readonly unknown[]): EnumerationBytes {
  return values
    .filter((value): value is string => typeof value === 'string' && plainText.test(value))
    .map((value) => bytesOf(JSON.stringify(value)));
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

/** Passes over the items of a list of fixed values that are certainly valid, and stops before any other. */
function scanEnumeration(scan: Scan, values: EnumerationBytes): void {
  const { bytes, view } = scan;
  const end = bytes.length;
  let at = scan.at;
  let items = 0;
  let period = 0;
  let last = values[0];
  scan.closed = false;
  while (at < end && !scan.closed && last !== undefined) {
    let start = at;
    while (start < end && isSpace(bytes[start] as number)) start++;
    if (!isWritten(bytes, start, last)) {
      last = writtenAt(bytes, start, values);
      if (last === undefined) break;
    }
    const next = start + last.length;
    const byte = next < end ? bytes[next] : 0;
    if (byte !== 44 && byte !== 93) break;
    items++;
    const length = next + 1 - at;
    at = next + 1;
    scan.closed = byte === 93;
    if (length === period && !scan.closed) {
      // Values come in long runs: the bytes are compared with those one item earlier.
      const repeats = Math.floor((repeatedUntil(view, at, end, period) - at) / period);
      items += repeats;
      at += repeats * period;
    }
    period = length;
  }
  scan.at = at;
  scan.items = items;
}

/** White space of JSON. */
export function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** The value that the bytes at a place are. */
function writtenAt(bytes: Uint8Array, at: number, values: EnumerationBytes): Uint8Array | undefined {
  for (const value of values) if (isWritten(bytes, at, value)) return value;
  return undefined;
}

/** Whether the bytes at a place are those of a text. */
export function isWritten(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
  return true;
}

/**
 * Up to where the bytes are those that stand so many bytes earlier, looked at eight at a time. Read as a double, eight bytes of
 * ASCII are never NaN nor zero, so equal doubles are equal bytes.
 */
function repeatedUntil(view: DataView, at: number, end: number, distance: number): number {
  let same = at;
  while (same + 8 <= end && view.getFloat64(same, true) === view.getFloat64(same - distance, true)) same += 8;
  return same;
}

/**
 * Passes over the plain strings of a list about which the contract says nothing: printable ASCII without escapes. It stops before any
 * other item, which the general path then reads.
 */
function scanText(scan: Scan): void {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.at;
  let items = 0;
  scan.closed = false;
  while (at < end && !scan.closed) {
    let next = at;
    while (next < end && isSpace(bytes[next] as number)) next++;
    if (bytes[next] !== 34) break;
    next++;
    while (next < end && isPlain(bytes[next] as number)) next++;
    const byte = bytes[next + 1];
    if (bytes[next] !== 34 || (byte !== 44 && byte !== 93)) break;
    items++;
    at = next + 2;
    scan.closed = byte === 93;
  }
  scan.at = at;
  scan.items = items;
}

function isPlain(byte: number): boolean {
  return byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
}
