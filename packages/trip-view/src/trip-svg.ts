import { bandColors, colors, colorsOf, signalColors } from './colors.js';
import { notesOf } from './trip/badges.js';
import { bandCodes, bandPieces } from './trip/bands.js';
import { axisTicks, boundsOf, ticks } from './trip/ranges.js';
import type { EnumerationSignal, Signal } from './trip/signals.js';
import { type Lane, type Stack, stacksOf, stepOf } from './trip/stacks.js';
import { defectSpans, frameOf, PathText, placeIn, rounded, trace } from './trip/trace.js';
import type { Trip } from './trip/trip.js';
import {
  basisWords,
  counted,
  distanceInWords,
  durationInWords,
  escapeMarkup,
  placeWords,
  valueInWords,
} from './trip/words.js';

/** How a trip is drawn as SVG. */
export interface TripSvgOptions {
  /** Paths of the signals to draw. Default all. */
  readonly signals?: readonly string[] | undefined;
  /** Width in pixels, of which 272 are for labels. A narrow picture is a shorter text. Default 960. */
  readonly width?: number | undefined;
}

const laneHeight = 84;
const bandHeight = 22;
const gap = 10;
const left = 256;
const right = 16;
const axisHeight = 22;

/**
 * Draws a trip as SVG: a lane for each unit, a band for each signal with a fixed set of values, and what a reader should know
 * below, in the colors of the reader's system. The same trip gives the same text. Every extreme of the samples is drawn.
 */
export function tripSvg(trip: Trip, { signals, width = 960 }: TripSvgOptions = {}): string {
  const plotWidth = width - left - right;
  const chosen = { ...trip, signals: trip.signals.filter(({ path }) => signals?.includes(path) ?? true) };
  const heading = headingOf(trip);
  const parts: string[] = [text(16, 28, heading, 'title')];
  let y = 46;
  const add = (part: string, height: number) => {
    parts.push(part);
    y += height;
  };
  for (const stack of stacksOf(chosen, 'time')) {
    const count = stack.axis === 'index' ? ` ${counted(stack.extent, 'sample')}.` : '';
    add(text(16, y + 8, basisWords[stack.axis] + count, 'small'), 22);
    for (const lane of stack.lanes) add(drawLane(lane, stack, y, plotWidth, colorsOf(trip)), laneHeight + gap);
    for (const band of stack.bands) add(drawBand(band, stack, y, plotWidth), bandHeight + gap);
    add(drawAxis(stack, y, plotWidth), axisHeight + gap);
  }
  for (const note of notesOf(chosen)) add(text(16, y + 10, note, 'small'), 18);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 8}" width="${width}" height="${y + 8}" role="img" aria-label="${escapeMarkup(heading)}"><style>${styleSheet}</style><rect class="ground" width="100%" height="100%"/>${parts.join('')}</svg>\n`;
}

function headingOf(trip: Trip): string {
  const distance = distanceInWords(trip.distance);
  const start = new Date(trip.startTime).toISOString().replace('T', ' ').slice(0, 16);
  return `${start} UTC, ${durationInWords(trip.durationMs)}${distance === undefined ? '' : `, ${distance}`}`;
}

function drawLane(lane: Lane, stack: Stack, y: number, plotWidth: number, colorOf: (signal: Signal) => number): string {
  const { axis, extent } = stack;
  const bounds = boundsOf(lane.signals);
  const plot = { axis, view: { from: 0, to: extent }, bounds, left, top: y, width: plotWidth, height: laneHeight };
  const yOf = placeIn(plot);
  const grid = ticks(...bounds, 3).map((tick) => {
    const label = text(left - 6, yOf(tick) + 4, valueInWords(tick), 'tick end');
    return `<path class="grid" d="M${left} ${rounded(yOf(tick))}h${plotWidth}"/>${label}`;
  });
  const lines = lane.signals.map((signal, row) => {
    const frame = frameOf(signal, plot);
    const pen = new PathText();
    trace(pen, signal.values, frame);
    const marks = [...defectSpans(signal, frame.xOf, [left, left + plotWidth])].map(({ defect, first, last }) =>
      rect(defect, first, y, last - first, laneHeight),
    );
    const color = colorOf(signal);
    const label = text(16, y + 14 + row * 18, signal.path, `label ink-${color}`);
    return `${label}<path class="line line-${color}" d="${pen}"/>${marks.join('')}`;
  });
  const unit = text(16, y + 14 + lane.signals.length * 18, lane.unit, 'small');
  return [...grid, unit, ...lines].join('');
}

function drawBand({ path, values, allowed, ...signal }: EnumerationSignal, stack: Stack, y: number, plotWidth: number) {
  const end = stack.extent / stepOf(stack.axis, signal);
  const parts = bandPieces(bandCodes(values, allowed), allowed, 0, end, plotWidth).flatMap((piece) => {
    const [x, columns, height] = [left + piece.start, piece.end - piece.start, bandHeight / piece.values.length];
    return piece.values.map((value, row) => {
      const color = value === null ? 'none' : String(allowed.indexOf(value) % bandColors.length);
      const fits = value !== null && piece.values.length === 1 && columns > value.length * 7 + 10;
      const label = fits ? text(x + 6, y + 15, value, 'value') : '';
      return rect(`band-${color}`, x, y + row * height, columns, height) + label;
    });
  });
  return `${text(16, y + 15, path, 'label')}${parts.join('')}`;
}

function drawAxis({ axis, extent }: Stack, y: number, plotWidth: number): string {
  const labels = axisTicks(axis, 0, extent, plotWidth / 86).map((place) =>
    text(left + (place / extent) * plotWidth, y + 6, placeWords[axis](place), 'tick middle'),
  );
  return labels.join('');
}

function text(x: number, y: number, content: string, style: string): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" class="${style}">${escapeMarkup(content)}</text>`;
}

function rect(style: string, x: number, y: number, width: number, height: number): string {
  const [left, top, across, down] = [x, y, width, height].map(rounded);
  return `<rect class="${style}" x="${left}" y="${top}" width="${across}" height="${down}"/>`;
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

const base =
  'text{font:12px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}.title{font-size:17px;font-weight:650}.small,.tick{font-size:11px}.label{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11.5px}.end{text-anchor:end}.middle{text-anchor:middle}.line{fill:none;stroke-width:1.3;stroke-linejoin:round}.out-of-range{opacity:.35}.missing,.sentinel{opacity:.18}';
const styleSheet = `${base}${colorRules(0)}@media (prefers-color-scheme:dark){${colorRules(1)}}`;
