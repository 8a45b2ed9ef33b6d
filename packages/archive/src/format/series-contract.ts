// What the contract says of a series, as files need it.
import { type SeriesName, type SignalRule, seriesTable } from '@vehicle-data/client/series';

/** One series as its files need it: what `seriesTable` says of it, with a list of its signals. */
export interface SeriesContract extends Omit<(typeof seriesTable)[SeriesName], 'signals'> {
  readonly name: SeriesName;
  /** Signals by their dotted path, in the order of the columns. */
  readonly signals: readonly (readonly [string, SignalRule])[];
}

export const seriesNames = Object.keys(seriesTable) as readonly SeriesName[];

/** What the contract says of a series. */
export function seriesContract(name: SeriesName): SeriesContract {
  const { signals, ...facts } = seriesTable[name];
  return { name, ...facts, signals: Object.entries<SignalRule>(signals) };
}
