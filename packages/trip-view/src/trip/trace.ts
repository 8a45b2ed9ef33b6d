import { minMax } from '@vehicle-data/client/series';

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
  /** Left edge and width of the plot, in pixels. */
  readonly left: number;
  readonly width: number;
  /** Place of a value, in pixels. */
  readonly yOf: (value: number) => number;
}

/** Length of the mark of a sample that has no neighbors, in pixels. */
const lonely = 2;

/**
 * Draws the samples of a signal, each at its own place. Lines join neighbors only: a sample that is no value interrupts them.
 * With more samples than pixels, the lowest and the highest sample of each pixel are drawn, so that no extreme is hidden.
 */
export function trace(pen: Pen, values: Float64Array, { from, to, left, width, yOf }: Frame): void {
  // With the neighbors outside the edges, so that lines run up to them.
  const begin = Math.max(0, Math.ceil(from) - 1);
  const shown = values.subarray(begin, Math.min(values.length, Math.floor(to) + 2));
  const kept = shown.length > 2 * width ? minMax(shown, width) : undefined;
  const count = kept?.length ?? shown.length;
  const perSample = width / (to - from);
  const sampleAt = (position: number) => shown[kept ? (kept[position] ?? -1) : position] ?? Number.NaN;
  let joined = false;
  for (let position = 0; position < count; position += 1) {
    const value = sampleAt(position);
    if (Number.isNaN(value)) {
      joined = false;
      continue;
    }
    const x = left + (begin + (kept?.[position] ?? position) - from) * perSample;
    const y = yOf(value);
    const next = sampleAt(position + 1);
    if (joined) pen.lineTo(x, y);
    else if (!Number.isNaN(next)) pen.moveTo(x, y);
    else {
      pen.moveTo(x - lonely / 2, y);
      pen.lineTo(x + lonely / 2, y);
    }
    joined = true;
  }
}

/** A pen that writes the data of an SVG path, with one decimal. */
export class PathText implements Pen {
  #text = '';
  moveTo(x: number, y: number): void {
    this.#text += `M${round(x)} ${round(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.#text += `L${round(x)} ${round(y)}`;
  }
  toString(): string {
    return this.#text;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
