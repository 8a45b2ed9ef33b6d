/** The range of a list of numbers, ready to be compared with digits instead of doubles. */
export interface NumberRange {
  readonly integer: boolean;
  /** By number of decimals: the least and the greatest value, in units of the last decimal. */
  readonly least: Float64Array;
  readonly greatest: Float64Array;
}

const mostDigits = 9;
/** The scan leaves the last bytes of a piece alone: most numbers that end there are cut off. */
const margin = 24;

/**
 * Prepares a range. With up to nine digits, digits ÷ 10^decimals is the very double that JSON.parse gives for the number, so
 * comparing the digits as an integer with the bound in the same unit gives the same verdict.
 */
export function numberRange(integer: boolean, minimum = -Infinity, maximum = Infinity): NumberRange {
  const least = new Float64Array(mostDigits + 1).fill(-Infinity);
  const greatest = new Float64Array(mostDigits + 1).fill(Infinity);
  for (let decimals = 0; decimals <= mostDigits; decimals++) {
    const unit = 10 ** decimals;
    if (Number.isFinite(minimum)) {
      let low = Math.ceil(minimum * unit);
      while ((low - 1) / unit >= minimum) low--;
      while (low / unit < minimum) low++;
      least[decimals] = low;
    }
    if (Number.isFinite(maximum)) {
      let high = Math.floor(maximum * unit);
      while ((high + 1) / unit <= maximum) high++;
      while (high / unit > maximum) high--;
      greatest[decimals] = high;
    }
  }
  return { integer, least, greatest };
}

/** Where a fast scan stopped, how many items it passed, and whether it passed the end of the list. */
export interface ScanResult {
  at: number;
  items: number;
  closed: boolean;
}

/**
 * Passes over the items of a list of numbers that are surely valid. It stops before an item that is cut off, wrong or merely
 * unusual (an exponent, too many digits); the careful path then decides about that one.
 */
export function scanNumbers(
  bytes: Uint8Array,
  start: number,
  end: number,
  range: NumberRange,
  result: ScanResult,
): void {
  const { least, greatest, integer } = range;
  const limit = end - margin;
  let at = start;
  let items = 0;
  result.closed = false;
  while (at < limit) {
    let next = at;
    let byte = bytes[next++] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && next < limit) byte = bytes[next++] as number;
    if (next >= limit) break;
    const negative = byte === 45;
    if (negative) byte = bytes[next++] as number;
    let digits = byte ^ 48;
    if (digits > 9) break;
    const first = next - 1;
    byte = bytes[next++] as number;
    let digit = byte ^ 48;
    if (digits !== 0) {
      while (digit < 10) {
        digits = (Math.imul(digits, 10) + digit) | 0;
        byte = bytes[next++] as number;
        digit = byte ^ 48;
      }
      // More digits than nine have overflowed; so may have those of a number that is cut off by the end of the piece.
      if (next - first > mostDigits + 1) break;
    }
    let decimals = 0;
    let more = 0;
    if (byte === 46) {
      if (integer) break;
      const point = next;
      const last = first + mostDigits + 1;
      byte = bytes[next++] as number;
      digit = byte ^ 48;
      while (digit < 10) {
        if (next > last) {
          // Digits past the ninth are looked at for grammar alone: the value lies between here and one unit further.
          more = 1;
          while (digit < 10) {
            byte = bytes[next++] as number;
            digit = byte ^ 48;
          }
          break;
        }
        digits = (Math.imul(digits, 10) + digit) | 0;
        decimals++;
        byte = bytes[next++] as number;
        digit = byte ^ 48;
      }
      if (next - point < 2) break;
    }
    if (byte !== 44 && byte !== 93) break;
    const least_ = least[decimals] as number;
    const greatest_ = greatest[decimals] as number;
    if (negative ? -digits - more < least_ || -digits > greatest_ : digits < least_ || digits + more > greatest_) break;
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
