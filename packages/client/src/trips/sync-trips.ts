import { basicDateOf } from '../calendar-days.js';
import type { Settings } from '../call.js';
import { argumentError, callError } from '../client-error.js';
import { AbortedError } from '../errors.js';
import type { SeriesItems } from '../generated/signals.js';
import { quietly } from '../observe.js';
import { checkValues, isText, type Rules, wholeNumber } from '../rules.js';
import { createFetchWindow, type FetchWindow } from './fetch-window.js';
import { createLeaving, leavable } from './leave.js';
import { type DayWindow, divideDays, readInOrder } from './read-windows.js';
import { readCheckpoint, type SyncState, writeCheckpoint } from './sync-checkpoint.js';
import type { SyncedTrip, SyncIterator, SyncOptions, SyncRequest } from './sync-iterator.js';
import { identifyTrips, shortHash, sourceHash } from './trip-identity.js';
import { seriesOf } from './trip-series.js';
import { aFunction, readDay, windowOptionRules } from './window-options.js';

const msPerDay = 86_400_000;

/** One vehicle of a sync. */
interface Vehicle {
  readonly vin: string;
  readonly source: string;
  readonly fetchWindow: FetchWindow;
  hasFailed: boolean;
}

type VehicleWindow = DayWindow & { readonly vehicle: Vehicle };

/** The new trips of one vehicle or several since the last sync. */
export function syncTrips<Trip>(
  settings: Settings,
  given: unknown,
  options: SyncOptions,
): Omit<SyncIterator<Trip>, typeof Symbol.asyncIterator> {
  const {
    series: name,
    vin,
    since,
    overlapDays = 3,
    checkpoint,
    ...others
  } = checkValues({}, 'options', requestRules, given);
  const series = seriesOf(name);
  const call = { ...settings, operation: series.operation };
  const rules: Rules<SyncOptions> = {
    ...windowOptionRules(series),
    onCheckpoint: aFunction,
    onVehicleError: aFunction,
  };
  const checked = checkValues(call, 'options', rules, options);
  const {
    concurrency = 2,
    windowDays = series.maxDays + 1,
    onCheckpoint,
    onVehicleError,
    onInvalidTrip,
    signal,
    ...callOptions
  } = checked;
  const firstDay = readDay(call, 'since', since);
  // Whole days of UTC; what a zone ahead of it has already begun comes with the next sync.
  const today = Math.floor(settings.clock.now() / msPerDay);
  const stored = checkpoint === undefined ? [] : readCheckpoint(checkpoint);
  if (!stored) throw argumentError(call, 'checkpoint must be one of a sync', 'checkpoint');
  const states = new Map<string, SyncState>(stored);

  const vins = [...new Set(Array.isArray(vin) ? vin : [vin])];
  const windows = vins.flatMap((one): VehicleWindow[] => {
    const parameters = { ...others, vin: one };
    const fetchWindow = createFetchWindow(settings, series, parameters, callOptions);
    const vehicle: Vehicle = { vin: one, source: sourceHash(series, parameters), fetchWindow, hasFailed: false };
    const state = states.get(vehicle.source);
    const from = state ? Math.max(firstDay, state.through - overlapDays) : firstDay;
    return divideDays(from, today, windowDays).map((window) => ({ ...window, vehicle }));
  });
  const leaving = createLeaving(call, signal);

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
    try {
      leaving.check();
      const results = readInOrder(windows, concurrency, async (window) =>
        window.vehicle.hasFailed ? undefined : window.vehicle.fetchWindow(window, leaving.signal),
      );
      for await (const result of results) {
        leaving.check();
        const { window } = result;
        const { vehicle } = window;
        if (vehicle.hasFailed) continue;
        if ('error' in result) {
          if (!onVehicleError) throw result.error;
          vehicle.hasFailed = true;
          await userCode('onVehicleError', () => onVehicleError({ vin: vehicle.vin, error: result.error }));
          continue;
        }
        const { trips, invalid } = identifyTrips<Trip>(series, result.trips);
        const range = { from: basicDateOf(window.first), to: basicDateOf(window.last) };
        for (const item of invalid) quietly(() => onInvalidTrip?.({ ...range, item }));
        const known = states.get(vehicle.source)?.seen ?? new Map();
        const found = new Map<string, number>();
        for (const { trip, start, id } of trips) {
          const hash = shortHash(id);
          found.set(hash, Math.floor(Date.parse(start) / msPerDay) || window.first);
          if (known.has(hash)) continue;
          leaving.check();
          yield { vin: vehicle.vin, trip };
        }
        advance(window, found);
        await userCode('onCheckpoint', () => onCheckpoint?.(writeCheckpoint(states)));
      }
    } finally {
      leaving.end();
    }
    return undefined;
  }

  async function userCode(name: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (cause) {
      throw callError(call, AbortedError, 'aborted', 'none', `${name} failed`, { cause });
    }
  }

  return {
    get checkpoint() {
      return writeCheckpoint(states);
    },
    ...leavable(iterate(), leaving),
  };
}

const requestRules: Rules<SyncRequest<keyof SeriesItems>> = {
  series: { expected: 'the name of a series', isValid: isText },
  vin: { expected: 'a VIN or a list of VINs', isValid: (value) => isText(value) || Array.isArray(value) },
  since: { expected: 'a day', isValid: isText },
  zoneId: { expected: 'a time zone', isValid: isText },
  overlapDays: wholeNumber(0, 60),
  checkpoint: { expected: 'the checkpoint of a sync', isValid: isText },
};
