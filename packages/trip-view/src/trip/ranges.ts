interface Extremes {
  readonly low: number;
  readonly high: number;
}

/** Those of all samples of a signal, which its lane, its words and its axis ask for, each at its own time. */
const ofAll = new WeakMap<Float64Array, Extremes | null>();

/** Lowest and highest of the samples from `start` up to, not including, `end`; `null` where none of them is a value. */
export function extremesOf(values: Float64Array, start = 0, end = values.length): Extremes | null {
  if (start > 0 || end < values.length) return search(values, start, end);
  const known = ofAll.get(values);
  if (known !== undefined) return known;
  const found = search(values, start, end);
  ofAll.set(values, found);
  return found;
}

function search(values: Float64Array, start: number, end: number): Extremes | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = start; index < end; index += 1) {
    const value = values[index] ?? Number.NaN;
    // No comparison with NaN holds.
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? null : { low, high };
}

/** Bounds of the lane of some signals: the extremes of their values, with a share of their span as air. */
export function boundsOf<Shown extends { readonly values: Float64Array }>(
  signals: readonly Shown[],
  share = 0.08,
  /** Which samples count: from the first up to, not including, the last. Default all. */
  part: (signal: Shown) => readonly [start: number, end: number] = ({ values }) => [0, values.length],
): readonly [number, number] {
  const found = signals
    .map((signal) => extremesOf(signal.values, ...part(signal)))
    .filter((extremes) => extremes !== null);
  if (found.length === 0) return [0, 1];
  const low = Math.min(...found.map((extremes) => extremes.low));
  const high = Math.max(...found.map((extremes) => extremes.high));
  const air = high > low ? (high - low) * share : Math.abs(high) * 0.02 || 1;
  return [low - air, high + air];
}

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below a number; 0 for 0. */
function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 0;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Round values between two bounds, at most about `most` of them; `stepOf` rounds the distance between two. */
export function ticks(low: number, high: number, most: number, stepOf = niceStep): number[] {
  const step = stepOf((high - low) / Math.max(1, most));
  if (step === 0) return [low];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const timeStepsMs = [
  1, 10, 100, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Places of an axis that get a label: round times since the start, or whole samples. */
export function axisTicks(axis: 'time' | 'index' | 'distance', from: number, to: number, most: number): number[] {
  if (axis === 'index') return ticks(from, to, most).filter(Number.isInteger);
  if (axis === 'distance') return ticks(from, to, most);
  return ticks(from, to, most, (least) => timeStepsMs.find((step) => step >= least) ?? niceStep(least));
}

/** More bars than this could not be told apart. */
const mostBins = 24;

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
 */
export function histogram(values: Float64Array, from = 0, to = values.length): Bin[] {
  const extremes = extremesOf(values, from, to);
  if (extremes === null) return [];
  const { low, high } = extremes;
  const width = niceStep((high - low) / (mostBins - 1)) || 1;
  // A value on the bound of a bin is in it, for all that division rounds.
  const binOf = (value: number) => Math.floor(value / width + 1e-9);
  const start = binOf(low);
  const counts = new Array<number>(binOf(high) - start + 1).fill(0);
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const bin = binOf(value) - start;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const bound = (bin: number) => Number((bin * width).toPrecision(12));
  return counts.map((count, bin) => ({ low: bound(start + bin), high: bound(start + bin + 1), count }));
}
