import { extremesOf } from './extremes.js';
import { niceStep } from './ticks.js';

/** How often values of a signal occur between two bounds: from `low` up to, not including, `high`. */
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/**
 * Counts the values of a signal in bins of a round width.
 *
 * @param values Samples; `NaN` is none and is not counted.
 * @param from First sample that counts.
 * @param to Sample after the last that counts.
 * @param most Greatest number of bins.
 */
export function histogram(values: Float64Array, from = 0, to = values.length, most = 24): Bin[] {
  const extremes = extremesOf(values, from, to);
  if (extremes === null) return [];
  const { low, high } = extremes;
  const width = niceStep((high - low) / (most - 1)) || 1;
  const start = Math.floor(low / width);
  const counts = new Array<number>(Math.floor(high / width) - start + 1).fill(0);
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const bin = Math.min(counts.length - 1, Math.floor(value / width) - start);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const bound = (bin: number) => Number((bin * width).toPrecision(12));
  return counts.map((count, bin) => ({ low: bound(start + bin), high: bound(start + bin + 1), count }));
}
