import type { Settings } from '../call/call.js';
import { override } from '../call/settings.js';
import { loaded, withUserStack } from '../call/start-call.js';
import { checkValues, copyOf, wholeNumber } from '../checks/rules.js';
import type { SeriesItems } from '../generated/signals.js';
import type {
  SyncIterator,
  SyncOptions,
  SyncRequest,
  TripIterator,
  TripIteratorOptions,
  TripRange,
} from './trip-iterator.js';

/** Starts an iteration. Its code is loaded with the first step, so that a page that reads no trips does not load it. */
export function startTrips<Trip>(
  settings: Settings,
  series: keyof SeriesItems,
  range: TripRange,
  options?: TripIteratorOptions<string> | null,
): TripIterator<Trip> {
  const [given, own] = [copyOf(range), copyOf(options)];
  const { steps, started } = startLater(settings, async (scoped) => {
    const { iterateTrips } = await loaded(scoped, import('./iterate-trips.js'));
    return iterateTrips<Trip>(scoped, series, given, own);
  });
  return {
    ...steps,
    get cursor() {
      return (started() ?? own)?.cursor;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Starts a sync in the same way. */
export function startSync<Trip>(
  settings: Settings,
  request: SyncRequest<keyof SeriesItems>,
  options?: SyncOptions<string> | null,
): SyncIterator<Trip> {
  const [given, own] = [copyOf(request), copyOf(options)];
  const { steps, started } = startLater(settings, async (scoped) => {
    const { syncTrips } = await loaded(scoped, import('./sync-trips.js'));
    return syncTrips<Trip>(scoped, given, own);
  });
  return {
    ...steps,
    get checkpoint() {
      return (started() ?? given)?.checkpoint;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const limitRule = { ...wholeNumber(1), isRequired: true } as const;

type Step<Item> = Promise<IteratorResult<Item, undefined>>;

/** What reads the windows, and says where it stands. */
type Started<Item, Position> = Position & { next(): Step<Item> };

/**
 * The steps of an iterator that starts with the first of them, and whose `return()` works at once, also while a window is
 * on its way. `started` gives the iterator behind them, once there is one.
 */
function startLater<Item, Position extends object>(
  settings: Settings,
  start: (settings: Settings) => Promise<Started<Item, Position>>,
) {
  const done = { done: true, value: undefined } as const;
  // Ends every request under way.
  const leaving = new AbortController();
  const { signal } = leaving;
  let starting: Promise<Started<Item, Position>> | undefined;
  let iterator: Started<Item, Position> | undefined;

  function next(): Step<Item> {
    return withUserStack(async () => {
      if (signal.aborted) return done;
      try {
        starting ??= start(override(settings, { signal }));
        const started = await starting;
        iterator = started;
        return await started.next();
      } catch (error) {
        // What ended because it was left is no error.
        if (signal.aborted) return done;
        leaving.abort();
        throw error;
      }
    });
  }

  async function leave(): Step<Item> {
    leaving.abort();
    return done;
  }

  function toArray(options: { readonly limit: number }): Promise<Item[]> {
    return withUserStack(async () => {
      const { limit } = checkValues<{ readonly limit: number }>(settings, 'options', { limit: limitRule }, options);
      const items: Item[] = [];
      while (items.length < limit) {
        const { value, done: isDone } = await next();
        if (isDone) break;
        items.push(value);
      }
      leaving.abort();
      return items;
    });
  }

  return { steps: { next, return: leave, toArray }, started: () => iterator };
}
