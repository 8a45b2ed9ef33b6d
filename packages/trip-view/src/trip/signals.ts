import {
  type EnumerationColumn,
  type NumberColumn,
  type SeriesName,
  type SignalRule,
  signalsOf,
  type TimeBasis,
  type TripColumns,
  type TripOf,
} from '@vehicle-data/client/series';
import { descriptions } from '../generated/contract-facts.js';
import { memberAt } from './read.js';

/** Why a sample is no value: outside what the contract states, a full-scale "no value", or absent. */
export type Defect = 'out-of-range' | 'sentinel' | 'missing';

/** Neighboring samples that are no values for one reason: from `start` up to, not including, `end`. */
export interface DefectRun {
  readonly defect: Defect;
  readonly start: number;
  readonly end: number;
}

export type { TimeBasis };

interface SignalFacts {
  /** Dotted path of the contract, for example `engine.rpm`. */
  readonly path: string;
  /** What the contract calls it. */
  readonly description: string;
  /** Number of samples. */
  readonly length: number;
  /** Samples that are no values, in runs. */
  readonly defects: readonly DefectRun[];
  /** The samples as sent, for tables: they show what was out of range. */
  readonly raw: readonly unknown[];
}

/** A signal that is measured in numbers, with the range that the contract states. */
export interface NumberSignal extends SignalFacts, NumberColumn {
  /** Add it to a value to get what was sent: those of an odometer are the distance since its first reading. 0 for others. */
  readonly offset: number;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** A signal with a fixed set of values. */
export interface EnumerationSignal extends SignalFacts, EnumerationColumn {
  /** The values of the contract. */
  readonly allowed: readonly string[];
}

/** One signal of a trip. */
export type Signal = NumberSignal | EnumerationSignal;

/** Reads the signals of one trip from its columns. What is no array is no signal. */
export function readSignals<Name extends SeriesName>(read: TripColumns<Name>, trip: TripOf<Name>): Signal[] {
  const columns: Readonly<Record<string, NumberColumn | EnumerationColumn | undefined>> = read.columns;
  return Object.entries<SignalRule>(signalsOf(read.series)).flatMap(([path, rule]) => {
    const column = columns[path];
    const raw = path.split('.').reduce<unknown>((at, name) => memberAt(at, name), trip);
    if (!column || !Array.isArray(raw)) return [];
    const { outOfRange, sentinels, missing } = column.counts;
    const defects = outOfRange + sentinels + missing > 0 ? defectRuns(column.values, raw, rule.kind) : [];
    const facts = { path, description: descriptions[path] ?? path, length: raw.length, defects, raw };
    const known = rule.kind === 'number' ? { ...rule, ...sinceFirst(path, column.values) } : { allowed: rule.values };
    // The column was made by the rule of the path.
    return [{ ...column, ...known, ...facts } as Signal];
  });
}

/** Readings of an odometer as distance since the first one: a ramp between two great numbers tells nothing. */
function sinceFirst(path: string, values: Signal['values']): Partial<NumberSignal> {
  const first = path === 'odometer.value' ? values.findIndex((value: unknown) => !Number.isNaN(value)) : -1;
  const offset = Number(values[first] ?? 0);
  if (offset === 0) return { offset };
  // The difference of two readings has digits that neither has.
  const since = new Float64Array(values.length);
  for (let index = 0; index < since.length; index += 1)
    since[index] = Math.round((Number(values[index]) - offset) * 1e4) / 1e4;
  return { offset, values: since };
}

/** The unit of what is drawn: readings of an odometer are shown since the first one. */
export function unitInWords({ unit, offset }: NumberSignal): string {
  return offset ? `${unit} since the start` : unit;
}

/** Samples that are no values, in runs. */
export function defectRuns(values: Signal['values'], raw: readonly unknown[], kind: Signal['kind']): DefectRun[] {
  const runs: { defect: Defect; start: number; end: number }[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value !== null && !Number.isNaN(value)) continue;
    const defect = defectOf(raw[index], kind);
    const last = runs.at(-1);
    if (last?.end === index && last.defect === defect) last.end = index + 1;
    else runs.push({ defect, start: index, end: index + 1 });
  }
  return runs;
}

/** The reason why a sample, which was already found to be no value, is none. */
function defectOf(sample: unknown, kind: Signal['kind']): Defect {
  if (typeof sample !== (kind === 'number' ? 'number' : 'string') || Number.isNaN(sample)) return 'missing';
  return sample === 'invalid' ? 'sentinel' : 'out-of-range';
}

/** How many samples of a signal are no values for a reason. */
export function countOf({ defects }: Signal, defect: Defect): number {
  return defects.reduce((sum, run) => sum + (run.defect === defect ? run.end - run.start : 0), 0);
}
