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
  const limit = end - 4;
  while (at < limit) {
    let next = at;
    let byte = bytes[next++] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && next < limit) byte = bytes[next++] as number;
    if (next > limit) break;
    const negative = byte === 45;
    if (negative) byte = bytes[next++] as number;
    const first = byte ^ 48;
    if (first > 9) break;
    const from = next - 1;
    byte = bytes[next++] as number;
    if (first !== 0) while ((byte ^ 48) < 10 && next < end) byte = bytes[next++] as number;
    const digits = next - 1 - from;
    if (byte === 46) {
      if (integer || next === end) break;
      const point = next;
      byte = bytes[next++] as number;
      while ((byte ^ 48) < 10 && next < end) byte = bytes[next++] as number;
      if (next - point < 2) break;
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
