import { bandColors, colors } from '../colors.js';
import { bandCodes, bandPieces } from '../trip/bands.js';
import type { EnumerationSignal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { axisWidth, type Chart, type ChartPlace, rightPad, type View } from './lane-chart.js';
import { shade } from './theme.js';

const bandHeight = 24;

/** A signal with a fixed set of values as a colored band. */
export class BandChart implements Chart {
  readonly canvas = document.createElement('canvas');
  readonly #signal: EnumerationSignal;
  readonly #codes: Uint32Array;
  readonly #axis: Stack['axis'];
  #view: View;
  #width: number;

  constructor(signal: EnumerationSignal, axis: Stack['axis'], view: View, { target, width }: ChartPlace) {
    this.#signal = signal;
    this.#codes = bandCodes(signal.values, signal.allowed);
    this.#axis = axis;
    this.#view = view;
    this.#width = width;
    target.append(this.canvas);
    this.redraw();
  }

  show(view: View): void {
    this.#view = view;
    this.redraw();
  }

  resize(width: number): void {
    this.#width = width;
    this.redraw();
  }

  redraw(): void {
    const ratio = devicePixelRatio;
    const { canvas } = this;
    const width = this.#width;
    const size = [Math.round(width * ratio), Math.round(bandHeight * ratio)] as const;
    // Setting a size makes a new canvas, even the same one.
    if (canvas.width !== size[0] || canvas.height !== size[1]) {
      [canvas.width, canvas.height] = size;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${bandHeight}px`;
    }
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    const left = axisWidth * ratio;
    const columns = Math.max(1, Math.round((width - axisWidth - rightPad) * ratio));
    const { allowed } = this.#signal;
    const step = stepOf(this.#axis, this.#signal);
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    for (const piece of bandPieces(this.#codes, allowed, this.#view.from / step, this.#view.to / step, columns)) {
      const [x, pieceWidth] = [left + piece.start, piece.end - piece.start];
      const height = canvas.height / piece.values.length;
      piece.values.forEach((value, row) => {
        const y = row * height;
        if (value === null) {
          context.fillStyle = shade(colors.muted);
          for (let stripe = 0; stripe < pieceWidth; stripe += 4 * ratio)
            context.fillRect(x + stripe, y, Math.min(ratio, pieceWidth - stripe), height);
          return;
        }
        context.fillStyle = shade(bandColors[allowed.indexOf(value) % bandColors.length]);
        context.fillRect(x, y, pieceWidth, height);
        const label = context.measureText(value).width + 12 * ratio;
        if (piece.values.length > 1 || label > pieceWidth) return;
        context.fillStyle = shade(colors.text);
        context.fillText(value, x + 6 * ratio, canvas.height / 2 + ratio / 2);
      });
    }
  }

  destroy(): void {
    this.canvas.remove();
  }
}
