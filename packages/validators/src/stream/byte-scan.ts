// What the fast scans share: white space, digits and runs of equal items, looked at several bytes at a time.

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

/** A text as its bytes and as the words of four of them, the first byte lowest. */
export interface WrittenText {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

export function writtenText(bytes: Uint8Array): WrittenText {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = Int32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getInt32(4 * index, true));
  return { bytes, words };
}

/** Whether the bytes at a place are those of a text. */
export function isWritten({ bytes, view }: Scan, at: number, text: WrittenText): boolean {
  const { length } = text.bytes;
  const { words } = text;
  if (at + length > bytes.length) return false;
  for (let index = 0; index < words.length; index++) {
    if (view.getInt32(at + 4 * index, true) !== words[index]) return false;
  }
  for (let index = 4 * words.length; index < length; index++) {
    if (bytes[at + index] !== text.bytes[index]) return false;
  }
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
