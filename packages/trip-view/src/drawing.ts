import { bandColor } from './colors.js';
import { bandPieces } from './trip/bands.js';
import { axisTicks, ticks } from './trip/ranges.js';
import type { EnumerationSignal, NumberSignal } from './trip/signals.js';
import { stepOf } from './trip/stacks.js';
import { type Frame, frameOf, isDense, type Pen, type Plot, placeIn, trace } from './trip/trace.js';
import { placeWords, valueInWords } from './trip/words.js';

/** What lanes and bands are drawn on: a canvas of the page, or the text of an SVG. Colors are names of `colors`. */
export interface Surface {
  /** Pixels for each CSS pixel. */
  readonly scale: number;
  stroke(color: string, width: number, draw: (pen: Pen) => void): void;
  fill(color: string, opacity: number, x: number, y: number, width: number, height: number): void;
  dot(color: string, x: number, y: number, radius: number): void;
  write(color: string, align: 'start' | 'middle' | 'end', x: number, y: number, text: string): void;
}

/** Least distance of samples, in CSS pixels, from which each is marked by a dot. */
const dotsFrom = 7;
/** Distance of labels on an axis, in CSS pixels. */
const apart = { across: 86, down: 18 };
/** Distance of the stripes of a band where it has no value, in CSS pixels. */
const stripesApart = 4;

/** Draws the grid of a lane, with a label at each of its values. */
export function drawGrid(on: Surface, plot: Plot): void {
  const { left, top, width, height } = plot;
  const yOf = placeIn(plot);
  const values = ticks(...plot.bounds, height / on.scale / apart.down);
  const thickness = Math.max(1, Math.round(on.scale));
  // Lines fill whole pixels: between two of them, they would be wider and pale.
  const sharp = (place: number) => Math.round(place - thickness / 2) + thickness / 2;
  on.stroke('line', thickness, (pen) => {
    for (const x of labelsOf(on, plot).map((label) => sharp(label.x))) {
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
    }
    for (const y of values.map((value) => sharp(yOf(value)))) {
      pen.moveTo(left, y);
      pen.lineTo(left + width, y);
    }
  });
  for (const value of values)
    on.write('muted', 'end', left - 6 * on.scale, yOf(value) + 4 * on.scale, valueInWords(value));
}

/** Writes the labels of the axis below a plot. */
export function drawAxis(on: Surface, plot: Plot): void {
  const y = plot.top + plot.height + 16 * on.scale;
  for (const { x, place } of labelsOf(on, plot)) on.write('muted', 'middle', x, y, placeWords[plot.axis](place));
}

/** Where labels of the axis stand. */
function labelsOf(on: Surface, { axis, view: { from, to }, left, width }: Plot) {
  const most = Math.max(2, width / on.scale / apart.across);
  return axisTicks(axis, from, to, most).map((place) => ({ place, x: left + ((place - from) * width) / (to - from) }));
}

/** Draws the line of a signal, dots where samples are far enough apart, and marks of samples that are no values. */
export function drawSignal(on: Surface, signal: NumberSignal, color: string, plot: Plot): void {
  const { scale } = on;
  const frame = frameOf(signal, plot);
  const { xOf, yOf } = frame;
  // Columns fill their pixels: any other width is many times as slow to draw.
  const width = isDense(frame) ? 1 : (color === 'ghost' ? 1 : 1.4) * scale;
  on.stroke(color, width, (pen) => trace(pen, signal.values, frame));
  if (xOf(1) - xOf(0) >= dotsFrom * scale) {
    const end = Math.min(signal.length - 1, Math.ceil(frame.to));
    for (let index = Math.max(0, Math.floor(frame.from)); index <= end; index += 1) {
      const value = signal.values[index] ?? Number.NaN;
      if (!Number.isNaN(value)) on.dot(color, xOf(index), yOf(value), 2.4 * scale);
    }
  }
  if (color !== 'ghost') markDefects(on, signal, frame, plot);
}

/**
 * Shades samples that are no values, at least a pixel wide and each pixel once. A foot is where there was none; a triangle points
 * to where a value out of range lies.
 */
function markDefects(on: Surface, { defects, raw, maximum }: NumberSignal, { xOf }: Frame, plot: Plot): void {
  const { left, top, width, height } = plot;
  let covered = Number.NEGATIVE_INFINITY;
  for (const { defect, start, end } of defects) {
    const first = Math.max(left, xOf(start - 0.5));
    const last = Math.min(left + width, Math.max(xOf(end - 0.5), xOf(start - 0.5) + 1));
    if (last <= first || last - covered < 1) continue;
    covered = last;
    on.fill(defect === 'out-of-range' ? 'warning' : 'muted', 0.16, first, top, last - first, height);
    const foot = 2 * on.scale;
    if (defect !== 'out-of-range') on.fill('muted', 1, first, top + height - foot, last - first, foot);
    else if (Number(raw[start]) > (maximum ?? Number.POSITIVE_INFINITY))
      on.write('warning', 'middle', (first + last) / 2, top + 9 * on.scale, '▲');
    else on.write('warning', 'middle', (first + last) / 2, top + height, '▼');
  }
}

/** Draws a signal with a fixed set of values as a colored band. */
export function drawBand(on: Surface, signal: EnumerationSignal, codes: Uint32Array, plot: Omit<Plot, 'bounds'>): void {
  const { axis, view, left, top, width, height } = plot;
  const { allowed } = signal;
  const step = stepOf(axis, signal);
  for (const { start, end, values } of bandPieces(codes, allowed, view.from / step, view.to / step, width)) {
    const rowHeight = height / values.length;
    for (const [row, value] of values.entries()) {
      const box = [left + start, top + row * rowHeight, end - start, rowHeight] as const;
      if (value === null) drawStripes(on, ...box);
      else on.fill(bandColor(allowed, value), 1, ...box);
    }
    const [value] = values;
    if (values.length > 1 || !value || (value.length * 7 + 10) * on.scale > end - start) continue;
    on.write('text', 'start', left + start + 6 * on.scale, top + height / 2 + 4 * on.scale, value);
  }
}

/** Stripes stand for samples that are no values: a value fills its place, whatever its color. */
function drawStripes(on: Surface, left: number, top: number, width: number, height: number): void {
  on.stroke('muted', on.scale, (pen) => {
    for (let x = left; x < left + width; x += stripesApart * on.scale) {
      pen.moveTo(x + on.scale / 2, top);
      pen.lineTo(x + on.scale / 2, top + height);
    }
  });
}
