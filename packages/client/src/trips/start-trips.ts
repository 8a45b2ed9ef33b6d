import { lazyPart, withUserStack } from '../api-call.js';
import type { Settings } from '../call.js';
import type { SeriesItems } from '../generated/signals.js';
import type {
  SyncIterator,
  SyncOptions,
  SyncRequest,
  TripIterator,
  TripIteratorOptions,
  TripRange,
} from './trip-iterator.js';

const loadTrips = /* @__PURE__ */ lazyPart(() => import('./iterate-trips.js'));
const loadSync = /* @__PURE__ */ lazyPart(() => import('./sync-trips.js'));

/** Starts an iteration. Its code is loaded with the first step, so that a page that reads no trips does not load it. */
export const startTrips = <Trip>(
  settings: Settings,
  series: keyof SeriesItems,
  range: TripRange,
  options?: TripIteratorOptions | null,
): TripIterator<Trip> =>
  startLater(options, async () =>
    (await loadTrips(settings)).iterateTrips<Trip>(settings, series, range, options ?? {}),
  );

/** Starts a sync in the same way. */
export const startSync = <Trip>(
  settings: Settings,
  request: SyncRequest<keyof SeriesItems>,
  options?: SyncOptions | null,
): SyncIterator<Trip> =>
  startLater(request, async () => (await loadSync(settings)).syncTrips<Trip>(settings, request, options ?? {}));

type Step<Item> = Promise<IteratorResult<Item, undefined>>;

/** Where an iteration or a sync stands. */
interface Position {
  readonly cursor?: string | undefined;
  readonly checkpoint?: string | undefined;
}

/** An iterator that starts with its first step, and whose `return()` works at once, also while a window is on its way. */
function startLater<Item>(
  before: Position | null | undefined,
  start: () => Promise<Position & { next(): Step<Item>; return(): Step<Item> }>,
) {
  const done = { done: true, value: undefined } as const;
  let starting: ReturnType<typeof start> | undefined;
  let iterator: Awaited<ReturnType<typeof start>> | undefined;
  let isLeft = false;
  return {
    get cursor() {
      return (iterator ?? before)?.cursor;
    },
    get checkpoint() {
      return (iterator ?? before)?.checkpoint;
    },
    async next(): Step<Item> {
      try {
        return await withUserStack(async () => {
          if (isLeft) return done;
          starting ??= start();
          iterator = await starting;
          return isLeft ? done : await iterator.next();
        });
      } catch (error) {
        // What ended because it was left is no error.
        if (isLeft) return done;
        throw error;
      }
    },
    async return(): Step<Item> {
      isLeft = true;
      return iterator ? iterator.return() : done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
