import { exactDigits, passDigits, passSpace, powersOfTen, type Scan } from './byte-scan.js';
import {
  mostShapeBytes,
  mostShapeDigits,
  type NumberRange,
  type NumberShape,
  noShape,
  shapeOf,
} from './number-shape.js';

/** Longer numbers, which no signal has, are left to the general path. */
const mostDigits = 300;

/**
 * Passes over the items of a list of numbers that are certainly valid. It stops before an item that is cut off, wrong or merely
 * unusual (an exponent, many digits close to a bound), which the general path then reads.
 */
export function scanNumbers(scan: Scan, range: NumberRange): void {
  const { bytes, view } = scan;
  const last = bytes.length - 1;
  const lastWords = bytes.length - mostShapeBytes;
  let at = scan.at;
  let closed = false;
  scan.items = 0;
  while (at < last && !closed) {
    if ((bytes[at] as number) > 32 && range.shape !== noShape) {
      at = passShapes(scan, range, at);
      if (at >= last) break;
    }
    let next = at;
    let byte = bytes[next] as number;
    if (byte <= 32) {
      next = passSpace(scan, next);
      if (next >= last) break;
      const fitting = next > lastWords ? undefined : fittingAt(view, next, range);
      if (fitting) {
        at = next + fitting.length;
        scan.items++;
        continue;
      }
      byte = bytes[next] as number;
    }
    const negative = byte === 45;
    if (negative) byte = bytes[++next] as number;
    const start = next;
    let whole = 0;
    while (byte >= 48 && byte <= 57 && next < last) {
      whole = whole * 10 + (byte - 48);
      byte = bytes[++next] as number;
    }
    const digits = next - start;
    // One digit at least, and no other after a zero in front.
    if (digits === 0 || (bytes[start] === 48 && digits > 1)) break;
    let decimals = 0;
    if (byte === 46) {
      const end = passDigits(scan, next + 1);
      decimals = end - next - 1;
      if (range.integer || decimals === 0 || end > last) break;
      // The digits behind the point are only needed close to a bound.
      if (!isWithin(range, negative, whole, 1) && !isExactWithin(bytes, range, negative, start, end)) break;
      next = end;
      byte = bytes[next] as number;
    } else if (!isWithin(range, negative, whole, 0)) break;
    if ((byte !== 44 && byte !== 93) || digits + decimals > mostDigits) break;
    scan.items++;
    at = next + 1;
    closed = byte === 93;
    if (closed) break;
    if (digits + decimals > mostShapeDigits) {
      // The next are probably as long: they need not be compared with the shape of shorter ones.
      range.shape = noShape;
      range.other = noShape;
      continue;
    }
    const met = shapeOf(range, negative, digits, decimals, (bytes[start] as number) - 48);
    if (met !== noShape) {
      range.other = range.shape;
      range.shape = met;
    }
  }
  scan.at = at;
  scan.closed = closed;
}

/**
 * Passes over numbers of the two shapes that were met last: most have as many digits as the one before them or the one before that (12.3,
 * 12, 12.4). Short ones are compared several at once.
 *
 * @returns where the first number of another shape begins
 */
function passShapes(scan: Scan, range: NumberRange, start: number): number {
  const { bytes, view } = scan;
  const lastWords = bytes.length - mostShapeBytes;
  let { shape, other } = range;
  let at = start;
  let items = 0;
  let misses = 3;
  while (misses === 3) {
    const { length, run, runItems, first0, first1, first2 } = shape;
    const { length: runLength, base0, base1, base2, slack0, slack1, slack2, mask0, mask1, mask2 } = run;
    misses = 0;
    while (at <= lastWords && misses < 3) {
      // The same as `fits`, with what the shape holds read once for all of the run.
      const word0 = view.getInt32(at, true) - base0;
      const word1 = view.getInt32(at + 4, true) - base1;
      const word2 = view.getInt32(at + 8, true) - base2;
      const unfit0 = ((word0 + slack0) | word0) & mask0;
      const unfit1 = ((word1 + slack1) | word1) & mask1;
      const unfit2 = ((word2 + slack2) | word2) & mask2;
      if ((unfit0 | unfit1 | unfit2) === 0) {
        at += runLength;
        items += runItems;
        misses = 0;
        continue;
      }
      // 1 where the first number of the run fits, otherwise 0: without a branch, which would often be predicted wrongly.
      const unfit = (unfit0 & first0) | (unfit1 & first1) | (unfit2 & first2);
      const one = ((unfit | -unfit) >>> 31) ^ 1;
      at += one * length;
      items += one;
      misses *= 1 - one;
      if (at > lastWords) break;
      if (fits(other, view.getInt32(at, true), view.getInt32(at + 4, true), view.getInt32(at + 8, true))) {
        at += other.length;
        items++;
        misses++;
      } else if (one === 0) break;
    }
    if (misses === 3) [shape, other] = [other, shape];
  }
  range.shape = shape;
  range.other = other;
  scan.items += items;
  return at;
}

/** Which of the two shapes that were met last the bytes at a place have. */
function fittingAt(view: DataView, at: number, { shape, other }: NumberRange): NumberShape | undefined {
  const bytes0 = view.getInt32(at, true);
  const bytes1 = view.getInt32(at + 4, true);
  const bytes2 = view.getInt32(at + 8, true);
  if (fits(shape, bytes0, bytes1, bytes2)) return shape;
  return fits(other, bytes0, bytes1, bytes2) ? other : undefined;
}

function fits(shape: NumberShape, bytes0: number, bytes1: number, bytes2: number): boolean {
  const { length, base0, base1, base2, slack0, slack1, slack2, mask0, mask1, mask2 } = shape;
  const word0 = bytes0 - base0;
  const word1 = bytes1 - base1;
  const word2 = bytes2 - base2;
  const unfit0 = ((word0 + slack0) | word0) & mask0;
  const unfit1 = ((word1 + slack1) | word1) & mask1;
  return length > 0 && (unfit0 | unfit1 | (((word2 + slack2) | word2) & mask2)) === 0;
}

/** Whether a number that is at least so large, and at most so much larger, is certainly in a range. */
function isWithin({ minimum, maximum }: NumberRange, negative: boolean, least: number, more: number): boolean {
  // Beyond the exact digits, the value is off by far less than this.
  const margin = least > 1e15 ? least * 1e-12 : 0;
  const low = least - margin;
  const high = least + more + margin;
  return negative ? -high >= minimum && -low <= maximum : low >= minimum && high <= maximum;
}

/** Whether a number of so few digits that they can be computed with is in a range. */
function isExactWithin(bytes: Uint8Array, range: NumberRange, negative: boolean, start: number, end: number): boolean {
  if (end - start > exactDigits + 1) return false;
  let value = 0;
  let decimals = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 46) decimals = end - at - 1;
    else value = value * 10 + (byte - 48);
  }
  return isWithin(range, negative, value / (powersOfTen[decimals] as number), 0);
}
