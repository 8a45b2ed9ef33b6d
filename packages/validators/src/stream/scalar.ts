// Numbers, true, false and null: where they end, and which value they have.
import { exactDigits, isSpace, powersOfTen } from './byte-scan.js';

/** The value that a JSON text holds; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a number without exponent that has few digits, which JSON.parse takes far longer to give; undefined for all other scalars. */
export function plainNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  const first = bytes[start] === 45 ? start + 1 : start;
  if (end - first > exactDigits) return undefined;
  let value = 0;
  let point = end;
  for (let at = first; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 48 && byte <= 57) value = value * 10 + (byte - 48);
    else if (byte === 46 && point === end) point = at;
    else return undefined;
  }
  const whole = point - first;
  // At least a digit before the point and one behind it, and no other after a zero in front.
  if (whole === 0 || point === end - 1 || (whole > 1 && bytes[first] === 48)) return undefined;
  const decimals = point === end ? 0 : end - point - 1;
  const size = value / (powersOfTen[decimals] as number);
  return first === start ? size : -size;
}

/** Whether a byte ends a scalar. */
export function isDelimiter(byte: number): boolean {
  return byte === 44 || byte === 93 || byte === 125 || isSpace(byte);
}
