import { basisOf, type Column, columnsOf, type TimeBasis, type TripColumns } from './columns.js';
import { type SampleOf, timeAt } from './points.js';
import { check, orNull, type SeriesName, type SignalPath } from './signals.js';

/**
 * How a signal is put onto moments other than its own samples. Both place its samples evenly over the trip.
 *
 * - `hold`: the sample under way, never a later one.
 * - `linear`: between the two samples around the moment, for numbers. `null` beside a sample without a value and after
 *   the last one. Enumerations are held.
 */
export type Align = 'hold' | 'linear';

/** One moment of a trip with the value of each signal of its row set, `null` where there is none. */
export type Row<Name extends SeriesName> = {
  readonly index: number;
  /** Milliseconds since 1 January 1970 UTC, `null` where the row set's `timeBasis` is `unknown`. */
  readonly time: number | null;
} & { readonly [Path in SignalPath<Name>]?: SampleOf<Name, Path> | null };

/** Rows of the signals that share their moments. */
export interface RowSet<Name extends SeriesName> {
  readonly signals: readonly SignalPath<Name>[];
  /** `unknown` where one of the signals is. */
  readonly timeBasis: TimeBasis;
  /** How signals were aligned; `null` where every value is a sample as sent. */
  readonly align: Align | null;
  readonly rows: readonly Row<Name>[];
}

/**
 * The samples of a trip as rows. Only signals with the same number of samples share a row: each number of samples has a row
 * set of its own, the longest first. Nothing is stretched, held or interpolated.
 *
 * With `align` there is one row set, with the moments of the longest signal, and shorter signals are put onto it.
 *
 * @throws SeriesError `invalid-option`, also for more than a million rows.
 */
export function toRows<Name extends SeriesName>(
  trip: TripColumns<Name>,
  { align = null }: { readonly align?: Align | null | undefined } = {},
): RowSet<Name>[] {
  const all = columnsOf(trip).filter(([, column]) => column.values.length);
  const lengths = all.map(([, column]) => (align ? trip.length : column.values.length));
  return [...new Set(lengths)]
    .sort((one, other) => other - one)
    .map((length) => {
      const columns = all.filter(([, column]) => align || column.values.length === length);
      return rowSet(trip, columns, 1, length, align);
    });
}

/** Rows at a fixed step. */
export interface ResampledRows<Name extends SeriesName> extends RowSet<Name> {
  readonly everyMs: number;
  /** Signals of the trip that have no times and so no place on the grid. */
  readonly leftOut: readonly SignalPath<Name>[];
}

/**
 * The trip at a fixed step from its start. Signals whose `timeBasis` is `unknown` are left out and named; read the trip with
 * `assumeEven` to include them.
 *
 * @throws SeriesError `invalid-option`, also for more than a million rows.
 */
export function resample<Name extends SeriesName>(
  trip: TripColumns<Name>,
  options: { readonly everyMs: number; readonly align: Align },
): ResampledRows<Name> {
  // Untyped code forgets it.
  const { everyMs, align }: Partial<typeof options> = options ?? {};
  check(everyMs !== undefined && align !== undefined, 'resample needs everyMs and align');
  check(everyMs > 0, 'everyMs must be above 0');
  const all = columnsOf(trip);
  const timed = all.filter(([, column]) => column.stepMs);
  const set = rowSet(trip, timed, everyMs, timed.length && (trip.durationMs ?? 0), align);
  // The paths are those of the series.
  const leftOut = all.flatMap(([path, column]) => (column.stepMs ? [] : path)) as SignalPath<Name>[];
  return { ...set, everyMs, leftOut };
}

function rowSet<Name extends SeriesName>(
  trip: TripColumns<Name>,
  columns: readonly (readonly [string, Column])[],
  /** The step from row to row, and the length of the trip in the same unit. */
  step: number,
  total: number,
  align: Align | null,
): RowSet<Name> {
  check([null, 'hold', 'linear'].includes(align), 'align must be hold or linear');
  // An error instead of a full memory. A day at 10 Hz has 864,000.
  const steps = total / step;
  check(steps <= 1e6, 'rows must be at most 1000000');
  const stepMs = columns.every(([, column]) => column.stepMs) ? ((trip.durationMs ?? 0) * step) / total : null;
  const rows = Array.from({ length: Math.ceil(steps) }, (_, index) => {
    const row: Record<string, unknown> = { index, time: timeAt(trip, stepMs, index) };
    for (const [path, column] of columns) {
      // Multiplied first: a quotient would round, and could hold the sample before.
      row[path] = sampleAt(column, (index * step * column.values.length) / total, align);
    }
    return row;
  });
  // Each member came from the column of its own path.
  return { signals: columns.map(([path]) => path), timeBasis: basisOf(stepMs), align, rows } as unknown as RowSet<Name>;
}

function sampleAt(column: Column, position: number, align: Align | null): unknown {
  const index = Math.floor(position);
  if (align !== 'linear' || column.kind !== 'number') return orNull(column.values[index]);
  // NaN after the last sample.
  const value = Number(column.values[index]);
  return orNull(value + (position - index) * (Number(column.values[Math.ceil(position)]) - value));
}
