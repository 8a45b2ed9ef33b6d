import { mostShapeBytes, mostShapeDigits, type NumberRange, noShape, shapeOf } from './number-shape.js';

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

/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** With so many digits, digits ÷ 10^decimals is the very double that JSON.parse gives for the number. */
const exactDigits = 15;

/**
 * Passes over the items of a list of numbers that are certainly valid. It stops before an item that is cut off, wrong or merely
 * unusual (an exponent, many digits close to a bound), which the general path then reads.
 */
export function scanNumbers(scan: Scan, range: NumberRange): void {
  const { bytes, view } = scan;
  const { integer, minimum, maximum } = range;
  const last = bytes.length - 1;
  const lastWords = bytes.length - mostShapeBytes;
  let shape = noShape;
  let at = scan.at;
  let items = 0;
  let closed = false;
  while (at < last && !closed) {
    const { length, base0, base1, base2, slack0, slack1, slack2, mask0, mask1, mask2 } = shape;
    // Most numbers have as many digits as the one before them, and are compared with its shape in three words.
    while (length > 0 && at <= lastWords) {
      const word0 = view.getInt32(at, true) - base0;
      const word1 = view.getInt32(at + 4, true) - base1;
      const word2 = view.getInt32(at + 8, true) - base2;
      const unfit0 = ((word0 + slack0) | word0) & mask0;
      const unfit1 = ((word1 + slack1) | word1) & mask1;
      if ((unfit0 | unfit1 | (((word2 + slack2) | word2) & mask2)) !== 0) break;
      at += length;
      items++;
    }
    if (at >= last) break;
    let next = at;
    let byte = bytes[next] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && next < last) byte = bytes[++next] as number;
    const isApart = next > at;
    const negative = byte === 45;
    if (negative && next < last) byte = bytes[++next] as number;
    const start = next;
    const first = byte;
    let value = 0;
    while (byte >= 48 && byte <= 57 && next < last) {
      value = value * 10 + (byte - 48);
      byte = bytes[++next] as number;
    }
    let digits = next - start;
    let decimals = 0;
    // One digit at least, and no other after a zero in front.
    if (digits === 0 || (first === 48 && digits > 1)) break;
    if (byte === 46 && next < last) {
      byte = bytes[++next] as number;
      const point = next;
      while (byte >= 48 && byte <= 57 && next < last) {
        value = value * 10 + (byte - 48);
        byte = bytes[++next] as number;
      }
      decimals = next - point;
      if (integer || decimals === 0 || decimals > 22) break;
      digits += decimals;
      value /= powers[decimals] as number;
    }
    if ((byte !== 44 && byte !== 93) || digits > 300) break;
    if (negative) value = -value;
    // Beyond the exact digits, the value is off by far less than this.
    const margin = digits > exactDigits ? Math.abs(value) * 1e-12 : 0;
    if (value - margin < minimum || value + margin > maximum) break;
    items++;
    at = next + 1;
    closed = byte === 93;
    shape = isApart || digits > mostShapeDigits ? noShape : shapeOf(range, negative, digits - decimals, decimals);
  }
  scan.at = at;
  scan.items = items;
  scan.closed = closed;
}
