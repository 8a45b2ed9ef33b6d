import type { Caller } from '../callers/caller.js';
import { refusal } from '../refusal.js';
import type { CallLimits, LimitVerdict } from './call-limits.js';
import type { Counter } from './counter.js';
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
  readonly #counters = new Map<string, Counter>();

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
    if (perCaller === null && perVehicle === null) return unlimited;
    return this.#count(perCaller, `c:${caller.id}`, perVehicle, vehicle);
  }

  async #count(
    perCaller: Rate | null,
    caller: string,
    perVehicle: Rate | null,
    vehicle: string,
  ): Promise<LimitVerdict> {
    const uses: LimitUse[] = [];
    if (perCaller !== null && !(await this.#use('caller', perCaller, caller, uses))) return refused(uses);
    if (perVehicle !== null) {
      const key = `v:${await this.#vehicleKey(vehicle)}`;
      if (!(await this.#use('vehicle', perVehicle, key, uses))) return refused(uses);
    }
    return { kind: 'pass', headers: rateLimitHeaders(uses) };
  }

  async #use(name: LimitUse['name'], rate: Rate, key: string, uses: LimitUse[]): Promise<boolean> {
    const rateKey = `${rate.calls}/${rate.seconds}`;
    let counter = this.#counters.get(rateKey);
    if (counter === undefined) {
      counter = this.#makeCounter(rate);
      this.#counters.set(rateKey, counter);
    }
    const { allowed, left, resetSeconds } = await counter.take(key);
    uses.push({ name, rate, left, resetSeconds });
    return allowed;
  }
}

function refused(uses: readonly LimitUse[]): LimitVerdict {
  const retryAfter = ['retry-after', String(uses.at(-1)?.resetSeconds ?? 1)];
  return { kind: 'refuse', refusal: refusal('rate-limited', [], [...retryAfter, ...rateLimitHeaders(uses)]) };
}
