import uPlot from 'uplot';
import { colors, signalColors } from '../colors.js';
import type { NumberSignal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { boundsOf, ticks, timeTicks } from '../trip/ticks.js';
import { isDense, trace } from '../trip/trace.js';
import { clockOf, valueInWords } from '../trip/words.js';
import { shade } from './theme.js';

/** The part of the axis that is shown, in milliseconds or samples. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** Where a chart is drawn, and how much room there is in CSS pixels. */
export interface ChartPlace {
  readonly target: HTMLElement;
  readonly width: number;
  readonly height: number;
}

/** A lane or a band. */
export interface Chart {
  /** Shows another part of the axis. */
  show(view: View): void;
  resize(width: number): void;
  /** Draws again, for other colors. */
  redraw(): void;
  destroy(): void;
}

/** A signal in a lane. */
export interface LaneSignal {
  readonly signal: NumberSignal;
  /** Its color, by index into the palette; `ghost` for the trip that it is compared with. */
  readonly color: number | 'ghost';
}

/** Width of the vertical axis in CSS pixels: every lane and band leaves it free. */
export const axisWidth = 66;
/** Space right of the plot: half of the longest label. */
export const rightPad = 26;
const axisHeight = 26;
const laneHeight = 104;
/** From this distance of samples on, in CSS pixels, each is marked by a dot. */
const dotsFrom = 7;

/** One lane: numeric signals of a unit, drawn by uPlot's axes and this project's min-max line. */
export class LaneChart implements Chart {
  readonly #plot: uPlot;
  readonly #bounds: readonly [number, number];
  #view: View;

  constructor(lane: readonly LaneSignal[], axis: Stack['axis'], withAxis: boolean, view: View, place: ChartPlace) {
    this.#view = view;
    const [low, high] = boundsOf(lane.map(({ signal }) => signal));
    this.#bounds = [low, high];
    const label = axis === 'time' ? clockOf : valueInWords;
    const style = {
      grid: { stroke: () => shade(colors.line), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
      stroke: () => shade(colors.muted),
    };
    this.#plot = new uPlot(
      {
        width: place.width,
        // A lane of several signals is as high as their names need.
        height: Math.max(laneHeight + (withAxis ? axisHeight : 0), place.height),
        padding: [6, rightPad, withAxis ? 0 : 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [this.#view.from, this.#view.to] },
          y: { range: () => [low, high] },
        },
        axes: [
          {
            ...style,
            size: withAxis ? axisHeight : 0,
            splits: (plot) => axisTicks(axis, this.#view, plot.bbox.width / devicePixelRatio / 90),
            values: (_, splits) => splits.map((split) => (withAxis ? label(split) : '')),
          },
          {
            ...style,
            size: axisWidth,
            gap: 6,
            splits: () => ticks(low, high, 5),
            values: (_, splits) => splits.map(valueInWords),
          },
        ],
        // uPlot draws scales, axes and grid. The lines are drawn after it, from the samples themselves.
        series: [{}, { points: { show: false }, paths: () => null }],
        hooks: { draw: lane.map((entry) => (plot: uPlot) => this.#draw(plot, entry, axis)) },
      },
      [
        [view.from, view.to],
        [low, high],
      ],
      place.target,
    );
  }

  show(view: View): void {
    this.#view = view;
    // Draws by itself, once.
    this.#plot.setScale('x', { min: view.from, max: view.to });
  }

  resize(width: number): void {
    this.#plot.setSize({ width, height: this.#plot.height });
  }

  redraw(): void {
    this.#plot.redraw(true, true);
  }

  destroy(): void {
    this.#plot.destroy();
  }

  /** The line of a signal, dots where samples are far enough apart, and the marks of samples that are no values. */
  #draw(plot: uPlot, { signal, color }: LaneSignal, axis: Stack['axis']): void {
    const { ctx, bbox } = plot;
    const { from, to } = this.#view;
    const step = stepOf(axis, signal);
    const perSample = (bbox.width / (to - from)) * step;
    const shift = from / step - offsetOf(axis);
    const xOf = (index: number) => bbox.left + (index - shift) * perSample;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    const [low, high] = this.#bounds;
    const perValue = bbox.height / (high - low);
    const yOf = (value: number) => bbox.top + (high - value) * perValue;
    const frame = { from: shift, to: shift + (to - from) / step, left: bbox.left, width: bbox.width, yOf };
    const line = new Path2D();
    trace(line, signal.values, frame);
    ctx.strokeStyle = shade(color === 'ghost' ? colors.ghost : signalColors[color]);
    // Columns fill their pixels: any other width is many times as slow to draw.
    ctx.lineWidth = isDense(frame) ? 1 : (color === 'ghost' ? 1 : 1.4) * devicePixelRatio;
    // Round joins of thousands of steep turns cost several times as much and look the same.
    ctx.lineJoin = 'bevel';
    ctx.stroke(line);
    if (perSample >= dotsFrom * devicePixelRatio) {
      ctx.fillStyle = ctx.strokeStyle;
      const end = Math.min(signal.length - 1, Math.ceil(to / step));
      for (let index = Math.max(0, Math.floor(from / step)); index <= end; index += 1) {
        const value = signal.values[index] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        ctx.beginPath();
        ctx.arc(xOf(index), yOf(value), 2.4 * devicePixelRatio, 0, 7);
        ctx.fill();
      }
    }
    if (color !== 'ghost') this.#markDefects(ctx, bbox, signal, xOf);
    ctx.restore();
  }

  #markDefects(ctx: CanvasRenderingContext2D, bbox: uPlot.BBox, signal: NumberSignal, xOf: (index: number) => number) {
    const [warning, muted] = [shade(colors.warning), shade(colors.muted)];
    const size = 4 * devicePixelRatio;
    let covered = Number.NEGATIVE_INFINITY;
    for (const { defect, start, end } of signal.defects) {
      const left = xOf(start - 0.5);
      const right = Math.max(xOf(end - 0.5), left + 1);
      if (right < bbox.left || left > bbox.left + bbox.width || right - covered < 1) continue;
      covered = right;
      ctx.globalAlpha = defect === 'out-of-range' ? 0.16 : 0.12;
      ctx.fillStyle = defect === 'out-of-range' ? warning : muted;
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
      ctx.globalAlpha = 1;
      const middle = (Math.max(left, bbox.left) + Math.min(right, bbox.left + bbox.width)) / 2;
      if (defect === 'out-of-range') {
        const sample = signal.raw[start];
        const above = typeof sample === 'number' && sample > (signal.maximum ?? Number.POSITIVE_INFINITY);
        const [edge, tip] = above
          ? [bbox.top + size * 1.6, bbox.top]
          : [bbox.top + bbox.height - size * 1.6, bbox.top + bbox.height];
        ctx.beginPath();
        ctx.moveTo(middle - size, edge);
        ctx.lineTo(middle + size, edge);
        ctx.lineTo(middle, tip);
        ctx.fill();
      } else {
        ctx.fillRect(left, bbox.top + bbox.height - size / 2, right - left, size / 2);
      }
    }
  }
}

/** On an index axis a sample stands in the middle of its cell, as the bands show it; in time it stands at its assumed time. */
function offsetOf(axis: Stack['axis']): number {
  return axis === 'index' ? 0.5 : 0;
}

function axisTicks(axis: Stack['axis'], { from, to }: View, most: number): number[] {
  if (axis === 'time') return timeTicks(from, to, Math.max(2, most));
  return ticks(from, to, Math.max(2, most)).filter(Number.isInteger);
}
