import type { Kernel } from './kernel.js';
import type { ScanResult } from './number-scan.js';

/** The values of a list of choices as the bytes that they are usually written with. */
export interface ChoiceBytes {
  readonly written: readonly Uint8Array[];
  /** The first 16 bytes of each as four numbers; the masks leave out what lies behind the closing quote. */
  readonly words: Int32Array;
  readonly masks: Int32Array;
  readonly longest: number;
  /** By the first two characters: the first value that may be meant, and after each value the next one. */
  readonly firstOf: Int8Array;
  readonly nextOf: Int8Array;
}

/** Different for most pairs of two letters. */
function slotOf(first: number, second: number): number {
  return (first * 5 + second * 3) & 127;
}

/** Prepares the values of an enumeration. Those that are no plain ASCII text are left to the careful path. */
export function choiceBytes(choices: readonly unknown[]): ChoiceBytes {
  const written = choices
    .filter((choice): choice is string => typeof choice === 'string' && /^[ !#-[\]-~]*$/.test(choice))
    .map((choice) => Uint8Array.from(JSON.stringify(choice), (character) => character.charCodeAt(0)));
  const firstOf = new Int8Array(128).fill(-1);
  const nextOf = new Int8Array(written.length).fill(-1);
  for (let choice = Math.min(written.length, 127) - 1; choice >= 0; choice--) {
    const bytes = written[choice] as Uint8Array;
    // Behind the quotes of an empty text stands what follows it: such a text is left to the careful path.
    if (bytes.length < 3) continue;
    const slot = slotOf(bytes[1] as number, bytes[2] as number);
    nextOf[choice] = firstOf[slot] as number;
    firstOf[slot] = choice;
  }
  const firstWords = (byteOf: (bytes: Uint8Array, index: number) => number) =>
    Int32Array.from({ length: written.length * 4 }, (_, word) => {
      const bytes = written[word >> 2] as Uint8Array;
      const start = (word & 3) * 4;
      return [0, 1, 2, 3].reduce((sum, index) => sum | (byteOf(bytes, start + index) << (8 * index)), 0);
    });
  return {
    written,
    words: firstWords((bytes, index) => bytes[index] ?? 0),
    masks: firstWords((bytes, index) => (index < bytes.length ? 255 : 0)),
    longest: Math.max(0, ...written.map((bytes) => bytes.length)),
    firstOf,
    nextOf,
  };
}

/** Passes over the items of a list of choices that are surely valid, and stops before any other. */
export function scanChoices(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  choices: ChoiceBytes,
  result: ScanResult,
  kernel: Kernel | null = null,
): void {
  const { written, longest, firstOf, nextOf } = choices;
  const limit = end - Math.max(longest, 16) - 1;
  let at = start;
  let items = 0;
  let period = 0;
  let credit = 8;
  result.closed = false;
  while (at < limit) {
    let quote = at;
    let byte = bytes[quote] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && quote < limit) byte = bytes[++quote] as number;
    if (quote >= limit) break;
    const head = view.getInt32(quote, true);
    let choice = firstOf[slotOf((head >> 8) & 255, (head >> 16) & 255)] as number;
    while (choice >= 0 && !isWritten(bytes, view, quote, choices, choice)) choice = nextOf[choice] as number;
    if (choice < 0) break;
    const next = quote + (written[choice] as Uint8Array).length;
    byte = bytes[next] as number;
    if (byte !== 44 && byte !== 93) break;
    items++;
    const length = next + 1 - at;
    at = next + 1;
    if (byte === 93) {
      result.closed = true;
      break;
    }
    if (credit > 0 && length === period) {
      // Choices come in long runs: the bytes are compared with those one item earlier.
      const same = kernel ? at + kernel.repeated(at, end, period) : repeatedUntil(view, at, end, period);
      const repeats = Math.floor((same - at) / period);
      items += repeats;
      at += repeats * period;
      // Where choices do not repeat, looking for runs costs more than it saves.
      credit += repeats > 1 ? 1 : -1;
    }
    period = length;
  }
  result.at = at;
  result.items = items;
}

/**
 * Up to where the bytes are those that stand so many bytes earlier, looked at eight at a time. Read as a double, eight bytes of
 * ASCII are never NaN nor zero, so equal doubles are equal bytes.
 */
function repeatedUntil(view: DataView, at: number, end: number, distance: number): number {
  let same = at;
  while (
    same + 32 <= end &&
    view.getFloat64(same, true) === view.getFloat64(same - distance, true) &&
    view.getFloat64(same + 8, true) === view.getFloat64(same + 8 - distance, true) &&
    view.getFloat64(same + 16, true) === view.getFloat64(same + 16 - distance, true) &&
    view.getFloat64(same + 24, true) === view.getFloat64(same + 24 - distance, true)
  ) {
    same += 32;
  }
  while (same + 8 <= end && view.getFloat64(same, true) === view.getFloat64(same - distance, true)) same += 8;
  return same;
}

/** Whether the bytes at a place are those of a choice. No branch depends on how long it is, up to 16 bytes. */
function isWritten(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { words, masks, written }: ChoiceBytes,
  choice: number,
): boolean {
  const word = choice * 4;
  const first = (view.getInt32(at, true) ^ (words[word] as number)) & (masks[word] as number);
  const second = (view.getInt32(at + 4, true) ^ (words[word + 1] as number)) & (masks[word + 1] as number);
  const third = (view.getInt32(at + 8, true) ^ (words[word + 2] as number)) & (masks[word + 2] as number);
  const fourth = (view.getInt32(at + 12, true) ^ (words[word + 3] as number)) & (masks[word + 3] as number);
  if ((first | second | third | fourth) !== 0) return false;
  const expected = written[choice] as Uint8Array;
  for (let index = 16; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}
