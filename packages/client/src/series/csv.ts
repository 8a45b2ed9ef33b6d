import { basisOf, type ColumnOptions, columnsOf, toColumns, usualStep } from './columns.js';
import { timeAt } from './points.js';
import {
  orNull,
  ownMember,
  type SeriesName,
  type SignalPath,
  type SignalRule,
  signalsOf,
  type TripOf,
} from './signals.js';

/** Trips, as a list or one after the other. */
export type Trips<Trip> = Iterable<Trip> | AsyncIterable<Trip>;

/** Options of a CSV file. */
export interface CsvOptions<Name extends SeriesName> extends ColumnOptions {
  /**
   * The vehicle's usual step in milliseconds. Default: `usualStep` of the first 20 trips, which are held until then. `null`
   * supports no times.
   */
  readonly usualStepMs?: number | null | undefined;
  /** Signals of the file, in this order. Default: every signal of the series. */
  readonly signals?: readonly SignalPath<Name>[] | undefined;
}

/** What `toCsv` yields. Cells are names, numbers, times and values of the contract: none needs quotes, none can start a formula. */
export async function* csvOf<Name extends SeriesName>(
  series: Name,
  trips: Trips<TripOf<Name>>,
  { signals, usualStepMs, assumeEven }: CsvOptions<Name> = {},
): AsyncGenerator<string, void, undefined> {
  const rules: Readonly<Record<string, SignalRule>> = signalsOf(series);
  const paths: readonly string[] = signals ?? Object.keys(rules);
  const names = paths.map((path) => {
    const rule = ownMember('signal', rules, path);
    return rule?.kind === 'number' ? `${path} (${rule.unit})` : path;
  });
  yield `${['trip_start,trip_length_ms,samples,index,time_assumed,time_basis', ...names].join(',')}\n`;
  for await (const { one, stepMs: usual } of withStep(series, trips, usualStepMs)) {
    const trip = toColumns(series, one, { usualStepMs: usual, assumeEven });
    const all = columnsOf(trip).filter(([path]) => paths.includes(path));
    const lengths = new Set(all.map(([, { values }]) => values.length));
    let text = '';
    for (const length of [...lengths].sort((a, b) => b - a)) {
      const columns = new Map(all.filter(([, { values }]) => values.length === length));
      const steps = [...columns.values()].map(({ stepMs }) => stepMs);
      const stepMs = steps.includes(null) ? null : (steps[0] ?? null);
      const head = [iso(trip.startTime), trip.durationMs, length].join(',');
      const cells = paths.map((path): ArrayLike<unknown> => columns.get(path)?.values ?? []);
      // An object or a list for each row would take twice as long.
      for (let index = 0; index < length; index += 1) {
        text += `${head},${index},${iso(timeAt(trip, stepMs, index))},${basisOf(stepMs)}`;
        for (const values of cells) text += `,${orNull(values[index]) ?? ''}`;
        text += '\n';
      }
    }
    if (text) yield text;
  }
}

/** As many trips as a usual step is made of: a stream is not held whole. */
const tripsForStep = 20;

/** Trips with the usual step of their vehicle, which the first of them say where user code does not. */
async function* withStep<Name extends SeriesName>(
  series: Name,
  trips: Trips<TripOf<Name>>,
  given: number | null | undefined,
): AsyncGenerator<{ readonly one: TripOf<Name>; readonly stepMs: number | null }, void> {
  let stepMs = given;
  let held: TripOf<Name>[] = [];
  for await (const one of trips) {
    if (stepMs !== undefined) yield { one, stepMs };
    else if (held.push(one) === tripsForStep) {
      const found = usualStep(series, held);
      stepMs = found;
      for (const first of held) yield { one: first, stepMs: found };
      held = [];
    }
  }
  const found = usualStep(series, held);
  for (const one of held) yield { one, stepMs: found };
}

/** Empty where there is no time, and for one beyond every date: https://tc39.es/ecma262/#sec-time-values-and-time-range */
function iso(time: number | null): string {
  return time !== null && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '';
}
