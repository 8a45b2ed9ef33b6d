// Which runtime this is, where web standards leave something to it. Nothing else asks.

/** Parts of Deno and Bun that are asked for, each where it runs. */
interface Runtimes {
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
