import { badgesOf } from './trip/badges.js';
import { bandCodes, bandPieces } from './trip/bands.js';
import { extremesOf } from './trip/extremes.js';
import type { EnumerationSignal, NumberSignal } from './trip/signals.js';
import { type Stack, stacksOf, stepOf } from './trip/stacks.js';
import { boundsOf } from './trip/ticks.js';
import type { Trip } from './trip/trip.js';
import { clockOf, counted, timeBasisWords, valueInWords } from './trip/words.js';

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
  const chosen =
    signals === undefined ? trip : { ...trip, signals: trip.signals.filter(({ path }) => signals.includes(path)) };
  const width = Math.max(20, columns - 12);
  const parts: string[] = [];
  for (const stack of stacksOf(chosen, 'time')) {
    for (const lane of stack.lanes)
      for (const signal of lane.signals) parts.push(...laneLines(signal, stack, width, lines));
    for (const band of stack.bands) parts.push(...bandLines(band, stack, width));
    const end = stack.axis === 'time' ? clockOf(stack.extent) : counted(stack.extent, 'sample');
    parts.push(
      `${' '.repeat(11)}${stack.axis === 'time' ? '0:00' : '0'}${end.padStart(width - (stack.axis === 'time' ? 4 : 1))}`,
    );
    parts.push(stack.axis === 'time' ? timeBasisWords['assumed-even'] : timeBasisWords.unknown, '');
  }
  if (parts.length === 0) parts.push('There is nothing to draw: no signal of this trip has a sample.');
  for (const { label, explanation, kind } of badgesOf(chosen))
    if (kind !== 'time-assumed') parts.push(`${label}: ${explanation}`);
  return `${parts.join('\n').trimEnd()}\n`;
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
  const label = (line: number) => {
    const value = line === 0 ? high : line === height - 1 ? low : undefined;
    return (value === undefined ? '' : valueInWords(Number(value.toPrecision(5)))).padStart(10);
  };
  return [
    `${signal.path} (${signal.unit})`,
    ...cells.map(
      (line, number) => `${label(number)}▕${Array.from(line, (bits) => String.fromCharCode(0x2800 + bits)).join('')}`,
    ),
  ];
}

function bandLines(signal: EnumerationSignal, stack: Stack, width: number): string[] {
  const step = stepOf(stack.axis, signal);
  const letters = lettersOf(signal.allowed);
  let line = '';
  for (const { start, end, values } of bandPieces(
    bandCodes(signal.values, signal.allowed),
    signal.allowed,
    0,
    stack.extent / step,
    width,
  )) {
    // A column of several values shows that it has several.
    const letter = values.length > 1 ? '+' : values[0] === null ? '·' : (letters.get(values[0] ?? '') ?? '?');
    line += ' '.repeat(Math.max(0, start - line.length)) + letter.repeat(end - start);
  }
  const used = signal.allowed.filter((value) => signal.values.includes(value));
  const key = used.map((value) => `${letters.get(value)} ${value}`).join(', ');
  const more = [line.includes('+') && '+ several', line.includes('·') && '· no value'].filter((text) => text !== false);
  return [`${signal.path}: ${[key, ...more].filter((text) => text !== '').join(', ')}`, `${' '.repeat(10)}▕${line}`];
}

/** A letter for each value: the first of its letters that no other value has. */
function lettersOf(values: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    values.map((value) => {
      const letter = [...value, ...value.toUpperCase(), '#'].find((candidate) => !taken.has(candidate)) ?? '#';
      taken.add(letter);
      return [value, letter];
    }),
  );
}
