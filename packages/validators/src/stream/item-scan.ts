import { scanEnumeration } from './enumeration-scan.js';
import { numberRange } from './number-range.js';
import { scanNumbers } from './number-scan.js';
import type { StreamNode } from './stream-node.js';
import { scanText } from './text-scan.js';

/** The bytes of a piece, where the next item begins, and what a scan has passed. */
export interface Scan {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the next item begins. */
  at: number;
  /** How many items the last scan passed, and whether it passed the end of the list. */
  items: number;
  closed: boolean;
}

const anyNumber = /*#__PURE__*/ numberRange({});

/** Passes over items of a list that a fast scan finds valid; false where there are none, or no such scan. */
export function scanItems({ numbers, values }: StreamNode, scan: Scan): boolean {
  scan.items = 0;
  if (numbers) scanNumbers(scan, numbers);
  else if (values) scanEnumeration(scan, values);
  return scan.items > 0;
}

/** Passes over numbers or plain strings of a list about which the contract says nothing; false where there are none. */
export function scanUnknownItems(scan: Scan): boolean {
  scanNumbers(scan, anyNumber);
  if (scan.items === 0) scanText(scan);
  return scan.items > 0;
}
