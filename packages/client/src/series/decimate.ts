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

/**
 * Indices of the samples that keep the look of a line best, by largest triangle three buckets (Steinarsson, 2013). It may
 * hide a peak, and it skips samples without a value, so that gaps are not seen: `minMax` does neither.
 *
 * @param count How many samples to keep, above 2.
 * @throws SeriesError `invalid-option`.
 */
export function lttb(values: ArrayLike<number>, count: number): Uint32Array {
  check(count > 2, 'count must be above 2');
  const valid = Array.from(values, (_, index) => index).filter((index) => !Number.isNaN(values[index]));
  if (valid.length <= count) return Uint32Array.from(valid);
  // The first sample stays, the others are divided into the buckets, and the last one is alone in the bucket after them.
  const buckets = Math.floor(count) - 2;
  const boundary = (bucket: number) => 1 + (bucket * (valid.length - 2)) / buckets;
  const indices = (bucket: number) => valid.slice(boundary(bucket), boundary(bucket + 1));
  const at = (index: number) => values[index] ?? 0;
  let [last = 0] = valid;
  const kept = [last];
  for (let bucket = 0; bucket <= buckets; bucket += 1) {
    let x = 0;
    let y = 0;
    for (const index of indices(bucket + 1)) {
      x += index - last;
      y += at(index) - at(last);
    }
    const areaOf = (index: number) => Math.abs(x * (at(index) - at(last)) - y * (index - last));
    last = indices(bucket).reduce((best, index) => (areaOf(index) > areaOf(best) ? index : best));
    kept.push(last);
  }
  return Uint32Array.from(kept);
}
