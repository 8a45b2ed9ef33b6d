import type { ScanResult } from './number-scan.js';

/** The values of a list of choices as the bytes that they are usually written with. */
export interface ChoiceBytes {
  readonly written: readonly Uint8Array[];
  /** The first four bytes of each, as one number; the mask leaves out what lies behind the closing quote. */
  readonly heads: Int32Array;
  readonly masks: Int32Array;
  /** The last four bytes of each that has more than four. */
  readonly tails: Int32Array;
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
  const head = (bytes: Uint8Array, byte: (index: number) => number) =>
    [0, 1, 2, 3].reduce((sum, index) => sum | (index < bytes.length ? byte(index) << (8 * index) : 0), 0);
  return {
    written,
    heads: Int32Array.from(written, (bytes) => head(bytes, (index) => bytes[index] as number)),
    masks: Int32Array.from(written, (bytes) => head(bytes, () => 255)),
    tails: Int32Array.from(written, (bytes) =>
      bytes.length < 4 ? 0 : new DataView(bytes.buffer).getInt32(bytes.length - 4, true),
    ),
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
): void {
  const { written, heads, masks, tails, longest, firstOf, nextOf } = choices;
  const limit = end - longest - 8;
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
    let next = 0;
    for (; choice >= 0; choice = nextOf[choice] as number) {
      if ((head & (masks[choice] as number)) !== heads[choice]) continue;
      const expected = written[choice] as Uint8Array;
      next = quote + expected.length;
      // Four bytes in front and four at the end are all of a value of up to eight bytes.
      if (expected.length <= 4) break;
      if (view.getInt32(next - 4, true) !== tails[choice]) continue;
      if (expected.length <= 8 || matches(bytes, quote, expected)) break;
    }
    if (choice < 0) break;
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
      // Choices come in long runs: the bytes are compared with those one item earlier, eight at a time. Read as a double,
      // eight bytes of ASCII are never NaN nor zero, so equal doubles are equal bytes.
      let same = at;
      while (same + 8 <= end && view.getFloat64(same, true) === view.getFloat64(same - period, true)) same += 8;
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

function matches(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}
