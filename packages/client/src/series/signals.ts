import { type SeriesItems, seriesTable } from '../generated/signals.js';

/** Name of a series of the contract. */
export type SeriesName = keyof SeriesItems;

/** A trip of a series, as the service sends it. */
export type TripOf<Name extends SeriesName> = SeriesItems[Name];

type Signals<Name extends SeriesName> = (typeof seriesTable)[Name]['signals'];

/** Dotted path of a signal of a series, for example `engine.rpm`. */
export type SignalPath<Name extends SeriesName> = keyof Signals<Name> & string;

/** Path of a signal that is measured in numbers. */
export type NumberPath<Name extends SeriesName> = {
  [Path in keyof Signals<Name>]: Signals<Name>[Path] extends { readonly kind: 'number' } ? Path : never;
}[keyof Signals<Name>] &
  string;

/** Path of a signal with a fixed set of values. */
export type EnumerationPath<Name extends SeriesName> = Exclude<SignalPath<Name>, NumberPath<Name>>;

/** Values of a signal with a fixed set of them. */
export type ValueOf<Name extends SeriesName, Path extends SignalPath<Name>> = Signals<Name>[Path] extends {
  readonly values: readonly (infer Value)[];
}
  ? Value
  : number;

/** What the contract says about one signal. */
export type SignalRule =
  | { readonly kind: 'number'; readonly unit: string; readonly minimum: number | null; readonly maximum: number | null }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] };

/**
 * Every signal of a series by its dotted path: unit and range, or values, as the contract states them.
 *
 * @throws SeriesError `unknown-series`.
 */
export function signalsOf<Name extends SeriesName>(series: Name): Signals<Name> {
  return ownMember('series', seriesTable, series).signals;
}

/** @throws SeriesError `unknown-series` or `unknown-signal`. */
export function ownMember<Table extends object, Key extends keyof Table>(
  what: 'series' | 'signal',
  table: Table,
  key: Key,
): Table[Key] {
  check(Object.hasOwn(table, key), `unknown ${what}; use one of ${Object.keys(table).join(', ')}`, `unknown-${what}`);
  return table[key];
}

/** What a function of this module cannot work with. */
export type SeriesErrorCode = 'unknown-series' | 'unknown-signal' | 'invalid-option';

/** A wrong series, signal or option. The message names what is allowed and never repeats the value. */
export class SeriesError extends RangeError {
  override readonly name = 'SeriesError';
  declare readonly code: SeriesErrorCode;

  constructor(code: SeriesErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws SeriesError unless what was passed is right. */
export function check(isRight: boolean, rule: string, code: SeriesErrorCode = 'invalid-option'): void {
  if (!isRight) throw new SeriesError(code, rule);
}

/** The member at a dotted path, read without prototypes; `undefined` where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((parent, name) => {
    const members: Readonly<Record<string, unknown>> = Object(parent);
    return Object.hasOwn(members, name) ? members[name] : undefined;
  }, value);
}

/** The value of a sample, `null` where it is not a number. */
export function orNull<Value>(value: Value): Value | null {
  return Number.isNaN(value) ? null : value;
}

/** Start of a trip in milliseconds since 1 January 1970 UTC, `null` where it cannot be read or has no zone. */
export function startOf(series: SeriesName, trip: unknown): number | null {
  const start = memberAt(trip, seriesTable[series].startTime);
  const isTime = typeof start === 'string' && /(Z|[+-]..:?..)$/.test(start);
  return isTime ? orNull(Date.parse(start)) : null;
}

/** Length of a trip in milliseconds, `null` where it is no number of at least 0. */
export function lengthOf(series: SeriesName, trip: unknown): number | null {
  const length = memberAt(trip, seriesTable[series].duration);
  return typeof length === 'number' && length >= 0 ? length : null;
}
