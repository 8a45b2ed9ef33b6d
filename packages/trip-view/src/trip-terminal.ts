import { notesOf } from './trip/badges.js';
import { bandCodes, bandPieces } from './trip/bands.js';
import { boundsOf, extremesOf } from './trip/ranges.js';
import { type EnumerationSignal, type NumberSignal, unitInWords } from './trip/signals.js';
import { type Stack, stacksOf, stepOf } from './trip/stacks.js';
import type { Trip } from './trip/trip.js';
import { basisWords, clockOf, counted, valueInWords } from './trip/words.js';

/** How a trip is drawn in a terminal. */
export interface TripTerminalOptions {
  /** Width of the terminal in characters. Default 80. */
  readonly columns?: number | undefined;
  /** Height of each lane in lines. Default 4. */
  readonly lines?: number | undefined;
  /** Paths of the signals to draw. Default all. */
  readonly signals?: readonly string[] | undefined;
}

/** Dots of a braille character by column and row: https://www.unicode.org/charts/PDF/U2800.pdf */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/**
 * Draws a trip with braille characters, a lane for each signal, and bands as letters. No color and no control character: the
 * text can be piped. Every extreme of the samples has a dot.
 */
export function tripBraille(trip: Trip, { columns = 80, lines = 4, signals }: TripTerminalOptions = {}): string {
  const chosen = { ...trip, signals: trip.signals.filter(({ path }) => signals?.includes(path) ?? true) };
  const width = Math.max(20, columns - 12);
  const parts = stacksOf(chosen, 'time').flatMap((stack) => {
    const [start, end] =
      stack.axis === 'time' ? ['0:00', clockOf(stack.extent)] : ['0', counted(stack.extent, 'sample')];
    return [
      ...stack.lanes.flatMap((lane) => lane.signals.flatMap((signal) => laneLines(signal, stack, width, lines))),
      ...stack.bands.flatMap((band) => bandLines(band, stack, width)),
      `${' '.repeat(11)}${start}${end.padStart(width - start.length)}`,
      basisWords[stack.axis],
      '',
    ];
  });
  return `${[...parts, ...notesOf(chosen)].join('\n').trimEnd()}\n`;
}

function laneLines(signal: NumberSignal, stack: Stack, width: number, height: number): string[] {
  const [low, high] = boundsOf([signal], 0);
  const cells = Array.from({ length: height }, () => new Uint8Array(width));
  const perDot = stack.extent / stepOf(stack.axis, signal) / (width * 2);
  const rowOf = (value: number) => Math.round((1 - (value - low) / (high - low)) * (height * 4 - 1));
  // Each column of dots stands by itself, from its lowest to its highest sample: nothing is interpolated.
  for (let column = 0; column < width * 2; column += 1) {
    const end = Math.min(signal.length, Math.ceil((column + 1) * perDot));
    const found = extremesOf(signal.values, Math.ceil(column * perDot), end);
    if (found === null) continue;
    for (let row = rowOf(found.high); row <= rowOf(found.low); row += 1) {
      const line = cells[row >> 2];
      const bit = dots[(column & 1) as 0 | 1][(row & 3) as 0 | 1 | 2 | 3];
      if (line) line[column >> 1] = (line[column >> 1] ?? 0) | bit;
    }
  }
  const drawn = cells.map((line, number) => {
    const value = number === 0 ? high : number === height - 1 ? low : undefined;
    // There is room for seven digits.
    const label = value === undefined ? '' : valueInWords(Number(value.toPrecision(7)));
    return `${label.padStart(10)}▕${Array.from(line, (bits) => String.fromCharCode(0x2800 + bits)).join('')}`;
  });
  return [`${signal.path} (${unitInWords(signal)})`, ...drawn];
}

function bandLines({ path, allowed, values, ...signal }: EnumerationSignal, stack: Stack, width: number): string[] {
  const letters = lettersOf(allowed);
  const samples = stack.extent / stepOf(stack.axis, signal);
  let line = '';
  const { codes } = bandCodes(values, allowed);
  for (const { start, end, values: found } of bandPieces(codes, allowed, 0, samples, width)) {
    // A column of several values shows that it has several.
    const letter = found.length > 1 ? '+' : found[0] === null ? '·' : (letters.get(found[0] ?? '') ?? '?');
    line += ' '.repeat(Math.max(0, start - line.length)) + letter.repeat(end - start);
  }
  const key = [...letters].filter(([value]) => values.includes(value)).map(([value, letter]) => `${letter} ${value}`);
  if (line.includes('+')) key.push('+ several');
  if (line.includes('·')) key.push('· no value');
  return [`${path}: ${key.join(', ')}`, `${' '.repeat(10)}▕${line}`];
}

/** A letter for each value: the first of its letters that no other value has. */
function lettersOf(values: readonly string[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const value of values) {
    const taken = [...letters.values()];
    letters.set(value, [...value, ...value.toUpperCase()].find((letter) => !taken.includes(letter)) ?? '#');
  }
  return letters;
}
