import { byDistance, distanceStepMeters } from './distance.js';
import { groupBy } from './read.js';
import type { EnumerationSignal, NumberSignal, Signal } from './signals.js';
import type { Trip } from './trip.js';

/** Numeric signals of one unit and one part of the vehicle, drawn in one lane. */
export interface Lane {
  readonly unit: string;
  readonly signals: readonly NumberSignal[];
}

/** Signals that share a horizontal axis: assumed time since the start, or the sample index of arrays of one length. */
export interface Stack {
  readonly axis: Placement;
  /** What the axis spans, from 0: milliseconds, samples, or meters. */
  readonly extent: number;
  /** Those of the lanes, then those of the bands. */
  readonly signals: readonly Signal[];
  /** Lanes, one for each unit and part of the vehicle, in the order of the contract. */
  readonly lanes: readonly Lane[];
  /** Signals with a fixed set of values. */
  readonly bands: readonly EnumerationSignal[];
}

/** How a reader wants samples placed: by assumed time where there is one, all by index, or by the distance driven. */
export type Placement = 'time' | 'index' | 'distance';

/** Whether nothing says when the samples of a signal were measured. */
export const isUntimed = ({ timeBasis }: Signal) => timeBasis === 'unknown';

/**
 * Groups the signals of a trip by the axis that they can share. Signals whose time is unknown never stand on the time axis:
 * each length has an index axis of its own, and nothing is stretched.
 */
export function stacksOf(trip: Trip, placement: Placement): Stack[] {
  const signals = trip.signals.filter(({ length }) => length > 0);
  const placed = placement === 'distance' ? byDistance(trip) : [];
  const [first] = placed;
  if (first) return [stack('distance', first.length * distanceStepMeters, placed)];
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
  // The turn of the car and that of the steering wheel have one unit, and nothing else in common.
  const groups = groupBy(numbers, ({ unit, path }) => `${unit} ${path.split('.')[0]}`);
  const lanes = [...groups.values()].map((found) => ({ unit: found[0]?.unit ?? '', signals: found }));
  return { axis, extent, signals: [...lanes.flatMap((lane) => lane.signals), ...bands], lanes, bands };
}

export function stepOf(axis: Placement, signal: Pick<Signal, 'stepMs'>): number {
  if (axis === 'distance') return distanceStepMeters;
  return axis === 'time' ? (signal.stepMs ?? 0) : 1;
}
