import { bandColors, colors, signalColors } from './colors.js';
import { badgesOf } from './trip/badges.js';
import { bandCodes, bandPieces } from './trip/bands.js';
import type { EnumerationSignal, NumberSignal } from './trip/signals.js';
import { type Lane, type Stack, stacksOf, stepOf } from './trip/stacks.js';
import { boundsOf, ticks, timeTicks } from './trip/ticks.js';
import { PathText, trace } from './trip/trace.js';
import type { Trip } from './trip/trip.js';
import { clockOf, counted, distanceInWords, durationInWords, timeBasisWords, valueInWords } from './trip/words.js';

/** How a trip is drawn as SVG. */
export interface TripSvgOptions {
  /** Width in pixels. Default 960. */
  readonly width?: number | undefined;
  /** Colors; `auto` follows the reader's system. Default `auto`. */
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Paths of the signals to draw. Default all. */
  readonly signals?: readonly string[] | undefined;
  /** Heading of the picture. Default start (UTC), length and distance. */
  readonly title?: string | undefined;
}

const laneHeight = 84;
const bandHeight = 22;
const gap = 10;
const left = 256;
const right = 16;
const axisHeight = 22;

/**
 * Draws a trip as SVG: a lane for each unit, a band for each signal with a fixed set of values, and what a reader should know
 * below. The same trip gives the same text. Every extreme of the samples is drawn.
 */
export function tripSvg(trip: Trip, { width = 960, theme = 'auto', signals, title }: TripSvgOptions = {}): string {
  const chosen =
    signals === undefined ? trip : { ...trip, signals: trip.signals.filter(({ path }) => signals.includes(path)) };
  const numbers = trip.signals.filter(({ kind }) => kind === 'number').map(({ path }) => path);
  const heading = title ?? headingOf(trip);
  const parts: string[] = [text(16, 28, heading, 'title')];
  let y = 46;
  for (const stack of stacksOf(chosen, 'time')) {
    const basis =
      stack.axis === 'time'
        ? timeBasisWords['assumed-even']
        : `${timeBasisWords.unknown} ${counted(stack.extent, 'sample')}.`;
    parts.push(text(16, y + 8, basis, 'small'));
    y += 22;
    const frame: Box = { left, width: width - left - right, stack };
    for (const lane of stack.lanes) {
      parts.push(drawLane(lane, frame, y, (path) => Math.max(0, numbers.indexOf(path)) % signalColors.length));
      y += laneHeight + gap;
    }
    for (const band of stack.bands) {
      parts.push(drawBand(band, frame, y));
      y += bandHeight + gap;
    }
    parts.push(drawAxis(frame, y));
    y += axisHeight + gap;
  }
  if (chosen.signals.every(({ length }) => length === 0)) {
    parts.push(text(16, y + 16, 'There is nothing to draw: no signal of this trip has a sample.', 'label'));
    y += 30;
  }
  for (const { label, explanation } of badgesOf(chosen).filter(({ kind }) => kind !== 'time-assumed')) {
    parts.push(text(16, y + 10, `${label}: ${explanation}`, 'small'));
    y += 18;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 8}" width="${width}" height="${y + 8}" role="img" aria-label="${escapeXml(heading)}"><style>${styleOf(theme)}</style><rect class="ground" width="100%" height="100%"/>${parts.join('')}</svg>\n`;
}

interface Box {
  readonly left: number;
  readonly width: number;
  readonly stack: Stack;
}

function headingOf(trip: Trip): string {
  const distance = distanceInWords(trip.distance);
  const start = new Date(trip.startTime).toISOString().replace('T', ' ').slice(0, 16);
  return `${start} UTC, ${durationInWords(trip.durationMs)}${distance === undefined ? '' : `, ${distance}`}`;
}

function drawLane(lane: Lane, { left: x, width, stack }: Box, y: number, colorOf: (path: string) => number): string {
  const [low, high] = boundsOf(lane.signals);
  const yOf = (value: number) => y + laneHeight - ((value - low) / (high - low)) * laneHeight;
  const grid = ticks(low, high, 3).map(
    (tick) =>
      `<path class="grid" d="M${x} ${fixed(yOf(tick))}h${width}"/>${text(x - 6, yOf(tick) + 4, valueInWords(tick), 'tick end')}`,
  );
  const lines = lane.signals.map((signal, row) => {
    const pen = new PathText();
    const step = stepOf(stack.axis, signal);
    // On an index axis a sample stands in the middle of its cell.
    const offset = stack.axis === 'index' ? 0.5 : 0;
    trace(pen, signal.values, { from: -offset, to: stack.extent / step - offset, left: x, width, yOf });
    const color = colorOf(signal.path);
    return `${text(16, y + 14 + row * 18, signal.path, `label ink-${color}`)}<path class="line line-${color}" d="${pen}"/>${defects(signal, stack, { x, width, y })}`;
  });
  return `${grid.join('')}${text(16, y + 14 + lane.signals.length * 18, lane.unit, 'small')}${lines.join('')}`;
}

function defects(signal: NumberSignal, stack: Stack, { x, width, y }: { x: number; width: number; y: number }): string {
  const perSample = (width / stack.extent) * stepOf(stack.axis, signal);
  const half = stack.axis === 'index' ? 0 : 0.5;
  let covered = -1;
  let marks = '';
  for (const { defect, start, end } of signal.defects) {
    const from = Math.max(0, (start - half) * perSample);
    const to = Math.min(width, Math.max((end - half) * perSample, from + 1));
    if (to - covered < 1) continue;
    covered = to;
    marks += `<rect class="${defect}" x="${fixed(x + from)}" y="${y}" width="${fixed(to - from)}" height="${laneHeight}"/>`;
  }
  return marks;
}

function drawBand(signal: EnumerationSignal, { left: x, width, stack }: Box, y: number): string {
  const step = stepOf(stack.axis, signal);
  const pieces = bandPieces(
    bandCodes(signal.values, signal.allowed),
    signal.allowed,
    0,
    stack.extent / step,
    width,
  ).flatMap(({ start, end, values }) =>
    values.map((value, row) => {
      const height = bandHeight / values.length;
      const color = value === null ? 'none' : String(signal.allowed.indexOf(value) % bandColors.length);
      const rect = `<rect class="band-${color}" x="${x + start}" y="${fixed(y + row * height)}" width="${end - start}" height="${fixed(height)}"/>`;
      const fits = value !== null && values.length === 1 && end - start > value.length * 7 + 10;
      return fits ? `${rect}${text(x + start + 6, y + 15, value, 'value')}` : rect;
    }),
  );
  return `${text(16, y + 15, signal.path, 'label')}${pieces.join('')}`;
}

function drawAxis({ left: x, width, stack }: Box, y: number): string {
  const [marks, label] =
    stack.axis === 'time'
      ? [timeTicks(0, stack.extent, 8), clockOf]
      : [ticks(0, stack.extent, 8).filter(Number.isInteger), valueInWords];
  return marks.map((mark) => text(x + (mark / stack.extent) * width, y + 6, label(mark), 'tick middle')).join('');
}

function text(x: number, y: number, content: string, style: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" class="${style}">${escapeXml(content)}</text>`;
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(content: string): string {
  return (
    content
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Characters that XML cannot hold.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  );
}

function styleOf(theme: 'auto' | 'light' | 'dark'): string {
  const base =
    'text{font:12px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}.title{font-size:17px;font-weight:650}.small,.tick{font-size:11px}.label{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11.5px}.end{text-anchor:end}.middle{text-anchor:middle}.line{fill:none;stroke-width:1.3;stroke-linejoin:round}.out-of-range{opacity:.35}.missing,.sentinel{opacity:.18}';
  if (theme === 'dark') return base + colorRules(1);
  return base + colorRules(0) + (theme === 'auto' ? `@media (prefers-color-scheme:dark){${colorRules(1)}}` : '');
}

/** Rules for all colors on a light (0) or a dark ground (1). */
function colorRules(ground: 0 | 1): string {
  const { text: ink, muted, line, warning } = colors;
  const lines = signalColors.map(
    (color, index) => `.line-${index}{stroke:${color[ground]}}.ink-${index}{fill:${color[ground]}}`,
  );
  const bands = bandColors.map((color, index) => `.band-${index}{fill:${color[ground]}}`);
  return `.ground{fill:${colors.ground[ground]}}text,.value{fill:${ink[ground]}}.small,.tick{fill:${muted[ground]}}.grid{stroke:${line[ground]}}.out-of-range{fill:${warning[ground]}}.missing,.sentinel,.band-none{fill:${muted[ground]}}${lines.join('')}${bands.join('')}`;
}
