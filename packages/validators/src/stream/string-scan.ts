/** Where a scan of a string stands between two pieces of it. */
export interface StringScan {
  /** 0 outside an escape, 1 after a backslash, 2 to 5 while hexadecimal digits of `\u` are missing. */
  escape: number;
  /** How many continuation bytes of a UTF-8 sequence are missing, and between which values the next one must lie. */
  continuation: number;
  low: number;
  high: number;
  /** Whether the string holds no escape. */
  plain: boolean;
}

export function startString(): StringScan {
  return { escape: 0, continuation: 0, low: 0, high: 0, plain: true };
}

export function restartString(scan: StringScan): void {
  scan.escape = 0;
  scan.continuation = 0;
  scan.plain = true;
}

/** The byte is no part of a JSON string in UTF-8. */
export const invalid = -1;

/**
 * Passes over the bytes of a string: the place of its closing quote, or the end of the piece, or `invalid`. Checks escapes
 * (https://www.rfc-editor.org/rfc/rfc8259#section-7) and UTF-8 (https://www.rfc-editor.org/rfc/rfc3629#section-4).
 */
export function scanString(bytes: Uint8Array, start: number, end: number, scan: StringScan): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (scan.continuation > 0) {
      if (byte < scan.low || byte > scan.high) return invalid;
      scan.continuation--;
      scan.low = 0x80;
      scan.high = 0xbf;
    } else if (scan.escape > 0) {
      if (!scanEscape(byte, scan)) return invalid;
    } else if (byte === 34) return at;
    else if (byte === 92) {
      scan.escape = 1;
      scan.plain = false;
    } else if (byte < 32 || (byte > 127 && !startSequence(byte, scan))) return invalid;
  }
  return end;
}

function scanEscape(byte: number, scan: StringScan): boolean {
  if (scan.escape === 1) {
    scan.escape = byte === 117 ? 5 : 0;
    return byte === 117 || '"\\/bfnrt'.includes(String.fromCharCode(byte));
  }
  scan.escape = scan.escape === 2 ? 0 : scan.escape - 1;
  const letter = byte | 32;
  return (byte >= 48 && byte <= 57) || (letter >= 97 && letter <= 102);
}

function startSequence(byte: number, scan: StringScan): boolean {
  scan.continuation = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
  scan.low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
  scan.high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  return byte >= 0xc2 && byte <= 0xf4;
}
