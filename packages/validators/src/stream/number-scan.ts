import type { Scan } from './item-scan.js';
import type { NumberRange } from './number-range.js';

/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** With so many digits, digits ÷ 10^decimals is the very double that JSON.parse gives for the number. */
const exactDigits = 15;

/**
 * Passes over the items of a list of numbers that are certainly valid. It stops before an item that is cut off, wrong or merely
 * unusual (an exponent, many digits close to a bound), which the general path then reads.
 */
export function scanNumbers(scan: Scan, { integer, minimum, maximum }: NumberRange): void {
  const { bytes } = scan;
  const last = bytes.length - 1;
  let at = scan.at;
  let items = 0;
  let closed = false;
  while (at < last && !closed) {
    let next = at;
    let byte = bytes[next] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && next < last) byte = bytes[++next] as number;
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
    // One digit at least, and no other after a zero in front.
    if (digits === 0 || (first === 48 && digits > 1)) break;
    if (byte === 46 && next < last) {
      byte = bytes[++next] as number;
      const point = next;
      while (byte >= 48 && byte <= 57 && next < last) {
        value = value * 10 + (byte - 48);
        byte = bytes[++next] as number;
      }
      const decimals = next - point;
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
  }
  scan.at = at;
  scan.items = items;
  scan.closed = closed;
}
