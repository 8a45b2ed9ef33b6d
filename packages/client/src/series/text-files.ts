import type { CsvOptions, Trips } from './csv.js';
import { check, type SeriesName, type TripOf } from './signals.js';

/**
 * Trips as CSV, one text a trip after the header: a row for each sample, with its trip's start and its number of samples. A
 * row has the signals that share its number of samples; other cells are empty, as are samples without a value. The header
 * has the units. `time_assumed` follows from the vehicle's usual step, by default that of the first trips, and is empty where nothing
 * supports a time. Lines end in LF.
 *
 * @throws SeriesError `unknown-series` or `unknown-signal`.
 */
export async function* toCsv<Name extends SeriesName>(
  series: Name,
  trips: Trips<TripOf<Name>>,
  options?: CsvOptions<Name>,
): AsyncGenerator<string, void, undefined> {
  // A part of its own: most pages draw trips, and write none.
  yield* (await import('./csv.js')).csvOf(series, trips, options);
}

/**
 * Trips as sent, one line of JSON each.
 *
 * @throws SeriesError `invalid-option` for something else than trips.
 */
export async function* toNdjson(trips: Trips<unknown>): AsyncGenerator<string, void, undefined> {
  check(typeof trips === 'object', 'toNdjson takes the trips alone');
  for await (const trip of trips) yield `${JSON.stringify(trip)}\n`;
}
