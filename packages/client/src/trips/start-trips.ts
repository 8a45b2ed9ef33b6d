import type { Core } from '../core.js';
import type { SeriesItems } from '../generated/signals.js';
import { lazyPart } from '../load-part.js';
import type { Operation } from '../operation.js';
import { withUserStack } from '../user-stack.js';
import type { SyncedTrip, SyncIterator, SyncOptions, SyncRequest } from './sync-iterator.js';
import type { TripIterator, TripIteratorOptions, TripRange } from './trip-iterator.js';

const loadTrips = /* @__PURE__ */ lazyPart(() => import('./iterate-trips.js'));
const loadSync = /* @__PURE__ */ lazyPart(() => import('./sync-trips.js'));

/** Starts an iteration. Its code is loaded with the first step, so that a page that reads no trips does not load it. */
export function startTrips<Trip>(
  core: Core,
  operation: Operation,
  range: TripRange,
  options?: TripIteratorOptions | null,
): TripIterator<Trip> {
  const later = startLater<Trip, Steps<Trip> & { readonly cursor: string | undefined }>(async () => {
    const { iterateTrips } = await loadTrips(core);
    return iterateTrips<Trip>(operation, range, options ?? {}, core);
  });
  return {
    get cursor() {
      return later.started()?.cursor ?? options?.cursor;
    },
    ...later.steps,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Starts a sync in the same way. */
export function startSync<Trip>(
  core: Core,
  request: SyncRequest<keyof SeriesItems>,
  options?: SyncOptions | null,
): SyncIterator<Trip> {
  type Item = SyncedTrip<Trip>;
  const later = startLater<Item, Steps<Item> & { readonly checkpoint: string | undefined }>(async () => {
    const { syncTrips } = await loadSync(core);
    return syncTrips<Trip>(core, request, options ?? {});
  });
  return {
    get checkpoint() {
      return later.started()?.checkpoint ?? request?.checkpoint;
    },
    ...later.steps,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

type Step<Item> = Promise<IteratorResult<Item, undefined>>;
type Steps<Item> = { next(): Step<Item>; return(): Step<Item> };

/** An iterator that starts with its first step, and whose `return()` works at once, also while a window is on its way. */
function startLater<Item, Started extends Steps<Item>>(start: () => Promise<Started>) {
  const done = { done: true, value: undefined } as const;
  let starting: Promise<Started> | undefined;
  let iterator: Started | undefined;
  let isLeft = false;
  const steps = {
    async next(): Step<Item> {
      if (isLeft) return done;
      try {
        return await withUserStack(async () => {
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
  };
  return { steps, started: () => iterator };
}
