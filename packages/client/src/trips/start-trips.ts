import type { Settings } from '../call/call.js';
import { loaded, withUserStack } from '../call/start-call.js';
import { checkValues, copyOf, wholeNumber } from '../checks/rules.js';
import type { SeriesItems } from '../generated/signals.js';
import { override } from '../settings.js';
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
  return startLater(settings, own, async (scoped) => {
    const { iterateTrips } = await loaded(scoped, import('./iterate-trips.js'));
    return iterateTrips<Trip>(scoped, series, given, own);
  });
}

/** Starts a sync in the same way. */
export function startSync<Trip>(
  settings: Settings,
  request: SyncRequest<keyof SeriesItems>,
  options?: SyncOptions<string> | null,
): SyncIterator<Trip> {
  const [given, own] = [copyOf(request), copyOf(options)];
  return startLater(settings, given, async (scoped) => {
    const { syncTrips } = await loaded(scoped, import('./sync-trips.js'));
    return syncTrips<Trip>(scoped, given, own);
  });
}

const limitRule = { ...wholeNumber(1), isRequired: true } as const;

type Step<Item> = Promise<IteratorResult<Item, undefined>>;

/** Where an iteration or a sync stands. */
interface Position {
  readonly cursor?: string | undefined;
  readonly checkpoint?: string | undefined;
}

/** An iterator that starts with its first step, and whose `return()` works at once, also while a window is on its way. */
function startLater<Item>(
  settings: Settings,
  before: Position | null | undefined,
  start: (settings: Settings) => Promise<Position & { next(): Step<Item> }>,
) {
  const done = { done: true, value: undefined } as const;
  // Ends every request under way.
  const leaving = new AbortController();
  const { signal } = leaving;
  let starting: ReturnType<typeof start> | undefined;
  let iterator: Awaited<ReturnType<typeof start>> | undefined;
  return {
    get cursor() {
      return (iterator ?? before)?.cursor;
    },
    get checkpoint() {
      return (iterator ?? before)?.checkpoint;
    },
    next: (): Step<Item> =>
      withUserStack(async () => {
        if (signal.aborted) return done;
        try {
          starting ??= start(override(settings, { signal }));
          iterator = await starting;
          return await iterator.next();
        } catch (error) {
          // What ended because it was left is no error.
          if (signal.aborted) return done;
          leaving.abort();
          throw error;
        }
      }),
    async return(): Step<Item> {
      leaving.abort();
      return done;
    },
    toArray(options: { readonly limit: number }): Promise<Item[]> {
      return withUserStack(async () => {
        const { limit } = checkValues<{ readonly limit: number }>(settings, 'options', { limit: limitRule }, options);
        const items: Item[] = [];
        while (items.length < limit) {
          const { value, done: isDone } = await this.next();
          if (isDone) break;
          items.push(value);
        }
        leaving.abort();
        return items;
      });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
