import { basicDateOf, dayNumber, msPerDay } from '../calendar-days.js';
import type { Settings } from '../call.js';
import { argumentError, callError } from '../client-error.js';
import { AbortedError } from '../errors.js';
import type { SeriesItems } from '../generated/signals.js';
import { checkValues, isText, membersOf, must, type Rules, wholeNumber } from '../rules.js';
import { identifyTrips, shortHash, sourceHash } from './trip-identity.js';
import type { SyncedTrip, SyncIterator, SyncOptions, SyncRequest } from './trip-iterator.js';
import { aFunction, type DayWindow, type FetchWindow, openWindows, readDay } from './windows.js';

const requestRules: Rules<SyncRequest<keyof SeriesItems>> = {
  series: must('the name of a series', isText),
  vin: must('a VIN or a list of VINs', (value) => isText(value) || Array.isArray(value)),
  since: must('a day', isText),
  zoneId: must('a time zone', isText),
  overlapDays: wholeNumber(0, 60),
  checkpoint: must('the checkpoint of a sync', isText),
};

/** One vehicle of a sync. */
interface Vehicle {
  readonly vin: string;
  readonly source: string;
  readonly fetchWindow: FetchWindow;
  hasFailed: boolean;
}

type VehicleWindow = DayWindow & { readonly vehicle: Vehicle };

/** How far one vehicle and series was read. */
interface SyncState {
  /** Last day that was read. */
  readonly through: number;
  /** Hashes of the trips of the days that are read again. */
  readonly seen: ReadonlyMap<string, number>;
}

/** The new trips of one vehicle or several since the last sync. */
export function syncTrips<Trip>(
  settings: Settings,
  given: unknown,
  options: SyncOptions,
): Omit<SyncIterator<Trip>, typeof Symbol.asyncIterator> {
  const request = checkValues({}, 'options', requestRules, given);
  const { series: name, vin, since, overlapDays = 3, checkpoint, ...others } = request;
  const rules = { onCheckpoint: aFunction, onVehicleError: aFunction };
  const opened = openWindows<SyncOptions>(settings, name, rules, options);
  const { call, series } = opened;
  const { onCheckpoint, onVehicleError } = opened.options;
  const firstDay = readDay(call, 'since', since);
  // Whole days of UTC; what a zone ahead of it has already begun comes with the next sync.
  const today = Math.floor(settings.clock.now() / msPerDay);
  const stored = checkpoint === undefined ? [] : readCheckpoint(checkpoint);
  if (!stored) throw argumentError(call, 'checkpoint must be one of a sync', 'checkpoint');
  const states = new Map<string, SyncState>(stored);

  const vins = [...new Set(Array.isArray(vin) ? vin : [vin])];
  const windows = vins.flatMap((one): VehicleWindow[] => {
    const parameters = { ...others, vin: one };
    const source = sourceHash(series, parameters);
    const vehicle: Vehicle = { vin: one, source, fetchWindow: opened.fetchWith(parameters), hasFailed: false };
    const state = states.get(source);
    const from = state ? Math.max(firstDay, state.through - overlapDays) : firstDay;
    return opened.divide(from, today).map((window) => ({ ...window, vehicle }));
  });

  /** Moves the state of a vehicle over a window that was read, and forgets trips that will not be read again. */
  function advance({ vehicle, last }: VehicleWindow, found: ReadonlyMap<string, number>): void {
    const state = states.get(vehicle.source);
    const through = Math.max(last, state?.through ?? last);
    // A day more on both sides, since the days of a zone are not those of UTC.
    const oldest = through - overlapDays - 1;
    const seen = [...(state?.seen ?? []), ...found].filter(([, day]) => day >= oldest);
    states.set(vehicle.source, { through, seen: new Map(seen) });
  }

  async function* iterate(): AsyncGenerator<SyncedTrip<Trip>, undefined> {
    const fetchWindow = async (window: VehicleWindow) =>
      window.vehicle.hasFailed ? [] : window.vehicle.fetchWindow(window);
    for await (const result of opened.read(windows, fetchWindow)) {
      const { window } = result;
      const { vehicle } = window;
      if (vehicle.hasFailed) continue;
      if ('error' in result) {
        if (!onVehicleError) throw result.error;
        vehicle.hasFailed = true;
        await userCode('onVehicleError', () => onVehicleError({ vin: vehicle.vin, error: result.error }));
        continue;
      }
      const { trips, invalid } = identifyTrips<Trip>(series, result.items);
      opened.skip(window, invalid);
      const known = states.get(vehicle.source)?.seen ?? new Map();
      const found = new Map<string, number>();
      for (const { trip, start, id } of trips) {
        const hash = shortHash(id);
        found.set(hash, Math.floor(Date.parse(start) / msPerDay) || window.first);
        if (known.has(hash)) continue;
        opened.check();
        yield { vin: vehicle.vin, trip };
      }
      advance(window, found);
      await userCode('onCheckpoint', () => onCheckpoint?.(writeCheckpoint(states)));
    }
    return undefined;
  }

  async function userCode(hook: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (cause) {
      throw callError(call, AbortedError, 'aborted', 'none', `${hook} failed`, { cause });
    }
  }

  return {
    get checkpoint() {
      return writeCheckpoint(states);
    },
    ...opened.stepsOf(iterate()),
  };
}

const version = 1;

/** States by the hash of vehicle, series and zone as text: a checkpoint names no vehicle. Days are written yyyyMMdd. */
function writeCheckpoint(states: ReadonlyMap<string, SyncState>): string {
  const sources = [...states].map(([source, { through, seen }]) => [
    source,
    { through: basicDateOf(through), seen: [...seen].map(([hash, day]) => `${hash}@${basicDateOf(day)}`) },
  ]);
  return JSON.stringify({ version, sources: Object.fromEntries(sources) });
}

/** `undefined` where the text is no checkpoint. */
function readCheckpoint(text: string): [string, SyncState][] | undefined {
  try {
    const { version: written, sources } = JSON.parse(text);
    if (written !== version || !membersOf(sources)) return undefined;
    return Object.entries<{ through: unknown; seen: readonly unknown[] }>(sources).map(
      ([source, { through, seen }]) => {
        const day = dayNumber(`${through}`);
        if (day === undefined) throw new RangeError('no day');
        const hashes = seen.map((one): [string, number] => {
          const [hash = '', date = ''] = `${one}`.split('@');
          return [hash, dayNumber(date) ?? day];
        });
        return [source, { through: day, seen: new Map(hashes) }];
      },
    );
  } catch {
    // No JSON, or of another form.
    return undefined;
  }
}
