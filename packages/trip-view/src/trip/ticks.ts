import { extremesOf } from './extremes.js';

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below a number; 0 for 0. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 0;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Round values between two bounds, at most about `most` of them. */
export function ticks(low: number, high: number, most: number): number[] {
  const step = niceStep((high - low) / Math.max(1, most));
  if (step === 0) return [low];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const timeStepsMs = [
  1, 10, 100, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** Round times since the start between two bounds, in milliseconds. */
export function timeTicks(low: number, high: number, most: number): number[] {
  const least = (high - low) / Math.max(1, most);
  const step = timeStepsMs.find((candidate) => candidate >= least) ?? niceStep(least);
  if (step === 0) return [low];
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => (first + index) * step);
}

/** Bounds of the lane of some signals: the extremes of their values, with a share of their span as air. */
export function boundsOf(
  signals: readonly { readonly values: Float64Array }[],
  share = 0.08,
): readonly [number, number] {
  const found = signals.map(({ values }) => extremesOf(values)).filter((extremes) => extremes !== null);
  if (found.length === 0) return [0, 1];
  const low = Math.min(...found.map((extremes) => extremes.low));
  const high = Math.max(...found.map((extremes) => extremes.high));
  const air = high > low ? (high - low) * share : Math.abs(high) * 0.02 || 1;
  return [low - air, high + air];
}
