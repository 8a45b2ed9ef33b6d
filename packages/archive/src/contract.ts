import { createHash } from 'node:crypto';
import { type SeriesName, type SignalRule, seriesTable } from '@vehicle-data/client/series';

/** One series as its files need it. */
export interface SeriesContract {
  readonly name: SeriesName;
  /** Member of a trip with its start. */
  readonly startTime: string;
  /** Member of a trip with its length in milliseconds. */
  readonly duration: string;
  /** Where the times of samples come from. */
  readonly sampleTimes: 'assumed';
  /** How many days the last day of a call may lie after its first. */
  readonly maxDays: number;
  /** Signals by their dotted path, in the order of the columns. */
  readonly signals: readonly (readonly [string, SignalRule])[];
}

export const seriesNames = Object.keys(seriesTable) as readonly SeriesName[];

/** What the contract says of a series. */
export function seriesContract(name: SeriesName): SeriesContract {
  const { signals, ...facts } = seriesTable[name];
  return { name, ...facts, signals: Object.entries<SignalRule>(signals) };
}

/** Digest of everything in the contract that decides what a file holds. */
export const contractDigest: string = createHash('sha256')
  .update(JSON.stringify(seriesTable))
  .digest('hex')
  .slice(0, 16);
