// Numbers, true, false and null: where they end, and which value they have.
import { isSpace } from './byte-scan.js';

/** The value that a JSON text holds; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of up to nine digits, which JSON.parse takes far longer to give; undefined for all other scalars. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start > 9 || (bytes[start] === 48 && end - start > 1)) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 48 || byte > 57) return undefined;
    value = value * 10 + (byte - 48);
  }
  return value;
}

/** Whether a byte ends a scalar. */
export function isDelimiter(byte: number): boolean {
  return byte === 44 || byte === 93 || byte === 125 || isSpace(byte);
}
