import uPlot from 'uplot';
import { bandColors, colors, signalColors } from '../colors.js';
import { bandCodes, bandPieces } from '../trip/bands.js';
import { axisTicks, boundsOf, ticks } from '../trip/ranges.js';
import type { EnumerationSignal, NumberSignal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { defectSpans, frameOf, isDense, type Plot, trace } from '../trip/trace.js';
import { placeWords, valueInWords } from '../trip/words.js';
import { h } from './element.js';
import { shade } from './theme.js';

/** The part of the axis that is shown, in milliseconds or samples. */
export type View = Plot['view'];

/** A lane or a band, drawn by its first view and again with each other. Widths are in CSS pixels. */
export interface Chart {
  readonly draw: (view: View, width: number) => void;
  readonly destroy?: () => void;
}

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
const bandHeight = 24;
/** From this distance of samples on, in CSS pixels, each is marked by a dot. */
const dotsFrom = 7;

/** Draws numeric signals of a unit, with uPlot's axes and this project's min-max line, at least as high as their names need. */
export function laneChart(
  lane: readonly LaneSignal[],
  axis: Stack['axis'],
  withAxis: boolean,
  target: HTMLElement,
  least: number,
): Chart {
  let shown: View = { from: 0, to: 1 };
  let plot: uPlot | undefined;
  const bounds = boundsOf(lane.map(({ signal }) => signal));
  const style = {
    grid: { stroke: () => shade(colors.line), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
    stroke: () => shade(colors.muted),
  };
  const options: Omit<uPlot.Options, 'width'> = {
    height: Math.max(laneHeight + (withAxis ? axisHeight : 0), least),
    padding: [6, rightPad, withAxis ? 0 : 6, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: () => [shown.from, shown.to] }, y: { range: () => [...bounds] } },
    axes: [
      {
        ...style,
        size: withAxis ? axisHeight : 0,
        splits: ({ bbox }) => axisTicks(axis, shown.from, shown.to, Math.max(2, bbox.width / devicePixelRatio / 90)),
        values: (_, splits) => splits.map((split) => (withAxis ? placeWords[axis](split) : '')),
      },
      {
        ...style,
        size: axisWidth,
        gap: 6,
        splits: () => ticks(...bounds, 5),
        values: (_, splits) => splits.map(valueInWords),
      },
    ],
    // uPlot draws scales, axes and grid. The lines are drawn after it, from the samples themselves.
    series: [{}, { points: { show: false }, paths: () => null }],
    hooks: {
      draw: lane.map((entry) => ({ ctx, bbox }: uPlot) => {
        // uPlot's box may begin in the middle of a pixel, where every upright line would be two pixels of half its color.
        const [left, width] = [Math.round(bbox.left), Math.round(bbox.width)];
        drawSignal(ctx, entry, { axis, view: shown, bounds, ...bbox, left, width });
      }),
    },
  };
  return {
    draw: (view, width) => {
      shown = view;
      plot ??= new uPlot({ ...options, width }, [[view.from, view.to], [...bounds]], target);
      if (width !== plot.width) plot.setSize({ width, height: plot.height });
      // All changes until the end of the task are drawn at once.
      plot.setScale('x', { min: view.from, max: view.to });
    },
    destroy: () => plot?.destroy(),
  };
}

/** The line of a signal, dots where samples are far enough apart, and the marks of samples that are no values. */
function drawSignal(ctx: CanvasRenderingContext2D, { signal, color }: LaneSignal, plot: Plot): void {
  const { left, top, width, height } = plot;
  const frame = frameOf(signal, plot);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  const line = new Path2D();
  trace(line, signal.values, frame);
  ctx.strokeStyle = shade(color === 'ghost' ? colors.ghost : signalColors[color]);
  // Columns fill their pixels: any other width is many times as slow to draw.
  ctx.lineWidth = isDense(frame) ? 1 : (color === 'ghost' ? 1 : 1.4) * devicePixelRatio;
  // Round joins of thousands of steep turns cost several times as much and look the same.
  ctx.lineJoin = 'bevel';
  ctx.stroke(line);
  if (frame.xOf(1) - frame.xOf(0) >= dotsFrom * devicePixelRatio) {
    ctx.fillStyle = ctx.strokeStyle;
    const end = Math.min(signal.length - 1, Math.ceil(frame.to));
    for (let index = Math.max(0, Math.floor(frame.from)); index <= end; index += 1) {
      const value = signal.values[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      ctx.beginPath();
      ctx.arc(frame.xOf(index), frame.yOf(value), 2.4 * devicePixelRatio, 0, 7);
      ctx.fill();
    }
  }
  if (color !== 'ghost') markDefects(ctx, plot, signal, frame.xOf);
  ctx.restore();
}

/** Shades samples that are no values; a triangle points to where a value out of range lies. */
function markDefects(
  ctx: CanvasRenderingContext2D,
  { left, top, width, height }: Plot,
  signal: NumberSignal,
  xOf: (index: number) => number,
): void {
  const size = 4 * devicePixelRatio;
  const bottom = top + height;
  for (const { defect, first, last, index } of defectSpans(signal, xOf, [left, left + width])) {
    const isOutside = defect === 'out-of-range';
    ctx.globalAlpha = isOutside ? 0.16 : 0.12;
    ctx.fillStyle = shade(isOutside ? colors.warning : colors.muted);
    ctx.fillRect(first, top, last - first, height);
    ctx.globalAlpha = 1;
    if (!isOutside) {
      ctx.fillRect(first, bottom - size / 2, last - first, size / 2);
      continue;
    }
    const sample = signal.raw[index];
    const isAbove = typeof sample === 'number' && sample > (signal.maximum ?? Number.POSITIVE_INFINITY);
    const [edge, tip] = isAbove ? [top + size * 1.6, top] : [bottom - size * 1.6, bottom];
    const middle = (first + last) / 2;
    ctx.beginPath();
    ctx.moveTo(middle - size, edge);
    ctx.lineTo(middle + size, edge);
    ctx.lineTo(middle, tip);
    ctx.fill();
  }
}

/** Draws a signal with a fixed set of values as a colored band. */
export function bandChart(
  { values: samples, allowed, ...signal }: EnumerationSignal,
  axis: Stack['axis'],
  target: HTMLElement,
): Chart {
  const canvas = h('canvas');
  target.append(canvas);
  const codes = bandCodes(samples, allowed);
  const step = stepOf(axis, signal);
  const draw: Chart['draw'] = ({ from, to }, cssWidth) => {
    const ratio = devicePixelRatio;
    // A size empties the canvas, even the same one.
    [canvas.width, canvas.height] = [Math.round(cssWidth * ratio), Math.round(bandHeight * ratio)];
    canvas.style.width = `${cssWidth}px`;
    canvas.style.height = `${bandHeight}px`;
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    const left = Math.round(axisWidth * ratio);
    const columns = Math.max(1, Math.round((cssWidth - axisWidth - rightPad) * ratio));
    for (const { start, end, values } of bandPieces(codes, allowed, from / step, to / step, columns)) {
      const [x, width, height] = [left + start, end - start, canvas.height / values.length];
      for (const [row, value] of values.entries()) {
        if (value === null) {
          context.fillStyle = shade(colors.muted);
          for (let stripe = 0; stripe < width; stripe += 4 * ratio)
            context.fillRect(x + stripe, row * height, Math.min(ratio, width - stripe), height);
          continue;
        }
        context.fillStyle = shade(bandColors[allowed.indexOf(value) % bandColors.length]);
        context.fillRect(x, row * height, width, height);
        if (values.length > 1 || context.measureText(value).width + 12 * ratio > width) continue;
        context.fillStyle = shade(colors.text);
        context.fillText(value, x + 6 * ratio, canvas.height / 2 + ratio / 2);
      }
    }
  };
  return { draw };
}
