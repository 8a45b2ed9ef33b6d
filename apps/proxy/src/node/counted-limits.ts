import { hash } from 'node:crypto';
import type { Caller } from '../callers/caller.js';
import type { CallLimits, LimitVerdict } from '../limits/call-limits.js';
import type { Rate } from '../limits/rate.js';
import { type LimitUse, rateLimitHeaders } from '../limits/rate-limit-headers.js';
import { refusal } from '../refusal.js';
import { CallCounter, type SharedCounting } from './call-counter.js';

/** The rates of the settings; `null` for none. */
export interface LimitRates {
  readonly perCaller: Rate | null;
  readonly perVehicle: Rate | null;
}

const unlimited: LimitVerdict = { kind: 'pass', headers: [] };

/** Limits of callers and vehicles, counted in this process or in Redis. */
export class CountedLimits implements CallLimits {
  readonly #rates: LimitRates;
  readonly #shared: SharedCounting | null;
  readonly #onAway: () => void;
  readonly #counters = new Map<string, CallCounter>();

  /** @param onAway hears that Redis failed or was too slow */
  constructor(rates: LimitRates, shared: SharedCounting | null, onAway: () => void = () => {}) {
    this.#rates = rates;
    this.#shared = shared;
    this.#onAway = onAway;
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
    // Redis belongs to others as well, so a VIN is not its key.
    const key = this.#shared === null ? vehicle : hash('sha256', vehicle, 'hex').slice(0, 32);
    if (perVehicle !== null && !(await this.#use('vehicle', perVehicle, `v:${key}`, uses))) return refused(uses);
    return { kind: 'pass', headers: rateLimitHeaders(uses) };
  }

  async #use(name: LimitUse['name'], rate: Rate, key: string, uses: LimitUse[]): Promise<boolean> {
    const rateKey = `${rate.calls}/${rate.seconds}`;
    let counter = this.#counters.get(rateKey);
    if (counter === undefined) {
      counter = new CallCounter(rate, this.#shared, this.#onAway);
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
