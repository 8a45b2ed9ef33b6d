// Finds stretches of samples for which something holds, and makes moments of them.
import type { Column, TripColumns } from '../series/columns.js';
import { timeAt } from '../series/points.js';
import type { Moment, MomentKind } from './moment.js';

/** A trip of any series. */
export type AnyTrip = TripColumns<'driving'> | TripColumns<'powertrain'>;

/** A signal that makes moments, by its path. */
export type Made = readonly [path: string, column: Column | undefined];

/** Moments of one kind that are less apart are one: noise around a threshold makes no further ones. */
const apartMs = 5000;

/**
 * The moments of a kind. Every signal must have as many samples as the first, and only samples with a value of each count: nothing
 * is found across one without.
 */
export function findMoments(
  trip: AnyTrip,
  kind: MomentKind,
  signals: readonly Made[],
  isIn: (index: number) => boolean,
  values: (from: number, to: number) => Moment['values'],
): Moment[] {
  const [first] = signals.map(([, column]) => column);
  const columns = signals.flatMap(([, column]) =>
    column && column.values.length === first?.values.length ? column : [],
  );
  if (first === undefined || columns.length < signals.length) return [];
  const hasValue = (index: number) => {
    for (const { values } of columns) if (!isValue(values[index])) return false;
    return true;
  };
  const all: [from: number, to: number][] = [];
  const most = apartMs / (first.stepMs ?? apartMs / 2);
  for (const [from, to] of runsOf(first.values.length, (index) => isIn(index) && hasValue(index))) {
    const last = all.at(-1);
    let isNear = last !== undefined && from - last[1] < most;
    for (let index = last?.[1] ?? from; isNear && index < from; index += 1) isNear = hasValue(index);
    if (last && isNear) last[1] = to;
    else all.push([from, to]);
  }
  const paths = signals.map(([path]) => path);
  return all.map(([from, to]) => momentOf(trip, kind, paths, first.stepMs, from, to, values(from, to)));
}

export function momentOf(
  trip: AnyTrip,
  kind: MomentKind,
  signals: readonly string[],
  stepMs: number | null,
  from: number,
  to: number,
  values: Moment['values'],
): Moment {
  const [startTime, endTime] = [timeAt(trip, stepMs, from), timeAt(trip, stepMs, to)];
  return { kind, series: trip.series, from, to, startTime, endTime, signals, values };
}

/** Runs of indices for which something holds, each from its first one up to, not including, its end. */
export function runsOf(n: number, isIn: (index: number) => boolean): (readonly [from: number, to: number])[] {
  const runs: (readonly [from: number, to: number])[] = [];
  let from = -1;
  for (let index = 0; index < n; index += 1) {
    if (isIn(index)) {
      if (from < 0) from = index;
    } else if (from >= 0) {
      runs.push([from, index]);
      from = -1;
    }
  }
  if (from >= 0) runs.push([from, n]);
  return runs;
}

export const isValue = (sample: unknown) => sample !== null && sample !== undefined && !Number.isNaN(sample);

/** The greatest value of some indices. No comparison with NaN holds. */
export function greatest(from: number, to: number, valueAt: (index: number) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = from; index < to; index += 1) if (valueAt(index) > most) most = valueAt(index);
  return most;
}

export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
