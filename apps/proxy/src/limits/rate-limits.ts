import { type Client, foldVin } from '../auth/client.js';
import type { Rate } from '../rate.js';
import { networkOf } from '../request/client-address.js';
import { proxyError } from '../response/proxy-error.js';
import { sha256Hex } from '../sha256.js';

/** Counts requests against the limits of clients and vehicles. */
export interface RateLimits {
  /**
   * @param brand the brand of the request
   * @param vehicle the VIN of the request; empty when it names none, or when the request is a withdrawal, which no vehicle's limit
   *   may stop. It is not kept in the clear outside this process
   * @returns headers for the response, as name, value, name, value
   * @throws {ProxyError} when a limit is reached
   */
  take(client: Client, brand: string, vehicle: string): readonly string[] | Promise<readonly string[]>;
  /** Counts requests without good credentials by address. Default: they are not counted. */
  readonly failures?: FailureLimit;
}

/** A limit for requests without good credentials from one address, or one /64 of IPv6. Each process counts alone. */
export interface FailureLimit {
  /** Time until the address may try again, in whole seconds; 0 while it may. */
  waitSeconds(address: string): number;
  count(address: string): void;
}

export interface Count {
  readonly allowed: boolean;
  readonly left: number;
  /** Time until the window ends, in whole seconds. */
  readonly resetSeconds: number;
}

/** What a window gives for its latest request. @param leftMs time until the window ends, in milliseconds */
export function countOf(rate: Rate, calls: number, leftMs: number): Count {
  // Times have fractions whose sum and difference can be a little more than the window.
  const resetSeconds = Math.min(rate.seconds, Math.max(1, Math.ceil(leftMs / 1000)));
  return { allowed: calls <= rate.calls, left: Math.max(0, rate.calls - calls), resetSeconds };
}

export interface Counter {
  /** Counts one request under a key; at once where it can. */
  take(key: string): Count | Promise<Count>;
}

/** How often something may be done. What is left out has no limit. */
export interface LimitRates {
  /** Requests that one client may make; a client's own rate replaces it. Without client authentication all clients are one. */
  readonly perClient?: Rate | undefined;
  /** Requests that one client may make for one vehicle of a brand; a withdrawal is never counted or stopped. */
  readonly perVehicle?: Rate | undefined;
  /** Requests without good credentials from one address, or one /64 of IPv6. */
  readonly unauthenticated?: Rate | undefined;
}

interface LimitUse {
  readonly name: 'client' | 'vehicle';
  readonly rate: Rate;
  readonly count: Count;
}

/** Limits of clients and vehicles, by whatever counts requests where the proxy runs. */
export class CountedLimits implements RateLimits {
  /** The counts go on when the rates change. */
  rates: LimitRates;
  readonly #counting: ((rate: Rate) => Counter) | null;
  // By the text of a rate: keys can be read anew, with the same rates in other objects.
  readonly #counters = new Map<string, Counter>();
  #failed: { readonly text: string; readonly counter: WindowCounter } | null = null;
  readonly failures: FailureLimit = {
    waitSeconds: (address) => (address === '' ? 0 : (this.#failureCounter()?.waitSeconds(networkOf(address)) ?? 0)),
    count: (address) => {
      if (address !== '') this.#failureCounter()?.take(networkOf(address));
    },
  };

  /** @param counting makes the counter of a rate for many processes together; `null` when this process counts alone */
  constructor(counting: ((rate: Rate) => Counter) | null, rates: LimitRates = {}) {
    this.#counting = counting;
    this.rates = rates;
  }

  take(client: Client, brand: string, vin: string): readonly string[] | Promise<readonly string[]> {
    const perClient = client.rate ?? this.rates.perClient;
    const perVehicle = vin === '' ? undefined : this.rates.perVehicle;
    const uses: LimitUse[] = [];
    const count = (name: LimitUse['name'], rate: Rate, key: string) =>
      then(this.#counterOf(rate).take(key), (counted) => {
        uses.push({ name, rate, count: counted });
        return counted.allowed;
      });
    // By client as well: nobody can use up the requests that another client may make for its vehicle.
    const vehicle = `${client.id}:${brand}:${foldVin(vin)}`;
    // Where processes count together, others can look, so a VIN is not a key there.
    const vehicleKey = () => (this.#counting === null ? vehicle : sha256Hex(vehicle).then((hash) => hash.slice(0, 32)));
    const countVehicle = (rate: Rate) => then(vehicleKey(), (key) => count('vehicle', rate, `v:${key}`));
    const ofClient = perClient === undefined || count('client', perClient, `c:${client.id}`);
    const ofBoth = then(ofClient, (allowed) => allowed && (perVehicle === undefined || countVehicle(perVehicle)));
    return then(ofBoth, (allowed) => headersFor(allowed, uses));
  }

  #failureCounter(): WindowCounter | null {
    const rate = this.rates.unauthenticated;
    if (rate === undefined) return null;
    const text = textOf(rate);
    if (this.#failed?.text !== text) this.#failed = { text, counter: new WindowCounter(rate) };
    return this.#failed.counter;
  }

  #counterOf(rate: Rate): Counter {
    const text = textOf(rate);
    const counter = this.#counters.get(text) ?? this.#counting?.(rate) ?? new WindowCounter(rate);
    this.#counters.set(text, counter);
    return counter;
  }
}

function textOf({ calls, seconds }: Rate): string {
  return `${calls}/${seconds}`;
}

/** Continues at once with a value that is here. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 @throws {ProxyError} when a limit is reached */
function headersFor(allowed: boolean, uses: readonly LimitUse[]): readonly string[] {
  if (uses.length === 0) return [];
  const policy = uses.map(({ name, rate }) => `"${name}";q=${rate.calls};w=${rate.seconds}`).join(', ');
  const state = uses.map(({ name, count }) => `"${name}";r=${count.left};t=${count.resetSeconds}`).join(', ');
  const headers = ['ratelimit-policy', policy, 'ratelimit', state];
  if (allowed) return headers;
  const retryAfter = ['retry-after', String(uses.at(-1)?.count.resetSeconds ?? 1)];
  throw proxyError('rate-limited', [], [...retryAfter, ...headers]);
}

/** Keys of one window that are counted; with more, the oldest begin anew, so that nobody can fill the memory with keys. */
const maxKeys = 100_000;

interface Window {
  readonly endMs: number;
  calls: number;
}

/**
 * Counts requests of one rate in this process, at once. The window of a key begins with its first request. Not the memory limiter of
 * rate-limiter-flexible, which keeps every key, and a timer for it, until its window ends.
 */
export class WindowCounter implements Counter {
  readonly #rate: Rate;
  // Two halves instead of a timer for each key: when the younger has been filled for a whole window, every window in the older has ended.
  #younger = new Map<string, Window>();
  #older = new Map<string, Window>();
  #turnMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  take(key: string): Count {
    const windowMs = this.#rate.seconds * 1000;
    const nowMs = performance.now();
    if (nowMs >= this.#turnMs || this.#younger.size >= maxKeys) {
      this.#turnMs = nowMs + windowMs;
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    let window = this.#younger.get(key) ?? this.#older.get(key);
    if (window === undefined || nowMs >= window.endMs) {
      window = { endMs: nowMs + windowMs, calls: 0 };
      this.#younger.set(key, window);
    }
    window.calls++;
    return countOf(this.#rate, window.calls, window.endMs - nowMs);
  }

  /** Time until a key that has used up its rate may be counted again, in whole seconds; 0 while it may. Counts nothing. */
  waitSeconds(key: string): number {
    const window = this.#younger.get(key) ?? this.#older.get(key);
    const leftMs = window === undefined ? 0 : window.endMs - performance.now();
    if (window === undefined || leftMs <= 0 || window.calls < this.#rate.calls) return 0;
    return countOf(this.#rate, window.calls, leftMs).resetSeconds;
  }
}
