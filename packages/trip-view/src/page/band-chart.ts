import { bandColors, colors } from '../colors.js';
import { bandCodes, bandPieces } from '../trip/bands.js';
import type { EnumerationSignal } from '../trip/signals.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { h } from './element.js';
import { axisWidth, type Chart, rightPad } from './lane-chart.js';
import { shade } from './theme.js';

const bandHeight = 24;

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
    const size = [Math.round(cssWidth * ratio), Math.round(bandHeight * ratio)] as const;
    // Setting a size makes a new canvas, even the same one.
    if (canvas.width !== size[0] || canvas.height !== size[1]) {
      [canvas.width, canvas.height] = size;
      canvas.style.width = `${cssWidth}px`;
      canvas.style.height = `${bandHeight}px`;
    }
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    const columns = Math.max(1, Math.round((cssWidth - axisWidth - rightPad) * ratio));
    for (const { start, end, values } of bandPieces(codes, allowed, from / step, to / step, columns)) {
      const [x, width, height] = [axisWidth * ratio + start, end - start, canvas.height / values.length];
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
