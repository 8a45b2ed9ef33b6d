/** Lowest, mean and highest value of a signal. */
export interface Extremes {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

const known = new WeakMap<Float64Array, Extremes | null>();

/** Lowest, mean and highest of some values, `null` where there are none. Each array is read once. */
export function extremesOf(values: Float64Array): Extremes | null {
  const found = known.get(values);
  if (found !== undefined) return found;
  let [min, max, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    count += 1;
  }
  const extremes = count === 0 ? null : { min, mean: sum / count, max };
  known.set(values, extremes);
  return extremes;
}
