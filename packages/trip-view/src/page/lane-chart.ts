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
  readonly show: (view: View) => void;
  readonly resize: (width: number) => void;
  /** Draws again, for other colors. */
  readonly redraw: () => void;
  readonly destroy: () => void;
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

/** Draws a lane: numeric signals of a unit, with uPlot's axes and this project's min-max line. */
export function laneChart(
  lane: readonly LaneSignal[],
  axis: Stack['axis'],
  withAxis: boolean,
  view: View,
  { target, width, height }: ChartPlace,
): Chart {
  let shown = view;
  const [low, high] = boundsOf(lane.map(({ signal }) => signal));
  const label = axis === 'time' ? clockOf : valueInWords;
  const style = {
    grid: { stroke: () => shade(colors.line), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
    stroke: () => shade(colors.muted),
  };
  const options: uPlot.Options = {
    width,
    // A lane of several signals is as high as their names need.
    height: Math.max(laneHeight + (withAxis ? axisHeight : 0), height),
    padding: [6, rightPad, withAxis ? 0 : 6, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: () => [shown.from, shown.to] }, y: { range: () => [low, high] } },
    axes: [
      {
        ...style,
        size: withAxis ? axisHeight : 0,
        splits: (plot) => axisTicks(axis, shown, plot.bbox.width / devicePixelRatio / 90),
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
    hooks: {
      draw: lane.map((entry) => (plot: uPlot) => drawSignal(plot, entry, axis, shown, [low, high])),
    },
  };
  const ends: uPlot.AlignedData = [
    [view.from, view.to],
    [low, high],
  ];
  const plot = new uPlot(options, ends, target);
  return {
    show: (next) => {
      shown = next;
      // Draws by itself, once.
      plot.setScale('x', { min: next.from, max: next.to });
    },
    resize: (next) => plot.setSize({ width: next, height: plot.height }),
    redraw: () => plot.redraw(true, true),
    destroy: () => plot.destroy(),
  };
}

/** The line of a signal, dots where samples are far enough apart, and the marks of samples that are no values. */
function drawSignal(
  { ctx, bbox }: uPlot,
  { signal, color }: LaneSignal,
  axis: Stack['axis'],
  { from, to }: View,
  [low, high]: readonly [number, number],
): void {
  const step = stepOf(axis, signal);
  const perSample = (bbox.width / (to - from)) * step;
  // On an index axis a sample stands in the middle of its cell, as the bands show it; in time it stands at its assumed time.
  const shift = from / step - (axis === 'index' ? 0.5 : 0);
  const xOf = (index: number) => bbox.left + (index - shift) * perSample;
  const yOf = (value: number) => bbox.top + (high - value) * (bbox.height / (high - low));
  const frame = { from: shift, to: shift + (to - from) / step, left: bbox.left, width: bbox.width, yOf };
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
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
  if (color !== 'ghost') markDefects(ctx, bbox, signal, xOf);
  ctx.restore();
}

/** Shades samples that are no values; a triangle points to where a value out of range lies. */
function markDefects(
  ctx: CanvasRenderingContext2D,
  { left, top, width, height }: uPlot.BBox,
  { defects, raw, maximum }: NumberSignal,
  xOf: (index: number) => number,
): void {
  const size = 4 * devicePixelRatio;
  const [right, bottom] = [left + width, top + height];
  let covered = Number.NEGATIVE_INFINITY;
  for (const { defect, start, end } of defects) {
    const isOutside = defect === 'out-of-range';
    const first = xOf(start - 0.5);
    const last = Math.max(xOf(end - 0.5), first + 1);
    if (last < left || first > right || last - covered < 1) continue;
    covered = last;
    ctx.globalAlpha = isOutside ? 0.16 : 0.12;
    ctx.fillStyle = shade(isOutside ? colors.warning : colors.muted);
    ctx.fillRect(first, top, last - first, height);
    ctx.globalAlpha = 1;
    if (!isOutside) {
      ctx.fillRect(first, bottom - size / 2, last - first, size / 2);
      continue;
    }
    const sample = raw[start];
    const isAbove = typeof sample === 'number' && sample > (maximum ?? Number.POSITIVE_INFINITY);
    const [edge, tip] = isAbove ? [top + size * 1.6, top] : [bottom - size * 1.6, bottom];
    const middle = (Math.max(first, left) + Math.min(last, right)) / 2;
    ctx.beginPath();
    ctx.moveTo(middle - size, edge);
    ctx.lineTo(middle + size, edge);
    ctx.lineTo(middle, tip);
    ctx.fill();
  }
}

function axisTicks(axis: Stack['axis'], { from, to }: View, most: number): number[] {
  if (axis === 'time') return timeTicks(from, to, Math.max(2, most));
  return ticks(from, to, Math.max(2, most)).filter(Number.isInteger);
}
