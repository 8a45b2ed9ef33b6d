import { extremesOf } from './ranges.js';
import type { NumberSignal } from './signals.js';
import { type Placement, stepOf } from './stacks.js';

/** What a line is drawn with: a `Path2D`, or text for an SVG path. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** The part of a signal that a chart shows, and where it shows it. */
export interface Frame {
  /** Left and right edge in samples; may lie between two. */
  readonly from: number;
  readonly to: number;
  /** Left edge and width of the plot, in whole pixels. */
  readonly left: number;
  readonly width: number;
  readonly xOf: (index: number) => number;
  readonly yOf: (value: number) => number;
}

/** The part of an axis that is shown, in milliseconds or samples. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** Samples of a signal that a view shows, and those beside them, whose lines run into it. */
export function shownPart(
  signal: NumberSignal,
  axis: Placement,
  { from, to }: View,
): readonly [start: number, end: number] {
  const step = stepOf(axis, signal);
  return [Math.max(0, Math.floor(from / step)), Math.min(signal.length, Math.ceil(to / step) + 1)];
}

/** A part of an axis, the values between two bounds, and the box in pixels in which both are drawn. */
export interface Plot extends Pick<Frame, 'left' | 'width'> {
  readonly axis: Placement;
  readonly view: View;
  readonly bounds: readonly [low: number, high: number];
  readonly top: number;
  readonly height: number;
}

export function placeIn({ bounds: [low, high], top, height }: Plot): (value: number) => number {
  return (value) => top + ((high - value) * height) / (high - low);
}

export function frameOf(signal: NumberSignal, plot: Plot): Frame {
  const { axis, left, width } = plot;
  const { from, to } = plot.view;
  const step = stepOf(axis, signal);
  // On an index axis a sample stands in the middle of its cell, as the bands show it; in time it stands at its assumed time.
  const shift = from / step - (axis === 'index' ? 0.5 : 0);
  return {
    from: shift,
    to: shift + (to - from) / step,
    left,
    width,
    xOf: (index) => left + ((index - shift) * width * step) / (to - from),
    yOf: placeIn(plot),
  };
}

/** Whether a frame has more samples than pixels, so that columns are drawn in place of a line. */
export function isDense({ from, to, width }: Pick<Frame, 'from' | 'to' | 'width'>): boolean {
  return to - from > width;
}

/** Least extent of what is drawn, in pixels: a sample without neighbors, or a column of one value. */
const least = 2;

/**
 * Draws the samples of a signal, each at its own place. Lines join neighbors only: a sample that is no value interrupts them.
 * With more samples than pixels, each pixel gets an upright line from its lowest to its highest sample, so that no extreme is
 * hidden. Browsers draw such lines much faster than a line of as many turns.
 */
export function trace(pen: Pen, values: Float64Array, frame: Frame): void {
  if (isDense(frame)) traceColumns(pen, values, frame);
  else traceLine(pen, values, frame);
}

function traceColumns(pen: Pen, values: Float64Array, { from, to, left, width, yOf }: Frame): void {
  const perColumn = (to - from) / width;
  let start = Math.max(0, Math.ceil(from));
  for (let column = 0; column < width; column += 1) {
    const end = Math.min(values.length, Math.ceil(from + (column + 1) * perColumn));
    if (start >= end) continue;
    // With the last sample of the column before, where that is joined to the first of this one.
    const isJoined = start > 0 && !Number.isNaN(values[start]);
    const found = extremesOf(values, isJoined ? start - 1 : start, end);
    start = end;
    if (found === null) continue;
    const [top, bottom] = [yOf(found.high), yOf(found.low)];
    const more = Math.max(0, least - (bottom - top)) / 2;
    pen.moveTo(left + column + 0.5, top - more);
    pen.lineTo(left + column + 0.5, bottom + more);
  }
}

function traceLine(pen: Pen, values: Float64Array, { from, to, xOf, yOf }: Frame): void {
  // With the neighbors outside the edges, so that lines run up to them.
  const begin = Math.max(0, Math.ceil(from) - 1);
  const end = Math.min(values.length, Math.floor(to) + 2);
  let joined = false;
  for (let index = begin; index < end; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) {
      joined = false;
      continue;
    }
    const [x, y] = [xOf(index), yOf(value)];
    if (joined) pen.lineTo(x, y);
    else if (index + 1 < end && !Number.isNaN(values[index + 1])) pen.moveTo(x, y);
    else {
      pen.moveTo(x - least / 2, y);
      pen.lineTo(x + least / 2, y);
    }
    joined = true;
  }
}
