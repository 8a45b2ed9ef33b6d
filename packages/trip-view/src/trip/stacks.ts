import { groupBy } from './read.js';
import type { EnumerationSignal, NumberSignal, Signal } from './signals.js';
import type { Trip } from './trip.js';

/** Numeric signals of one unit, drawn in one lane. */
export interface Lane {
  readonly unit: string;
  readonly signals: readonly NumberSignal[];
}

/** Signals that share a horizontal axis: assumed time since the start, or the sample index of arrays of one length. */
export interface Stack {
  readonly axis: Placement;
  /** What the axis spans, from 0: milliseconds, or samples. */
  readonly extent: number;
  /** Those of the lanes, then those of the bands. */
  readonly signals: readonly Signal[];
  /** Lanes, one a unit, in the order of the contract. */
  readonly lanes: readonly Lane[];
  /** Signals with a fixed set of values. */
  readonly bands: readonly EnumerationSignal[];
}

/** How a reader wants samples placed: by assumed time where there is one, or all by index. */
export type Placement = 'time' | 'index';

/** Whether nothing says when the samples of a signal were measured. */
export const isUntimed = ({ timeBasis }: Signal) => timeBasis === 'unknown';

/**
 * Groups the signals of a trip by the axis that they can share. Signals whose time is unknown never stand on the time axis:
 * each length has an index axis of its own, and nothing is stretched.
 */
export function stacksOf(trip: Trip, placement: Placement): Stack[] {
  const signals = trip.signals.filter(({ length }) => length > 0);
  const indexed = signals.filter((signal) => placement === 'index' || isUntimed(signal));
  const timed = signals.filter((signal) => !indexed.includes(signal));
  const byLength = [...groupBy(indexed, ({ length }) => length)].sort(([a], [b]) => b - a);
  return [
    ...(timed.length > 0 ? [stack('time', trip.durationMs, timed)] : []),
    ...byLength.map(([length, group]) => stack('index', length, group)),
  ];
}

function stack(axis: Placement, extent: number, signals: readonly Signal[]): Stack {
  const numbers = signals.filter((signal) => signal.kind === 'number');
  const bands = signals.filter((signal) => signal.kind === 'enumeration');
  const lanes = [...groupBy(numbers, ({ unit }) => unit)].map(([unit, found]) => ({ unit, signals: found }));
  return { axis, extent, signals: [...lanes.flatMap((lane) => lane.signals), ...bands], lanes, bands };
}

export function stepOf(axis: Placement, signal: Pick<Signal, 'stepMs'>): number {
  return axis === 'time' ? (signal.stepMs ?? 0) : 1;
}
