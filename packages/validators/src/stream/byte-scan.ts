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
  while (at + 4 <= end && areDigits(view.getInt32(at, true))) at += 4;
  while (at < end && isDigit(bytes[at] as number)) at++;
  return at;
}

/** Whether four bytes are digits: less the lowest digit and more up to the highest, none reaches its highest bit. */
function areDigits(word: number): boolean {
  return (((word + 0x46464646) | (word - 0x30303030)) & 0x80808080) === 0;
}

/** Whether the bytes at a place are those of a text. */
export function isWritten(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
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
