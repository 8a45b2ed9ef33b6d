import {
  countRepeats,
  hasWords,
  isWritten,
  mostWordBytes,
  passSpace,
  type Scan,
  type WrittenText,
  writtenText,
} from './byte-scan.js';

/** The values of a list, each as the bytes that it is usually written with, by the byte that tells most of them apart. */
export interface EnumerationBytes {
  /** Which byte of a value that is. */
  readonly offset: number;
  /** The first value of each byte. */
  readonly byByte: readonly WrittenValue[];
}

/** A value with its comma. */
interface WrittenValue extends WrittenText {
  /** Another value with the same byte. */
  readonly next: WrittenValue | undefined;
}

/** A short text that is plainly written the same everywhere. */
const plainText = /^[ !#-[\]-~]{1,100}$/;

/** Prepares the values of an enumeration. Those that are not short plain text are left to the general path. */
export function enumerationBytes(values: readonly unknown[]): EnumerationBytes {
  return bytesOf(
    values
      .filter((value): value is string => typeof value === 'string' && plainText.test(value))
      .map((value) => JSON.stringify(value)),
  );
}

/** Prepares texts of printable ASCII. */
export function bytesOf(texts: readonly string[]): EnumerationBytes {
  const shortest = Math.min(...texts.map(({ length }) => length), mostWordBytes);
  let offset = 0;
  let most = 0;
  for (let index = 0; index < shortest; index++) {
    const count = new Set(texts.map((text) => text[index])).size;
    if (count > most) [most, offset] = [count, index];
  }
  const byByte: WrittenValue[] = Array.from({ length: 256 }, () => noValue);
  for (const text of texts) {
    const byte = text.charCodeAt(offset);
    byByte[byte] = { ...writtenText(`${text},`), next: byByte[byte] };
  }
  return { offset, byByte };
}

/** What a byte stands for that no value has at its place. It is written nowhere: its mask leaves nothing of a word that is to be one. */
const noValue: WrittenValue = { ...writtenText('\0'), mask0: 0, word0: 1, next: undefined };

/** How many equal items make a run, and after how many items at most a run is looked for again. */
const leastRun = 4;
const mostPatience = 64;

/** Passes over the items of a list of fixed values that are certainly valid, and stops before any other. */
export function scanEnumeration(scan: Scan, { offset, byByte }: EnumerationBytes): void {
  const { bytes, view } = scan;
  const last = bytes.length - 1;
  const lastWords = bytes.length - mostWordBytes;
  let at = scan.at;
  let items = 0;
  let closed = false;
  let patience = 0;
  let wait = 0;
  while (at <= last && !closed) {
    while (at <= lastWords) {
      const before = at;
      if ((bytes[at] as number) <= 32) {
        at = passSpace(scan, at);
        if (at > lastWords) break;
      }
      const value = byByte[bytes[at + offset] as number] as WrittenValue;
      const { length } = value.bytes;
      if (!hasWords(view, at, value) || length > mostWordBytes) break;
      at += length;
      items++;
      if (wait > 0) {
        wait--;
        continue;
      }
      // Values come in long runs: the bytes are compared with those one item earlier.
      const stride = at - before;
      const repeats = countRepeats(scan, at, stride);
      items += repeats;
      at += repeats * stride;
      // Where they come at random, runs are looked for ever less often.
      patience = repeats < leastRun ? Math.min(2 * patience + leastRun, mostPatience) : 0;
      wait = patience;
    }
    // The last item of the list or of the piece, a long value, or what only the general path knows.
    const start = passSpace(scan, at);
    const length = start + offset > last ? 0 : writtenLength(scan, start, byByte[bytes[start + offset] as number]);
    const next = start + length;
    if (length === 0 || next > last) break;
    const after = bytes[next];
    if (after !== 44 && after !== 93) break;
    items++;
    at = next + 1;
    closed = after === 93;
  }
  scan.at = at;
  scan.items = items;
  scan.closed = closed;
}

/** How many bytes the value takes, without a comma, that is written at a place; 0 where none of these is. */
function writtenLength(scan: Scan, at: number, first: WrittenValue | undefined): number {
  for (let value = first; value; value = value.next) {
    const length = value.bytes.length - 1;
    if (isWritten(scan, at, value, length)) return length;
  }
  return 0;
}

/**
 * Passes over the plain strings of a list whose items may be anything: printable ASCII without escapes. It stops before any other
 * item, which the general path then reads.
 */
export function scanText(scan: Scan): void {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.at;
  let items = 0;
  let period = 0;
  let closed = false;
  while (at < end && !closed) {
    let next = passSpace(scan, at);
    if (next >= end || bytes[next] !== 34) break;
    next++;
    while (next < end && isPlain(bytes[next] as number)) next++;
    if (next + 1 >= end || bytes[next] !== 34) break;
    const after = bytes[next + 1];
    if (after !== 44 && after !== 93) break;
    items++;
    const length = next + 2 - at;
    at = next + 2;
    closed = after === 93;
    if (length === period && !closed) {
      const repeats = countRepeats(scan, at, length);
      items += repeats;
      at += repeats * length;
    }
    period = length;
  }
  scan.at = at;
  scan.items = items;
  scan.closed = closed;
}

function isPlain(byte: number): boolean {
  return byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
}
