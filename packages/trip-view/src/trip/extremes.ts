/** Lowest and highest value of some samples. */
export interface Extremes {
  readonly low: number;
  readonly high: number;
}

/** Samples whose extremes are kept together: a chart of any zoom reads a few of them for each pixel. */
const blockLength = 32;
const known = new WeakMap<Float64Array, { readonly low: Float64Array; readonly high: Float64Array }>();

/** Lowest and highest of the samples from `start` up to, not including, `end`; `null` where none of them is a value. */
export function extremesOf(values: Float64Array, start = 0, end = values.length): Extremes | null {
  const found = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
  const [first, last] = [Math.ceil(start / blockLength), Math.floor(end / blockLength)];
  if (first < last) {
    const { low, high } = blocksOf(values);
    widen(found, values, values, start, first * blockLength);
    widen(found, low, high, first, last);
    widen(found, values, values, last * blockLength, end);
  } else widen(found, values, values, start, end);
  return found.low > found.high ? null : found;
}

function blocksOf(values: Float64Array) {
  const made = known.get(values);
  if (made) return made;
  const count = Math.floor(values.length / blockLength);
  const blocks = { low: new Float64Array(count), high: new Float64Array(count) };
  for (let block = 0; block < count; block += 1) {
    const found = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    widen(found, values, values, block * blockLength, (block + 1) * blockLength);
    blocks.low[block] = found.low;
    blocks.high[block] = found.high;
  }
  known.set(values, blocks);
  return blocks;
}

function widen(
  found: { low: number; high: number },
  lows: Float64Array,
  highs: Float64Array,
  start: number,
  end: number,
): void {
  let { low, high } = found;
  for (let index = start; index < end; index += 1) {
    // No comparison with NaN holds.
    const [least, most] = [lows[index] ?? Number.NaN, highs[index] ?? Number.NaN];
    if (least < low) low = least;
    if (most > high) high = most;
  }
  found.low = low;
  found.high = high;
}
