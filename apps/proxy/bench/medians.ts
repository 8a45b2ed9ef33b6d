import type { Row, Sample } from './interleave.ts';

/** The middle value of a list; the mean of the two middle ones when there are two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The median of one figure over all rounds of a contender. */
export function medianOf(row: Row | undefined, figure: keyof Sample): number {
  return row === undefined ? Number.NaN : median(row.samples.map((sample) => sample[figure]));
}

/**
 * The median over all rounds of one contender's figure divided by another's in the same round. Steadier than a ratio of two medians
 * on a machine that also does other work.
 */
export function ratioOf(row: Row, other: Row | undefined, figure: keyof Sample): number {
  const pairs = row.samples.map((sample, round) => sample[figure] / (other?.samples[round]?.[figure] ?? Number.NaN));
  return median(pairs.filter((value) => Number.isFinite(value)));
}
