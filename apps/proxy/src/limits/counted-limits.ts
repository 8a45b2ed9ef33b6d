import type { Caller } from '../callers/caller.js';
import { refusal } from '../refusal.js';
import type { CallLimits, LimitVerdict } from './call-limits.js';
import type { Count, Counter } from './counter.js';
import type { Rate } from './rate.js';
import { type LimitUse, rateLimitHeaders } from './rate-limit-headers.js';

/** The rates of the settings; `null` for none. */
export interface LimitRates {
  readonly perCaller: Rate | null;
  readonly perVehicle: Rate | null;
}

const unlimited: LimitVerdict = { kind: 'pass', headers: [] };

/** Limits of callers and vehicles, by whatever counts calls where the proxy runs. */
export class CountedLimits implements CallLimits {
  readonly #rates: LimitRates;
  readonly #makeCounter: (rate: Rate) => Counter;
  readonly #vehicleKey: (vin: string) => string | Promise<string>;
  // Counts outlive the rate that a key brings: keys can be read anew, with the same rates in other objects.
  readonly #byText = new Map<string, Counter>();
  readonly #byRate = new WeakMap<Rate, Counter>();

  /** @param vehicleKey what stands for a VIN where counts are kept; not the VIN itself when others can look there */
  constructor(
    rates: LimitRates,
    makeCounter: (rate: Rate) => Counter,
    vehicleKey: (vin: string) => string | Promise<string>,
  ) {
    this.#rates = rates;
    this.#makeCounter = makeCounter;
    this.#vehicleKey = vehicleKey;
  }

  take(caller: Caller, vehicle: string): LimitVerdict | Promise<LimitVerdict> {
    const perCaller = caller.rate ?? this.#rates.perCaller;
    const perVehicle = vehicle === '' ? null : this.#rates.perVehicle;
    if (perCaller === null) return perVehicle === null ? unlimited : this.#takeVehicle(perVehicle, vehicle, null);
    const count = this.#counterOf(perCaller).take(`c:${caller.id}`);
    if (count instanceof Promise) return count.then((known) => this.#goOn(perCaller, known, perVehicle, vehicle));
    return this.#goOn(perCaller, count, perVehicle, vehicle);
  }

  /** What follows once the call is counted for its caller. */
  #goOn(perCaller: Rate, count: Count, perVehicle: Rate | null, vehicle: string): LimitVerdict | Promise<LimitVerdict> {
    const use: LimitUse = { name: 'caller', rate: perCaller, count };
    if (!count.allowed) return refused([use]);
    return perVehicle === null ? passed([use]) : this.#takeVehicle(perVehicle, vehicle, use);
  }

  #takeVehicle(rate: Rate, vehicle: string, earlier: LimitUse | null): LimitVerdict | Promise<LimitVerdict> {
    const key = this.#vehicleKey(vehicle);
    const count =
      key instanceof Promise
        ? key.then((later) => this.#counterOf(rate).take(`v:${later}`))
        : this.#counterOf(rate).take(`v:${key}`);
    if (count instanceof Promise) return count.then((known) => concluded(rate, known, earlier));
    return concluded(rate, count, earlier);
  }

  #counterOf(rate: Rate): Counter {
    const known = this.#byRate.get(rate);
    if (known !== undefined) return known;
    const text = `${rate.calls}/${rate.seconds}`;
    const counter = this.#byText.get(text) ?? this.#makeCounter(rate);
    this.#byText.set(text, counter);
    this.#byRate.set(rate, counter);
    return counter;
  }
}

function concluded(rate: Rate, count: Count, earlier: LimitUse | null): LimitVerdict {
  const use: LimitUse = { name: 'vehicle', rate, count };
  const uses = earlier === null ? [use] : [earlier, use];
  return count.allowed ? passed(uses) : refused(uses);
}

function passed(uses: readonly LimitUse[]): LimitVerdict {
  return { kind: 'pass', headers: rateLimitHeaders(uses) };
}

function refused(uses: readonly LimitUse[]): LimitVerdict {
  const retryAfter = ['retry-after', String(uses.at(-1)?.count.resetSeconds ?? 1)];
  return { kind: 'refuse', refusal: refusal('rate-limited', [], [...retryAfter, ...rateLimitHeaders(uses)]) };
}
