import type { Scan } from './item-scan.js';

/**
 * Passes over the plain strings of a list about which the contract says nothing: printable ASCII without escapes. It stops before any
 * other item, which the general path then reads.
 */
export function scanText(scan: Scan): void {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.at;
  let items = 0;
  scan.closed = false;
  while (at < end && !scan.closed) {
    let next = at;
    while (next < end && isSpace(bytes[next] as number)) next++;
    if (bytes[next] !== 34) break;
    next++;
    while (next < end && isPlain(bytes[next] as number)) next++;
    const byte = bytes[next + 1];
    if (bytes[next] !== 34 || (byte !== 44 && byte !== 93)) break;
    items++;
    at = next + 2;
    scan.closed = byte === 93;
  }
  scan.at = at;
  scan.items = items;
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function isPlain(byte: number): boolean {
  return byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
}
