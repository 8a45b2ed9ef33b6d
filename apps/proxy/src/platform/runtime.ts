// Which runtime this is, where web standards leave something to it. Nothing else asks.

/** Parts of runtimes that are asked for, each where it is. */
interface Runtimes {
  readonly setImmediate?: (step: () => void) => unknown;
  readonly Deno?: { createHttpClient(options: { readonly poolMaxIdlePerHost: number }): unknown };
  readonly Bun?: unknown;
}

/** Whether this is Cloudflare Workers, where timers and connections end with the request that made them. */
export const onWorkers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/** Further options of `fetch` that keep Deno and Bun from sending a request again after a connection broke that was used before. */
export function onceOptions(): object {
  const { Bun, Deno } = globalThis as Runtimes;
  return {
    ...(Bun === undefined ? {} : { keepalive: false }),
    ...(Deno === undefined ? {} : { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }),
  };
}

/**
 * Takes a step after what has arrived by now was read. Timers run before that: a process that stalled would take for late what only waits to be
 * read. The time to judge by is that before this call.
 */
export function afterReading(step: () => void): void {
  const { setImmediate: later = setTimeout } = globalThis as Runtimes;
  later(step);
}
