import { isInRange, type NumberRange } from './number-range.js';

/** Where a fast scan stopped, how many items it passed, and whether it passed the end of the list. */
export interface ScanResult {
  at: number;
  items: number;
  closed: boolean;
}

/**
 * Passes over the items of a list of numbers that are surely valid. It stops before an item that is cut off, wrong or merely
 * unusual (an exponent, many digits close to a bound); the careful path then decides about that one. It never reads past the end
 * of the piece: a single such read makes the code of this loop general, and many times slower.
 */
export function scanNumbers(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  range: NumberRange,
  result: ScanResult,
): void {
  const { integer } = range;
  const { digits: sureDigits, first: sureFirst } = range.sure;
  const { digits: sureDigitsNegative, first: sureFirstNegative } = range.sureNegative;
  let at = start;
  let items = 0;
  result.closed = false;
  const limit = end - 12;
  let gap = 0;
  let gapAt = start;
  while (at < limit) {
    let next = at;
    let byte = bytes[next++] as number;
    if (byte <= 32) {
      if (gap > 7 && gap < 17 && at + gap < limit && isSameGap(view, at, gapAt, gap)) {
        next = at + gap;
        byte = bytes[next++] as number;
      }
      while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && next < limit) byte = bytes[next++] as number;
      gap = next - 1 - at;
      gapAt = at;
    }
    const negative = byte === 45;
    if (negative) byte = bytes[next++] as number;
    const first = byte ^ 48;
    if (first > 9) break;
    const from = next - 1;
    byte = bytes[next++] as number;
    // The first digits one by one, here and behind the point: most numbers have no more, and asking for the end of the piece at
    // each of them, or calling a function, takes a tenth longer.
    if (first !== 0 && (byte ^ 48) < 10) {
      byte = bytes[next++] as number;
      if ((byte ^ 48) < 10) {
        byte = bytes[next++] as number;
        if ((byte ^ 48) < 10) {
          byte = bytes[next++] as number;
          while ((byte ^ 48) < 10 && next < end) byte = bytes[next++] as number;
        }
      }
    }
    const digits = next - 1 - from;
    if (byte === 46) {
      if (integer || next === end) break;
      byte = bytes[next++] as number;
      if ((byte ^ 48) > 9 || next + 4 > end) break;
      byte = bytes[next++] as number;
      if ((byte ^ 48) < 10) {
        byte = bytes[next++] as number;
        if ((byte ^ 48) < 10) {
          byte = bytes[next++] as number;
          while ((byte ^ 48) < 10 && next < end) byte = bytes[next++] as number;
        }
      }
    }
    if (byte !== 44 && byte !== 93) break;
    const most = negative ? sureDigitsNegative : sureDigits;
    if (digits >= most && (digits > most || first >= (negative ? sureFirstNegative : sureFirst))) {
      if (!isInRange(bytes, from, next - 1, negative, range)) break;
    }
    items++;
    at = next;
    if (byte === 93) {
      result.closed = true;
      break;
    }
  }
  result.at = at;
  result.items = items;
}

/**
 * Whether the 8 to 16 bytes at one place are those at another, which are white space. Pretty-printed lists have the same line
 * break and indent before every item. Read as doubles, bytes of white space are never NaN nor zero.
 */
function isSameGap(view: DataView, at: number, other: number, length: number): boolean {
  return (
    view.getFloat64(at, true) === view.getFloat64(other, true) &&
    view.getFloat64(at + length - 8, true) === view.getFloat64(other + length - 8, true)
  );
}
