import type { Client } from '../auth/client.js';
import { foldVin } from '../auth/vehicle-rights.js';
import { proxyError } from '../response/proxy-error.js';
import type { LimitVerdict, RateLimits } from './call-limits.js';
import type { Count, Counter } from './counter.js';
import type { Rate } from './rate.js';
import { type LimitUse, rateLimitHeaders } from './rate-limit-headers.js';

/** The rates of the settings; `null` for none. */
export interface LimitRates {
  readonly perClient: Rate | null;
  readonly perVehicle: Rate | null;
}

const unlimited: LimitVerdict = { kind: 'pass', headers: [] };

/** Limits of clients and vehicles, by whatever counts calls where the proxy runs. */
export class CountedLimits implements RateLimits {
  readonly #rates: LimitRates;
  readonly #makeCounter: (rate: Rate) => Counter;
  readonly #vehicleKey: (vehicle: string) => string | Promise<string>;
  // Counts outlive the rate that a key brings: keys can be read anew, with the same rates in other objects.
  #byText = new Map<string, Counter>();
  readonly #byRate = new WeakMap<Rate, Counter>();

  /** @param vehicleKey what stands for a client's vehicle where counts are kept; not its VIN when others can look there */
  constructor(
    rates: LimitRates,
    makeCounter: (rate: Rate) => Counter,
    vehicleKey: (vehicle: string) => string | Promise<string>,
  ) {
    this.#rates = rates;
    this.#makeCounter = makeCounter;
    this.#vehicleKey = vehicleKey;
  }

  /** Limits of other rates that go on with the counts of these. */
  withRates(rates: LimitRates): CountedLimits {
    const limits = new CountedLimits(rates, this.#makeCounter, this.#vehicleKey);
    limits.#byText = this.#byText;
    return limits;
  }

  take(client: Client, brand: string, vin: string): LimitVerdict | Promise<LimitVerdict> {
    const perClient = client.rate ?? this.#rates.perClient;
    const perVehicle = vin === '' ? null : this.#rates.perVehicle;
    // By client as well: nobody can use up the calls that another client may make for its vehicle.
    const vehicle = `${client.id}:${brand}:${foldVin(vin)}`;
    if (perClient === null) return perVehicle === null ? unlimited : this.#takeVehicle(perVehicle, vehicle, null);
    const count = this.#counterOf(perClient).take(`c:${client.id}`);
    if (count instanceof Promise) return count.then((known) => this.#goOn(perClient, known, perVehicle, vehicle));
    return this.#goOn(perClient, count, perVehicle, vehicle);
  }

  /** What follows once the call is counted for its client. */
  #goOn(perClient: Rate, count: Count, perVehicle: Rate | null, vehicle: string): LimitVerdict | Promise<LimitVerdict> {
    const use: LimitUse = { name: 'client', rate: perClient, count };
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
  return { kind: 'reject', proxyError: proxyError('rate-limited', [], [...retryAfter, ...rateLimitHeaders(uses)]) };
}
