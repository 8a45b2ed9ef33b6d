import { type ColumnOptions, toColumns } from './columns.js';
import { toRows } from './rows.js';
import {
  checkSignal,
  type SeriesName,
  type SignalPath,
  type SignalRule,
  signalsOf,
  type TripOf,
} from './signal-rules.js';

type Trips<Trip> = Iterable<Trip> | AsyncIterable<Trip>;

/** Options of a CSV file. */
export interface CsvOptions<Name extends SeriesName> extends ColumnOptions {
  /** Signals of the file, in this order. Default: every signal of the series. */
  readonly signals?: readonly SignalPath<Name>[] | undefined;
}

/**
 * Trips as CSV, one text a trip after the header: a row for each sample, with its trip's start and its number of samples. A
 * row has the signals that share its number of samples; other cells are empty, as are samples without a value. The header
 * has the units, `time_assumed` is empty where nothing supports a time. Lines end in LF.
 *
 * @throws SeriesError `unknown-series` or `unknown-signal`.
 */
export async function* toCsv<Name extends SeriesName>(
  series: Name,
  trips: Trips<TripOf<Name>>,
  { signals, ...options }: CsvOptions<Name> = {},
): AsyncGenerator<string, void, undefined> {
  const rules: Readonly<Record<string, SignalRule>> = signalsOf(series);
  const paths: readonly string[] = signals ?? Object.keys(rules);
  for (const path of signals ?? []) checkSignal(series, path);
  const header = paths.map((path) => {
    const rule = rules[path];
    return rule?.kind === 'number' ? `${path} (${rule.unit})` : path;
  });
  yield line(['trip_start', 'trip_length_ms', 'samples', 'index', 'time_assumed', 'time_basis', ...header]);
  for await (const trip of trips) {
    const columns = toColumns(series, trip, options);
    const { startTime, durationMs } = columns;
    let text = '';
    for (const { rows, timeBasis } of toRows(columns)) {
      for (const row of rows) {
        const cells: Readonly<Record<string, unknown>> = row;
        const values = paths.map((path) => cells[path]);
        text += line([iso(startTime), durationMs, rows.length, row.index, iso(row.time), timeBasis, ...values]);
      }
    }
    if (text) yield text;
  }
}

/** Trips as sent, one line of JSON each. */
export async function* toNdjson(trips: Trips<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const trip of trips) yield `${JSON.stringify(trip)}\n`;
}

// Cells are numbers, times and values of the contract: none needs quotes, none can start a formula.
function line(cells: readonly unknown[]): string {
  return `${cells.join(',')}\n`;
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
