import type { Scan } from './byte-scan.js';
import { scanNumbers } from './number-scan.js';
import { anyNumber, type NumberRange } from './number-shape.js';
import { bytesOf, type EnumerationBytes, scanEnumeration, scanText } from './text-scan.js';

const words = /*#__PURE__*/ bytesOf(['true', 'false', 'null']);

/** What items of a list may be, where a fast scan can see it. */
export interface ScannedItems {
  readonly numbers: NumberRange | undefined;
  readonly values: EnumerationBytes | undefined;
}

/** Passes over items of a list that a fast scan finds valid; false where there are none, or no such scan. */
export function scanItems({ numbers, values }: ScannedItems, scan: Scan): boolean {
  scan.items = 0;
  if (numbers) scanNumbers(scan, numbers);
  else if (values) scanEnumeration(scan, values);
  return scan.items > 0;
}

/** Passes over numbers, plain strings or words of a list whose items may be anything; false where there are none. */
export function scanUnknownItems(scan: Scan): boolean {
  scanNumbers(scan, anyNumber);
  if (scan.items === 0) scanText(scan);
  if (scan.items === 0) scanEnumeration(scan, words);
  return scan.items > 0;
}
