import { countRepeats, isWritten, passSpace, type Scan, writtenText } from './byte-scan.js';

/** The values of a list, each as the bytes that it is usually written with, by the byte that tells most of them apart. */
export interface EnumerationBytes {
  /** Which byte of a value that is. */
  readonly offset: number;
  readonly byByte: readonly (readonly WrittenValue[])[];
}

/** Up to 16 bytes of a value as four words, the first byte lowest; a mask covers the bytes that a word has. */
type WrittenValue = ReturnType<typeof writtenValue>;

const mostWordBytes = 16;

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
  const byByte: WrittenValue[][] = Array.from({ length: 256 }, () => []);
  for (const text of texts) byByte[text.charCodeAt(offset)]?.push(writtenValue(text));
  return { offset, byByte };
}

function writtenValue(text: string) {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const [words, masks] = [new Uint8Array(mostWordBytes), new Uint8Array(mostWordBytes)];
  words.set(bytes.subarray(0, mostWordBytes));
  masks.fill(0xff, 0, bytes.length);
  const [word, mask] = [new DataView(words.buffer), new DataView(masks.buffer)];
  return {
    ...writtenText(bytes),
    word0: word.getInt32(0, true),
    word1: word.getInt32(4, true),
    word2: word.getInt32(8, true),
    word3: word.getInt32(12, true),
    mask0: mask.getInt32(0, true),
    mask1: mask.getInt32(4, true),
    mask2: mask.getInt32(8, true),
    mask3: mask.getInt32(12, true),
  };
}

/** After so many items that are unlike the one before, the next is compared with it again. */
const mostUnlike = 4;

/** Passes over the items of a list of fixed values that are certainly valid, and stops before any other. */
export function scanEnumeration(scan: Scan, { offset, byByte }: EnumerationBytes): void {
  const { bytes } = scan;
  const last = bytes.length - 1;
  let at = scan.at;
  let items = 0;
  let unlike = 0;
  let closed = false;
  while (!closed) {
    const byte = bytes[at] as number;
    const start = byte === 34 ? at : passSpace(scan, at);
    if (start + offset > last) break;
    const value = valueAt(scan, start, byByte[bytes[start + offset] as number] as readonly WrittenValue[]);
    if (value === undefined) break;
    const next = start + value.bytes.length;
    const after = next > last ? 0 : bytes[next];
    if (after !== 44 && after !== 93) break;
    items++;
    const length = next + 1 - at;
    at = next + 1;
    closed = after === 93;
    if (unlike > 0) unlike--;
    else if (!closed) {
      // Values come in long runs: the bytes are compared with those one item earlier.
      const repeats = countRepeats(scan, at, length);
      items += repeats;
      at += repeats * length;
      // Where they come at random, engines do best if this seldom changes its mind.
      if (repeats < mostUnlike) unlike = mostUnlike;
    }
  }
  scan.at = at;
  scan.items = items;
  scan.closed = closed;
}

/** Which of some values the bytes at a place are. */
function valueAt(scan: Scan, at: number, values: readonly WrittenValue[]): WrittenValue | undefined {
  const { bytes, view } = scan;
  const inWords = at + mostWordBytes <= bytes.length;
  for (const value of values) {
    if (inWords && value.bytes.length <= mostWordBytes) {
      const unlike0 = (view.getInt32(at, true) ^ value.word0) & value.mask0;
      const unlike1 = (view.getInt32(at + 4, true) ^ value.word1) & value.mask1;
      const unlike2 = (view.getInt32(at + 8, true) ^ value.word2) & value.mask2;
      const unlike3 = (view.getInt32(at + 12, true) ^ value.word3) & value.mask3;
      if ((unlike0 | unlike1 | unlike2 | unlike3) === 0) return value;
    } else if (isWritten(scan, at, value)) return value;
  }
  return undefined;
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
