import { check } from './signals.js';

/**
 * Indices of the samples that draw a line at a given width without hiding a peak or a gap: the lowest and the highest of
 * each bucket, the first and the last sample, and one sample without a value (`NaN`) wherever the line has to break.
 *
 * @param buckets How many parts the samples are divided into: the width of the chart in pixels.
 * @throws SeriesError `invalid-option`.
 */
export function minMax(values: ArrayLike<number>, buckets: number): Uint32Array {
  check(buckets > 0, 'buckets must be above 0');
  const count = Math.min(values.length, Math.ceil(buckets));
  const kept: number[] = [];
  let isBroken = false;
  let start = 0;
  for (let bucket = 1; bucket <= count; bucket += 1) {
    const end = Math.floor((bucket * values.length) / count);
    let low = -1;
    let high = -1;
    for (let index = start; index < end; index += 1) {
      // No comparison with NaN holds.
      if (Number(values[index]) < (values[low] ?? Infinity)) low = index;
      if (Number(values[index]) > (values[high] ?? -Infinity)) high = index;
    }
    for (; start < end; start += 1) {
      const isGap = Number.isNaN(values[start]);
      // The remainder is 0 for the first and the last sample.
      if (isGap ? isBroken : start % (values.length - 1) && start !== low && start !== high) continue;
      kept.push(start);
      isBroken = isGap;
    }
  }
  return Uint32Array.from(kept);
}
