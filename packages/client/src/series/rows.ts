import { seriesTable } from '../generated/signals.js';
import type { TripColumns } from './columns.js';
import { sampleTimes } from './sample-times.js';
import {
  type NumberPath,
  type SeriesName,
  type SignalPath,
  signalsOf,
  type TripOf,
  type ValueOf,
} from './signal-rules.js';

/** One moment of a trip: its time and the value of each signal that the trip has, `null` where there is none. */
export type Row<Name extends SeriesName> = {
  /** Milliseconds since 1 January 1970 UTC. */
  readonly time: number;
} & {
  readonly [Path in SignalPath<Name>]?: (Path extends NumberPath<Name> ? number : ValueOf<Name, Path>) | null;
};

/**
 * The moments of a trip, one a sample of the longest column. Shorter columns are stretched by time: a row shows the sample
 * that was under way at its moment, and never one of a later moment.
 */
export function toRows<Name extends SeriesName>(trip: TripColumns<Name>): Row<Name>[] {
  const columns = Object.entries<{ readonly values: ArrayLike<unknown> } | undefined>(trip.columns);
  return Array.from(sampleTimes(trip.startTime, trip.durationMs, trip.length), (time, index) => {
    const row: Record<string, unknown> = { time };
    for (const [path, column] of columns) {
      const { values } = column ?? { values: [] };
      const value = values[values.length === trip.length ? index : Math.floor((index * values.length) / trip.length)];
      row[path] = value === undefined || Number.isNaN(value) ? null : value;
    }
    // Each member came from the column of its own path.
    return row as Row<Name>;
  });
}

/** A trip as the service sends it, from its rows: the way back of `toRows()`. Values that are none stay `null`. */
export function fromRows<Name extends SeriesName>(
  series: Name,
  rows: readonly Row<Name>[],
  durationMs: number,
): TripOf<Name> {
  const { startTime, duration } = seriesTable[series];
  const trip: Record<string, unknown> = {
    [startTime]: new Date(rows[0]?.time ?? 0).toISOString(),
    [duration]: durationMs,
  };
  for (const path of Object.keys(signalsOf(series))) {
    const values = rows.map((row: Readonly<Record<string, unknown>>) => row[path]);
    if (values.some((value) => value !== undefined))
      put(
        trip,
        path.split('.'),
        values.map((value) => value ?? null),
      );
  }
  // Members were put where the contract has them.
  return trip as unknown as TripOf<Name>;
}

function put(trip: Record<string, unknown>, path: readonly string[], values: readonly unknown[]): void {
  let at = trip;
  for (const name of path.slice(0, -1)) {
    const group: Record<string, unknown> = Object.assign({}, at[name]);
    at[name] = group;
    at = group;
  }
  at[path.at(-1) ?? ''] = values;
}
