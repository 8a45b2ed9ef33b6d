import type { Kernel } from './kernel.js';
import type { ScanResult } from './number-scan.js';

/** The values of a list of choices as the bytes that they are usually written with. */
export interface ChoiceBytes {
  readonly written: readonly Uint8Array[];
  /** The bytes of each as four numbers; the masks leave out what lies behind the closing quote. */
  readonly words: Int32Array;
  readonly masks: Int32Array;
  /** By the first two characters: the first value that may be meant, and after each value the next one. */
  readonly firstOf: Int8Array;
  readonly nextOf: Int8Array;
}

/** Different for most pairs of two letters. */
function slotOf(first: number, second: number): number {
  return (first * 5 + second * 3) & 127;
}

/** With its quotes, such a text takes up to 16 bytes, and is the same however it is plainly written. */
const plainText = /^[ !#-[\]-~]{1,14}$/;

/** As many as an index of one byte tells apart. */
const mostChoices = 127;

/** Prepares the values of an enumeration. Those that are no short plain text are left to the careful path, as are very many. */
export function choiceBytes(choices: readonly unknown[]): ChoiceBytes {
  const written = choices
    .filter((choice): choice is string => typeof choice === 'string' && plainText.test(choice))
    .slice(0, mostChoices)
    .map((choice) => Uint8Array.from(JSON.stringify(choice), (character) => character.charCodeAt(0)));
  const firstOf = new Int8Array(128).fill(-1);
  const nextOf = new Int8Array(written.length);
  for (let choice = written.length - 1; choice >= 0; choice--) {
    const bytes = written[choice] as Uint8Array;
    const slot = slotOf(bytes[1] as number, bytes[2] as number);
    nextOf[choice] = firstOf[slot] as number;
    firstOf[slot] = choice;
  }
  return {
    written,
    words: wordsOf(written),
    masks: wordsOf(written.map((text) => text.map(() => 255))),
    firstOf,
    nextOf,
  };
}

/** Texts of up to 16 bytes as four numbers each. */
function wordsOf(texts: readonly Uint8Array[]): Int32Array {
  const bytes = new Uint8Array(texts.length * 16);
  for (const [index, text] of texts.entries()) bytes.set(text, index * 16);
  const view = new DataView(bytes.buffer);
  return Int32Array.from({ length: texts.length * 4 }, (_, word) => view.getInt32(word * 4, true));
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
  const { written, firstOf, nextOf } = choices;
  const limit = end - 17;
  let at = start;
  let items = 0;
  let period = 0;
  let credit = 8;
  result.closed = false;
  while (at < limit) {
    let quote = at;
    let byte = bytes[quote] as number;
    while ((byte === 32 || byte === 10 || byte === 13 || byte === 9) && quote < limit) byte = bytes[++quote] as number;
    const head = view.getInt32(quote, true);
    let choice = firstOf[slotOf((head >> 8) & 255, (head >> 16) & 255)] as number;
    while (choice >= 0 && !isWritten(view, quote, choices, choice)) choice = nextOf[choice] as number;
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
  while (same + 8 <= end && view.getFloat64(same, true) === view.getFloat64(same - distance, true)) same += 8;
  return same;
}

/** Whether the bytes at a place are those of a choice. No branch depends on how long it is. */
function isWritten(view: DataView, at: number, { words, masks }: ChoiceBytes, choice: number): boolean {
  const word = choice * 4;
  const first = (view.getInt32(at, true) ^ (words[word] as number)) & (masks[word] as number);
  const second = (view.getInt32(at + 4, true) ^ (words[word + 1] as number)) & (masks[word + 1] as number);
  const third = (view.getInt32(at + 8, true) ^ (words[word + 2] as number)) & (masks[word + 2] as number);
  const fourth = (view.getInt32(at + 12, true) ^ (words[word + 3] as number)) & (masks[word + 3] as number);
  return (first | second | third | fourth) === 0;
}
