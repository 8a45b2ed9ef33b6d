/**
 * Calls a function about ten times a second until the returned function is called. One shared ticker is cheaper than a timer
 * for each deadline of each call.
 */
export type Ticker = (tick: (nowMs: number) => void) => () => void;

const intervalMs = 100;

/** A ticker of its own for each watched call, for runtimes that tie timers to the request that made them. */
export const ownTicker: Ticker = (tick) => {
  const timer = setInterval(() => tick(performance.now()), intervalMs);
  return () => clearInterval(timer);
};

interface Watched {
  readonly tick: (nowMs: number) => void;
  place: number;
}

/** One ticker for all watched calls; it runs only while there are any. */
export function sharedTicker(): Ticker {
  // A list in which the last one takes the place of one that goes. A `Set` that calls come to and go from is copied again and
  // again, and in V8 each copy is held by the one before it, with all calls that were under way: after a while the garbage
  // collector carries finished calls to and fro for longer than they took.
  const watched: Watched[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  const tickAll = () => {
    if (watched.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const nowMs = performance.now();
    // From the end: who goes while it is told is followed, in its place, by one that was told before.
    for (let place = watched.length - 1; place >= 0; place--) watched[place]?.tick(nowMs);
  };
  return (tick) => {
    const own: Watched = { tick, place: watched.length };
    watched.push(own);
    timer ??= setInterval(tickAll, intervalMs);
    return () => {
      const last = watched.at(-1);
      if (own.place === -1 || last === undefined) return;
      watched[own.place] = last;
      last.place = own.place;
      watched.pop();
      own.place = -1;
    };
  };
}

/** The ticker that suits this runtime: a Worker's timers end with the request that made them. */
export function platformTicker(): Ticker {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? ownTicker : sharedTicker();
}
