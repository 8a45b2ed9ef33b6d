import { scanChoices } from './choice-scan.js';
import type { Kernel } from './kernel.js';
import type { NumberRange } from './number-range.js';
import { type ScanResult, scanNumbers } from './number-scan.js';
import type { StreamNode } from './stream-node.js';

/** Where the kernel stops, an item is wrong or unusual: so many bytes later it may go on. */
const pastOddItem = 256;

/** Passes over items of a list that a fast scan finds valid; false where there are none, or no such scan. */
export function scanItems(
  { numbers, choices }: StreamNode,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  result: ScanResult,
  kernel: Kernel | null,
): boolean {
  if (numbers) passNumbers(numbers, bytes, view, at, result, kernel);
  else if (choices) scanChoices(bytes, view, at, bytes.length, choices, result, kernel);
  else return false;
  return result.items > 0;
}

function passNumbers(
  range: NumberRange,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  result: ScanResult,
  kernel: Kernel | null,
): void {
  const passed = kernel ? kernel.numbers(at, bytes.length, range) : at;
  if (!kernel || passed === at) {
    scanNumbers(bytes, view, at, bytes.length, range, result);
    return;
  }
  scanNumbers(bytes, view, passed, Math.min(bytes.length, passed + pastOddItem), range, result);
  result.items += kernel.items();
}
