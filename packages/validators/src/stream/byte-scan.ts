// What the fast scans share: white space, digits and runs of equal items, looked at several bytes at a time.

const encoder = /*#__PURE__*/ new TextEncoder();

/** The bytes of a piece, where the next item begins, and what a scan has passed. */
export interface Scan {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the next item begins. */
  at: number;
  /** How many items the last scan passed, and whether it passed the end of the list. */
  items: number;
  closed: boolean;
}

export function startScan(bytes: Uint8Array): Scan {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, at: 0, items: 0, closed: false };
}

/** White space of JSON. */
export function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** Passes over white space, up to the end of the piece. */
export function passSpace({ bytes, view }: Scan, start: number): number {
  const end = bytes.length;
  let at = start;
  // Most white space is the indentation of a line.
  while (at < end && isSpace(bytes[at] as number)) {
    at++;
    while (at + 4 <= end && view.getInt32(at, true) === 0x20202020) at += 4;
  }
  return at;
}

/** Passes over digits, up to the end of the piece. */
export function passDigits({ bytes, view }: Scan, start: number): number {
  const end = bytes.length;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const others = notDigits(view.getInt32(at, true));
    // The lowest bit that is set is in the first byte that is no digit.
    if (others !== 0) return at + ((31 - Math.clz32(others & -others)) >> 3);
  }
  while (at < end && isDigit(bytes[at] as number)) at++;
  return at;
}

/**
 * Of four bytes, the highest bit of those that are no digit: less the lowest digit and more up to the highest, a digit does not reach it.
 * What a byte behind the first of them shows may be wrong, because that one carries.
 */
function notDigits(word: number): number {
  return ((word + 0x46464646) | (word - 0x30303030)) & 0x80808080;
}

/** Powers of ten that a double holds exactly. */
export const powersOfTen = /*#__PURE__*/ Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** With so many digits, digits ÷ 10^decimals is the very double that JSON.parse gives for the number. */
export const exactDigits = 15;

/** How many bytes of a text are compared in words. */
export const mostWordBytes = 16;

/**
 * A text as its bytes, and the first of them as four words of four bytes, the first byte lowest; a mask covers the bytes that a word
 * has. Comparing all words at once takes less time than finding out how many there are.
 */
export interface WrittenText {
  readonly bytes: Uint8Array;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly mask0: number;
  readonly mask1: number;
  readonly mask2: number;
  readonly mask3: number;
}

export function writtenText(text: string): WrittenText {
  const bytes = encoder.encode(text);
  const [words, masks] = [new Uint8Array(mostWordBytes), new Uint8Array(mostWordBytes)];
  words.set(bytes.subarray(0, mostWordBytes));
  masks.fill(0xff, 0, bytes.length);
  const [word, mask] = [new DataView(words.buffer), new DataView(masks.buffer)];
  return {
    bytes,
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

/** Whether the bytes at a place begin with the words of a text. There must be as many bytes as the words have. */
export function hasWords(view: DataView, at: number, text: WrittenText): boolean {
  const unlike0 = (view.getInt32(at, true) & text.mask0) ^ text.word0;
  const unlike1 = (view.getInt32(at + 4, true) & text.mask1) ^ text.word1;
  const unlike2 = (view.getInt32(at + 8, true) & text.mask2) ^ text.word2;
  const unlike3 = (view.getInt32(at + 12, true) & text.mask3) ^ text.word3;
  return (unlike0 | unlike1 | unlike2 | unlike3) === 0;
}

/** Whether the bytes at a place are those of a text, or the first so many of them. */
export function isWritten({ bytes, view }: Scan, at: number, text: WrittenText, length = text.bytes.length): boolean {
  let index = 0;
  if (at + mostWordBytes <= bytes.length && length === text.bytes.length) {
    if (!hasWords(view, at, text)) return false;
    index = mostWordBytes;
  }
  if (at + length > bytes.length) return false;
  for (; index < length; index++) if (bytes[at + index] !== text.bytes[index]) return false;
  return true;
}

/**
 * How many items from a place on have the bytes of the one before it, which is so many bytes long with its comma. The bytes are
 * looked at eight at a time: read as a double, eight bytes of ASCII are never NaN nor zero, so equal doubles are equal bytes.
 */
export function countRepeats({ bytes, view }: Scan, at: number, length: number): number {
  const end = bytes.length;
  let same = at;
  while (same + 8 <= end && view.getFloat64(same, true) === view.getFloat64(same - length, true)) same += 8;
  return Math.floor((same - at) / length);
}
