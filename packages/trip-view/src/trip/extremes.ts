/** Lowest and highest value of some samples. */
export interface Extremes {
  readonly low: number;
  readonly high: number;
}

/** Samples whose extremes are kept together: a chart of any zoom reads a few of them for each pixel. */
const blockLength = 32;
/** Lowest and highest of each block, in turn. */
const known = new WeakMap<Float64Array, Float64Array>();

/** Lowest and highest of the samples from `start` up to, not including, `end`; `null` where none of them is a value. */
export function extremesOf(values: Float64Array, start = 0, end = values.length): Extremes | null {
  const blocks = blocksOf(values);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let index = start; index < end; ) {
    const isBlock = index % blockLength === 0 && index + blockLength <= end;
    const at = (index / blockLength) * 2;
    const least = (isBlock ? blocks[at] : values[index]) ?? Number.NaN;
    const most = (isBlock ? blocks[at + 1] : values[index]) ?? Number.NaN;
    // No comparison with NaN holds.
    if (least < low) low = least;
    if (most > high) high = most;
    index += isBlock ? blockLength : 1;
  }
  return low > high ? null : { low, high };
}

function blocksOf(values: Float64Array): Float64Array {
  const made = known.get(values);
  if (made) return made;
  const blocks = new Float64Array(Math.floor(values.length / blockLength) * 2);
  let index = 0;
  for (let at = 0; at < blocks.length; at += 2) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const end = index + blockLength; index < end; index += 1) {
      const value = values[index] ?? Number.NaN;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    blocks[at] = low;
    blocks[at + 1] = high;
  }
  known.set(values, blocks);
  return blocks;
}
