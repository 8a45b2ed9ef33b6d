import type { Settings } from '../call/call.js';
import { callError, type FailedCall } from '../call-error.js';
import { msPerDay } from '../checks/calendar-days.js';
import {
  aFunction,
  checkValues,
  invalidValue,
  isText,
  membersOf,
  must,
  type Rules,
  wholeNumber,
} from '../checks/rules.js';
import { AbortedError } from '../errors.js';
import type { SeriesItems } from '../generated/signals.js';
import { shortHash, sourceHash } from './trip-identity.js';
import type { SyncedTrip, SyncIterator, SyncOptions, SyncRequest } from './trip-iterator.js';
import { dayRule, openWindows, readDay, type TripWindow } from './windows.js';

const requestRules: Rules<SyncRequest<keyof SeriesItems>> = {
  series: must('a text', isText),
  vin: must('a VIN or a list of VINs', (value) => isText(value) || Array.isArray(value)),
  since: dayRule,
  zoneId: must('a time zone', isText),
  overlapDays: wholeNumber(0, 60),
  checkpoint: must('one of a sync', isText),
};

/** A window of one vehicle, whose source is the hash of vehicle, series and zone. */
interface SyncWindow extends TripWindow {
  readonly vin: string;
  readonly source: string;
}

/** How far one vehicle and series was read. */
interface SyncState {
  /** Last day that was read; in a zone other than UTC, not today. */
  readonly through: number;
  /** First day since which every trip that was returned is in `seen`. */
  readonly since: number;
  /** Hashes of the trips of the days that are read again. */
  readonly seen: ReadonlyMap<string, number>;
}

/** The new trips of one vehicle or several since the last sync, and as `checkpoint` where it stands. */
export function syncTrips<Trip>(
  settings: Settings,
  given: unknown,
  options: SyncOptions<string> | null | undefined,
): Pick<SyncIterator<Trip>, 'checkpoint' | 'next'> {
  const rules = { onCheckpoint: aFunction, onVehicleError: aFunction };
  const opened = openWindows<SyncOptions<string>>(settings, 'trips.sync', membersOf(given)?.['series'], rules, options);
  const { call, series } = opened;
  const request = checkValues(call, 'parameters', requestRules, given);
  const { series: _series, vin: vins, since, overlapDays = 3, checkpoint, ...others } = request;
  const { onCheckpoint, onVehicleError } = opened.options;
  const firstDay = readDay(call, 'since', since);
  // Whole days of UTC; what a zone ahead of it has already begun comes with the next sync.
  let today = Math.floor(settings.clock.now() / msPerDay);
  // In a zone behind UTC, the day before may not be over.
  const unfinished = Number((others.zoneId ?? 'UTC') !== 'UTC');
  const states = checkpoint === undefined ? new Map<string, SyncState>() : readCheckpoint(call, checkpoint);
  const stateOf = (source: string): SyncState =>
    states.get(source) ?? { through: firstDay, since: firstDay, seen: new Map() };
  const failed = new Set<string>();

  const windows = [...new Set([vins].flat())].flatMap((vin) => {
    const parameters = { ...others, vin };
    const source = sourceHash(series, parameters);
    const { through, since } = stateOf(source);
    const from = Math.max(firstDay, since, through - overlapDays);
    return opened.divide(parameters, from, today).map((window) => ({ ...window, vin, source }));
  });

  /** The windows of vehicles that have not failed. */
  function* open() {
    for (const window of windows) if (!failed.has(window.source)) yield window;
  }

  async function* iterate(): AsyncGenerator<SyncedTrip<Trip>, undefined> {
    for await (const { window, trips, error, servedOn } of opened.read<Trip, SyncWindow>(open())) {
      const { vin, source, first, last } = window;
      // By the clock of the service: with one here that is ahead, days that have not been read would count as read.
      if (servedOn) today = servedOn;
      if (failed.has(source)) continue;
      if (error) {
        if (!onVehicleError) throw error;
        // A sync that was ended has no vehicle that failed.
        opened.check();
        failed.add(source);
        await userCode('onVehicleError', () => onVehicleError({ vin, error }));
        continue;
      }
      const state = stateOf(source);
      const found = new Map<string, number>();
      for (const { trip, start, id } of trips) {
        const hash = shortHash(id);
        found.set(hash, Math.floor(Date.parse(start) / msPerDay) || first);
        if (state.seen.has(hash)) continue;
        opened.check();
        yield { vin, trip };
      }
      // Moves the state over the window, and forgets trips that will not be read again.
      const through = Math.max(state.through, Math.min(last, today - unfinished));
      const since = Math.max(through - overlapDays, state.since);
      // A day more on both sides, since the days of a zone are not those of UTC.
      const seen = [...state.seen, ...found].filter(([, day]) => day >= since - 1);
      states.set(source, { through, since, seen: new Map(seen) });
      await userCode('onCheckpoint', () => onCheckpoint?.(writeCheckpoint(states)));
    }
  }

  async function userCode(hook: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (cause) {
      throw callError(call, AbortedError, 'aborted', 'none', `${hook} failed`, { cause });
    }
  }

  const steps = iterate();
  return {
    next: () => steps.next(),
    get checkpoint() {
      return writeCheckpoint(states);
    },
  };
}

const version = 1;

/** States by the hash of vehicle, series and zone as text: a checkpoint names no vehicle. Days are numbers. */
function writeCheckpoint(states: ReadonlyMap<string, SyncState>): string {
  const sources = [...states].map(([source, state]) => [source, { ...state, seen: [...state.seen] }]);
  return JSON.stringify({ version, sources: Object.fromEntries(sources) });
}

/** @throws ArgumentError where the text is no checkpoint. */
function readCheckpoint(call: FailedCall, text: string): Map<string, SyncState> {
  try {
    const { version: written, sources } = JSON.parse(text);
    const states = Object.entries<SyncState>(sources);
    const isWhole = ([, { through, since }]: (typeof states)[0]) => [through, since].every(Number.isSafeInteger);
    if (written !== version || !states.every(isWhole)) throw new RangeError();
    return new Map(states.map(([source, state]) => [source, { ...state, seen: new Map(state.seen) }]));
  } catch {
    throw invalidValue(call, 'checkpoint', requestRules.checkpoint, text);
  }
}
