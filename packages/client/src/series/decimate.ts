import { checkOption } from './series-error.js';

/**
 * Indices of the samples that draw a line at a given width without hiding a peak or a gap: the lowest and the highest of
 * each bucket, the first and the last sample, and one sample without a value (`NaN`) wherever the line has to break.
 *
 * @param buckets How many parts the samples are divided into: the width of the chart in pixels.
 * @throws SeriesError `invalid-option`.
 */
export function minMax(values: ArrayLike<number>, buckets: number): Uint32Array {
  checkOption(buckets > 0, 'buckets must be above 0');
  const { length } = values;
  const count = Math.min(length, Math.ceil(buckets));
  const kept: number[] = [];
  let isBroken = false;
  let start = 0;
  for (let bucket = 0; bucket < count; bucket += 1) {
    const end = Math.floor(((bucket + 1) * length) / count);
    let [low, high] = [-1, -1];
    for (let index = start; index < end; index += 1) {
      // No comparison with NaN holds.
      const value = values[index] ?? Number.NaN;
      if (value < (values[low] ?? Infinity)) low = index;
      if (value > (values[high] ?? -Infinity)) high = index;
    }
    for (; start < end; start += 1) {
      const isGap = Number.isNaN(values[start]);
      if (isGap ? isBroken : start !== low && start !== high && start > 0 && start < length - 1) continue;
      kept.push(start);
      isBroken = isGap;
    }
  }
  return Uint32Array.from(kept);
}

/**
 * Indices of the samples that keep the look of a line best, by largest triangle three buckets (Steinarsson, 2013). It may
 * hide a peak, and it skips samples without a value, so that gaps are not seen: `minMax` does neither.
 *
 * @param count How many samples to keep, above 2.
 * @throws SeriesError `invalid-option`.
 */
export function lttb(values: ArrayLike<number>, count: number): Uint32Array {
  checkOption(count > 2, 'count must be above 2');
  const valid = Array.from(values, (_, index) => index).filter((index) => !Number.isNaN(values[index]));
  if (valid.length <= count) return Uint32Array.from(valid);
  // The first and the last sample stay; the others are divided into the buckets, and the last sample is the one after them.
  const buckets = Math.floor(count) - 2;
  const boundary = (bucket: number) => 1 + (bucket * (valid.length - 2)) / buckets;
  const indices = (bucket: number) => valid.slice(boundary(bucket), boundary(bucket + 1));
  const at = (index: number) => values[index] ?? 0;
  let [last = 0] = valid;
  const kept = [last];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    let [x, y] = [0, 0];
    for (const index of indices(bucket + 1)) {
      x += index - last;
      y += at(index) - at(last);
    }
    const areaOf = (index: number) => Math.abs(x * (at(index) - at(last)) - y * (index - last));
    last = indices(bucket).reduce((best, index) => (areaOf(index) > areaOf(best) ? index : best));
    kept.push(last);
  }
  return Uint32Array.from([...kept, ...valid.slice(-1)]);
}
