import { type Color, colors } from '../colors.js';
import { drawAxis, drawBand, drawGrid, drawSignal, type Surface } from '../drawing.js';
import type { BandCodes } from '../trip/bands.js';
import { boundsOf } from '../trip/ranges.js';
import type { EnumerationSignal, NumberSignal } from '../trip/signals.js';
import type { Placement } from '../trip/stacks.js';
import { type Plot, shownPart, type View } from '../trip/trace.js';
import { h } from './element.js';

/** Lanes or bands on a canvas, drawn once they have a size and a view, and again with each other. */
export interface Chart {
  readonly element: HTMLElement;
  /** @param isFitted whether the vertical axis spans what is shown, in place of all values */
  readonly show: (view: View, isFitted: boolean) => void;
}

export interface LaneSignal {
  readonly signal: NumberSignal;
  /** Name of its color; `ghost` for the trip that it is compared with. */
  readonly color: string;
}

/** Width of the vertical axis in CSS pixels: every lane and band leaves it free. */
export const axisWidth = 66;
/** Space right of the plot: half of the longest label. */
export const rightPad = 26;
const axisHeight = 26;
const padding = 6;
const laneHeight = 98;
const bandHeight = 24;
const overviewHeight = 34;

/** What waits for a task of its own. */
const waiting = new Set<() => void>();

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const paper = matchMedia('print');
/** Its color scheme is light for paper, and empty where the system decides. */
const { style } = document.documentElement;
const redraw = () => {
  for (const canvas of document.querySelectorAll('canvas')) canvas.dispatchEvent(new Event('redraw'));
  // Paper does not wait.
  for (const draw of waiting) drawNow(draw);
};
/** Draws again whenever the colors change, by the system and for paper, and when the page gets the width of paper. */
for (const query of [systemDark, paper]) query.addEventListener('change', redraw);
for (const [event, scheme] of Object.entries({ beforeprint: 'light', afterprint: '' }))
  addEventListener(event, () => {
    style.colorScheme = scheme;
    redraw();
  });

/** Draws again in the pixels of another screen or zoom: a chart may keep its size in CSS pixels. */
const watchPixels = () => {
  const pixels = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  pixels.addEventListener(
    'change',
    () => {
      redraw();
      watchPixels();
    },
    { once: true },
  );
};
watchPixels();

/** What fits a chart to the size of its canvas. */
const fits = new WeakMap<Element, (box: DOMRectReadOnly, isNear: boolean) => void>();
/** One for all charts, in the frame that lays them out: reading a size earlier, or between two drawings, would lay out the page for each. */
const sizes = new ResizeObserver((entries) => {
  const places = entries.map(({ target }) => target.getBoundingClientRect());
  for (const [index, { target, contentRect }] of entries.entries()) {
    const { top = 0, bottom = 0 } = places[index] ?? {};
    fits.get(target)?.(contentRect, top < 2 * innerHeight && bottom > -innerHeight);
  }
});

/**
 * Draws what is more than a screen away in a task of its own, in the order of these calls, after the frame that shows what is near.
 */
export function drawLater(draw: () => void): void {
  if (waiting.size === 0) setTimeout(drawNext);
  waiting.add(draw);
}

function drawNext(): void {
  const [draw] = waiting;
  if (draw === undefined) return;
  if (waiting.size > 1) setTimeout(drawNext);
  drawNow(draw);
}

function drawNow(draw: () => void): void {
  waiting.delete(draw);
  draw();
}

/** Draws numeric signals of a unit in one lane. */
export function laneChart(label: string, lane: readonly LaneSignal[], axis: Placement, hasAxis: boolean): Chart {
  const signals = lane.map(({ signal }) => signal);
  const all = boundsOf(signals);
  const below = hasAxis ? axisHeight : padding;
  return chart(label, laneHeight + below, axis, (on, box, isFitted) => {
    const [top, rest] = [padding * on.scale, (padding + below) * on.scale];
    const bounds = isFitted ? boundsOf(signals, undefined, (signal) => shownPart(signal, axis, box.view)) : all;
    const plot = { ...box, bounds, top, height: box.height - rest };
    drawGrid(on, plot);
    if (hasAxis) drawAxis(on, plot);
    on.clip(plot);
    for (const { signal, color } of lane) drawSignal(on, signal, color, plot);
  });
}

/** Draws a signal small and without labels, for the strip above the lanes. */
export function overviewChart(label: string, { signal, color }: LaneSignal, axis: Placement): Chart {
  const bounds = boundsOf([signal]);
  return chart(label, overviewHeight, axis, (on, box) => {
    const plot = { ...box, bounds, top: 2 * on.scale, height: box.height - 4 * on.scale };
    on.clip(plot);
    drawSignal(on, signal, color, plot);
  });
}

/** A signal with a fixed set of values, as it is drawn. */
export interface BandRow extends BandCodes {
  readonly signal: EnumerationSignal;
}

/** Draws signals with a fixed set of values as bands, one below the other. */
export function bandChart(label: string, rows: readonly BandRow[], axis: Placement): Chart {
  const least = rows.length * (bandHeight + 2);
  return chart(label, least + 2 * padding, axis, (on, box) => {
    for (const [row, { signal, codes }] of rows.entries()) {
      const top = Math.round(box.height / 2 + (row * (bandHeight + 2) - least / 2) * on.scale);
      drawBand(on, signal, codes, { ...box, top, height: bandHeight * on.scale });
    }
  });
}

function chart(
  label: string,
  leastHeight: number,
  axis: Placement,
  paint: (on: ReturnType<typeof surfaceOf>, box: Omit<Plot, 'bounds'>, isFitted: boolean) => void,
): Chart {
  const canvas = h('canvas');
  const element = h('div.plot', { role: 'img', 'aria-label': label, '--least': `${leastHeight}px` }, canvas);
  let view: View | undefined;
  let fitted = false;
  let size = { width: 0, height: 0 };
  const draw = () => {
    waiting.delete(draw);
    if (size.width === 0 || view === undefined) return;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const scale = devicePixelRatio;
    // A size empties the canvas, even the same one.
    [canvas.width, canvas.height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    // In the middle of a pixel, every upright line would be two pixels of half its color.
    const left = Math.round(axisWidth * scale);
    const width = Math.max(1, canvas.width - left - Math.round(rightPad * scale));
    paint(surfaceOf(context, scale), { axis, view, left, top: 0, width, height: canvas.height }, fitted);
  };
  const fit = (box: DOMRectReadOnly, isNear: boolean) => {
    size = box;
    if (isNear) draw();
    else drawLater(draw);
  };
  fits.set(canvas, fit);
  sizes.observe(canvas);
  canvas.addEventListener('redraw', () => fit(canvas.getBoundingClientRect(), true));
  const show = (next: View, isFitted: boolean) => {
    view = next;
    fitted = isFitted;
    draw();
  };
  return { element, show };
}

function surfaceOf(context: CanvasRenderingContext2D, scale: number) {
  context.font = `${12 * scale}px system-ui, sans-serif`;
  // Round joins of thousands of steep turns cost several times as much and look the same.
  context.lineJoin = 'bevel';
  return {
    scale,
    clip: ({ left, top, width, height }: Plot) => {
      context.beginPath();
      context.rect(left, top, width, height);
      context.clip();
    },
    stroke: (color, width, draw) => {
      const path = new Path2D();
      draw(path);
      context.strokeStyle = shade(colors[color]);
      context.lineWidth = width;
      context.stroke(path);
    },
    fill: (color, opacity, ...box) => {
      context.globalAlpha = opacity;
      context.fillStyle = shade(colors[color]);
      context.fillRect(...box);
      context.globalAlpha = 1;
    },
    dot: (color, x, y, radius) => {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = shade(colors[color]);
      context.fill();
    },
    write: (color, align, x, y, text) => {
      context.fillStyle = shade(colors[color]);
      context.textAlign = align === 'middle' ? 'center' : align;
      // A long number left of the plot becomes narrow, so that none of its digits is cut off.
      context.fillText(text, x, y, align === 'end' ? x : undefined);
    },
  } satisfies Surface & Record<'clip', unknown>;
}

/** A color of the scheme that is shown; the style sheet knows the scheme by itself. */
function shade([light, dark]: Color = ['', '']): string {
  return style.colorScheme === '' && systemDark.matches ? dark : light;
}
