/**
 * Calls a function about ten times a second until the returned function is called. One shared ticker is cheaper than a timer
 * for each deadline of each call.
 */
export type Watch = (tick: (nowMs: number) => void) => () => void;

const intervalMs = 100;

/** A ticker of its own for each watched call, for runtimes that tie timers to the request that made them. */
export const separateWatch: Watch = (tick) => {
  const timer = setInterval(() => tick(performance.now()), intervalMs);
  return () => clearInterval(timer);
};

/** One ticker for all watched calls; it runs only while there are any. */
export function sharedWatch(): Watch {
  const watched = new Set<(nowMs: number) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (tick) => {
    watched.add(tick);
    timer ??= setInterval(() => {
      if (watched.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      const nowMs = performance.now();
      for (const each of watched) each(nowMs);
    }, intervalMs);
    return () => watched.delete(tick);
  };
}
