import { colorOf, colors } from './colors.js';
import { drawAxis, drawBand, drawGrid, drawSignal, type Surface } from './drawing.js';
import { notesOf } from './trip/badges.js';
import { bandCodes } from './trip/bands.js';
import { boundsOf } from './trip/ranges.js';
import { type NumberSignal, unitInWords } from './trip/signals.js';
import { type Placement, stacksOf } from './trip/stacks.js';
import { type Pen, type Plot, shownPart, type View } from './trip/trace.js';
import type { Trip } from './trip/trip.js';
import { basisWords, counted, distanceInWords, durationInWords, escapeMarkup, placeWords } from './trip/words.js';

/** How a trip is drawn as SVG. */
export interface TripSvgOptions {
  /** Paths of the signals to draw. Default all. */
  readonly signals?: readonly string[] | undefined;
  /** Width in pixels, of which 272 are for labels, or 72 where labels are above the lanes. A narrow picture is a shorter text. Default 960. */
  readonly width?: number | undefined;
  /** Where the names of signals are: beside their lanes, or above them, for columns and phones. Default beside. */
  readonly labels?: 'beside' | 'above' | undefined;
  /** What samples are placed by: their assumed time where they have one, their index, or the distance driven. Default time. */
  readonly placement?: Placement | undefined;
  /** The part to draw of what is placed so, in milliseconds since the start, samples, or meters. Default all. */
  readonly part?: View | undefined;
}

const laneHeight = 84;
const bandHeight = 22;
const gap = 10;
const leftOf = { beside: 256, above: 56 } as const;
const right = 16;
const axisHeight = 22;

/**
 * Draws a trip as SVG: a lane for each unit, a band for each signal with a fixed set of values, and what a reader should know
 * below, in the colors of the reader's system. The same trip gives the same text. Every extreme of the samples is drawn.
 */
export function tripSvg(
  trip: Trip,
  { signals, width = 960, labels = 'beside', placement = 'time', part }: TripSvgOptions = {},
): string {
  const left = leftOf[labels];
  const chosen = { ...trip, signals: trip.signals.filter(({ path }) => signals?.includes(path) ?? true) };
  const places = part && [part.from, part.to].map((place) => placeWords[placement](Math.round(place)));
  const heading = headingOf(trip) + (places ? `, from ${places.join(' to ')}` : '');
  const isAbove = labels === 'above';
  const on = new SvgText();
  /** Writes a text, in several lines where the picture is a column; returns where the next one can be. */
  const paragraph = (style: string, top: number, text: string, letter: number, lineHeight: number, between = ' ') => {
    const lines = isAbove ? wrapped(text, (width - 32) / letter, between) : [text];
    for (const [row, line] of lines.entries()) on.label(style, top + row * lineHeight, line);
    return top + lines.length * lineHeight;
  };
  let y = paragraph('text title', 28, heading, 9.5, 18, ', ');
  for (const [number, { axis, extent, lanes, bands }] of stacksOf(chosen, placement).entries()) {
    // Other stacks have other places.
    const view = part && number === 0 && axis === placement ? part : { from: 0, to: extent };
    const count = axis === 'index' ? ` ${counted(extent, 'sample')}.` : '';
    y = paragraph('muted', y + 8, basisWords[axis] + count, 6.4, 14);
    const plotOf = (height: number) => ({ axis, view, left, top: y, width: width - left - right, height }) as const;
    for (const { signals } of lanes) {
      const ofPart = part && ((signal: NumberSignal) => shownPart(signal, axis, view));
      if (isAbove) {
        on.write('muted', 'end', width - right, y + 14, signals[0] ? unitInWords(signals[0]) : '');
        for (const signal of signals) y = paragraph(`${colorOf(signal)} code`, y + 14, signal.path, 0, 8);
      }
      const plot = { ...plotOf(laneHeight), bounds: boundsOf(signals, undefined, ofPart) };
      drawGrid(on, plot);
      for (const [row, signal] of signals.entries()) {
        if (!isAbove) on.label(`${colorOf(signal)} code`, y + 14 + row * 18, signal.path);
        on.clipped(part && plot, () => drawSignal(on, signal, colorOf(signal), plot));
      }
      if (!isAbove) on.label('muted', y + 14 + signals.length * 18, signals[0] ? unitInWords(signals[0]) : '');
      y += laneHeight + gap;
    }
    for (const band of bands) {
      on.label('text code', y + 15, band.path);
      if (isAbove) y += 22;
      drawBand(on, band, bandCodes(band.values, band.allowed).codes, plotOf(bandHeight));
      y += bandHeight + gap;
    }
    drawAxis(on, { ...plotOf(-gap), bounds: [0, 1] });
    y += axisHeight + gap;
  }
  for (const note of notesOf(chosen)) {
    y = paragraph('muted', y + 10, note, 6.4, 14) - 6;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" class="trip" viewBox="0 0 ${width} ${y + 8}" width="${width}" height="${y + 8}" role="img" aria-label="${escapeMarkup(heading)}"><style>${styleSheet}</style><rect class="ground" width="100%" height="100%"/>${on.markup}</svg>\n`;
}

/** Words in lines of at most so many letters, or what stands between others: a time and its unit stay together. */
function wrapped(text: string, letters: number, between: string): readonly string[] {
  const lines: string[] = [];
  for (const part of text.split(between)) {
    const line = lines.at(-1);
    const longer = line === undefined ? part : `${line}${between}${part}`;
    if (line !== undefined && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

function headingOf(trip: Trip): string {
  const distance = distanceInWords(trip.distance);
  const start = new Date(trip.startTime).toISOString().replace('T', ' ').slice(0, 16);
  return `${start} UTC, ${durationInWords(trip.durationMs)}${distance === undefined ? '' : `, ${distance}`}`;
}

/** Writes what is drawn as elements, places with one decimal. */
class SvgText implements Surface {
  readonly scale = 1;
  markup = '';

  /** Widths are the style sheet's: in a picture that is scaled, columns of exactly a pixel would leave seams. */
  stroke(color: string, _width: number, draw: (pen: Pen) => void): void {
    let path = '';
    const step = (letter: string) => (x: number, y: number) => {
      path += `${letter}${rounded(x)} ${rounded(y)}`;
    };
    draw({ moveTo: step('M'), lineTo: step('L') });
    this.markup += `<path class="${color}" d="${path}"/>`;
  }

  fill(color: string, opacity: number, x: number, y: number, width: number, height: number): void {
    const [left, top, across, down] = [x, y, width, height].map(rounded);
    const part = opacity < 1 ? ` opacity="${opacity}"` : '';
    this.markup += `<rect class="${color}"${part} x="${left}" y="${top}" width="${across}" height="${down}"/>`;
  }

  dot(color: string, x: number, y: number, radius: number): void {
    this.markup += `<circle class="${color}" cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(radius)}"/>`;
  }

  write(color: string, align: string, x: number, y: number, text: string): void {
    this.markup += `<text class="${color} ${align}" x="${rounded(x)}" y="${rounded(y)}">${escapeMarkup(text)}</text>`;
  }

  /** Cuts off what is drawn outside a plot. */
  clipped(plot: Plot | undefined, draw: () => void): void {
    if (plot === undefined) {
      draw();
      return;
    }
    const { left, top, width, height } = plot;
    const box = `x="${left}" y="${top}" width="${width}" height="${height}"`;
    this.markup += `<svg ${box} viewBox="${left} ${top} ${width} ${height}">`;
    draw();
    this.markup += '</svg>';
  }

  /** Writes left of the lanes. */
  label(style: string, y: number, text: string): void {
    this.write(style, 'start', 16, y, text);
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The colors on a light (0) or a dark ground (1). In a web page, rules of this picture are for this picture alone. */
const inks = (ground: 0 | 1) =>
  Object.entries(colors)
    .map(([name, color]) => `svg.trip .${name}{color:${color[ground]}}`)
    .join('');
const styleSheet = `svg.trip rect,svg.trip circle,svg.trip text{fill:currentColor}svg.trip path{fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}svg.trip .line{stroke-width:1}svg.trip text{font:12px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}svg.trip .title{font-size:17px;font-weight:650}svg.trip .code{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}svg.trip .end{text-anchor:end}svg.trip .middle{text-anchor:middle}${inks(0)}@media (prefers-color-scheme:dark){${inks(1)}}`;
