import { createHmac, randomUUID } from 'node:crypto';
import { errorCatalogue } from '@vehicle-data/openapi';
import { foldVin } from '../auth/client.js';
import type { Withdrawn } from '../fence/fence.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';
import type { EventSecrets } from './event-secrets.js';
import type { AddedEvent, QueueWriter } from './queue-writer.js';
import type { ServedVehicles } from './served-vehicles.js';
import type { VehicleEvents } from './vehicle-events.js';

export interface ConsentEventsOptions {
  /** That of each receiver. */
  readonly writers: readonly QueueWriter[];
  readonly served: ServedVehicles;
  readonly secrets: EventSecrets;
  /** Secret of the hashes of vehicles. */
  readonly hashKey: string;
}

/** Codes with which the upstream, or the fence, says that there is no consent for a vehicle. */
const consentCodes: ReadonlySet<string> = new Set(
  errorCatalogue.flatMap(({ code, resolution }) => (resolution === 'ask-consent' ? [code] : [])),
);

/** Vehicles whose end is being queued, or was dropped within the last minute. */
const maxEnding = 10_000;
/** An end of consent that several processes see in this time is one event, in milliseconds. */
const sameMs = 60_000;

/** Makes events of what requests show about consents, and queues them. */
export class ConsentEvents implements VehicleEvents {
  readonly #options: ConsentEventsOptions;
  readonly #ending = new Set<string>();

  constructor(options: ConsentEventsOptions) {
    this.#options = options;
  }

  async withdrawn({ brand, vin, client, requestId }: Withdrawn): Promise<void> {
    const data = { brand, ...(vin && { vin }), ...(client && { client }), requestId };
    const hash = vin && this.#hash(brand, vin);
    // Errors that follow are no second end of it.
    if (hash) this.#ending.add(hash);
    const { tried, queued } = this.#add(`evt_${randomUUID()}`, 'vehicle.consent_withdrawn', data);
    if (hash) void this.#settleEnd(hash, queued).catch(() => {});
    await tried;
  }

  ended(plan: ForwardPlan, { upstreamStatus, upstreamCode, code, attempts }: RequestRecord): void {
    const { brand, vehicle } = plan;
    if (vehicle === '') return;
    // What the fence rejects while the vehicle counts as served is news as well: a crash has lost the event of the withdrawal. What it cuts is
    // none: the withdrawal has only just become known, and its event is on its way.
    const isRejected = attempts === 0 && consentCodes.has(code);
    if (consentCodes.has(upstreamCode) || isRejected) void this.#consentEnded(brand, vehicle).catch(() => {});
    else if (upstreamStatus === 200 && !consentCodes.has(code) && plan.request.repeatable)
      this.#options.served.note(this.#hash(brand, vehicle));
  }

  /** Queues what waits, as far as that takes no longer than three seconds. */
  async close(): Promise<void> {
    await Promise.all(this.#options.writers.map((writer) => writer.close()));
  }

  async #consentEnded(brand: string, vin: string): Promise<void> {
    const hash = this.#hash(brand, vin);
    if (this.#ending.has(hash) || this.#ending.size >= maxEnding) return;
    this.#ending.add(hash);
    let queued: Promise<boolean> | null = null;
    try {
      if (!(await this.#options.served.has(hash))) return;
      const time = Math.floor(Date.now() / sameMs);
      queued = this.#add(`evt_${this.#mac(`ended ${hash} ${time}`)}`, 'vehicle.consent_ended', { brand, vin }).queued;
    } finally {
      if (queued === null) this.#ending.delete(hash);
      else await this.#settleEnd(hash, queued);
    }
  }

  /** A vehicle counts as served until the event of its end is kept. One that was lost or dropped is made up for by a later request. */
  async #settleEnd(hash: string, queued: Promise<boolean>): Promise<void> {
    let pauseMs = 0;
    try {
      if (await queued) await this.#options.served.forget(hash);
      // Requests for one vehicle do not fill the log with drops.
      else pauseMs = sameMs;
    } finally {
      if (pauseMs === 0) this.#ending.delete(hash);
      else setTimeout(() => this.#ending.delete(hash), pauseMs).unref();
    }
  }

  #hash(brand: string, vin: string): string {
    return this.#mac(`served ${brand} ${foldVin(vin)}`);
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#options.hashKey).update(text).digest('base64url').slice(0, 22);
  }

  /** Adds an event to the queue of each receiver, none of which waits for another. It is queued when one of them has it. */
  #add(id: string, type: string, data: object): AddedEvent {
    const createdMs = Date.now();
    const body = JSON.stringify({ type, timestamp: new Date(createdMs).toISOString(), data });
    const event = { id, createdMs, text: this.#options.secrets.seal(id, body) };
    const added = this.#options.writers.map((writer) => writer.add(event));
    const tried = Promise.all(added.map((each) => each.tried));
    return { tried, queued: tried.then(() => isOneTrue(added.map((each) => each.queued))) };
  }
}

/** Whether one of them is `true`: known as soon as one is, or all are not. */
function isOneTrue(all: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const each of all) void each.then((one) => one && resolve(true));
    void Promise.all(all).then(() => resolve(false));
  });
}
