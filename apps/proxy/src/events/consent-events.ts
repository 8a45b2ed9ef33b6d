import { createHmac, randomUUID } from 'node:crypto';
import { errorCatalogue } from '@vehicle-data/openapi';
import { foldVin } from '../auth/client.js';
import type { Withdrawn } from '../fence/fence.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
import { lastTries } from '../store/last-tries.js';
import type { EventQueue, QueuedEvent } from './event-queue.js';
import type { EventSecrets } from './event-secrets.js';
import type { EventCounts } from './event-sender.js';
import type { ServedVehicles } from './served-vehicles.js';
import type { VehicleEvents } from './vehicle-events.js';

export interface ConsentEventsOptions {
  readonly queue: Pick<EventQueue, 'add'>;
  readonly served: ServedVehicles;
  readonly secrets: EventSecrets;
  /** Secret of the hashes of vehicles. */
  readonly hashKey: string;
  readonly counts: Pick<EventCounts, 'dropped'>;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  readonly say: (line: string) => void;
  /** Called when an event was queued. */
  readonly onQueued: () => void;
}

/** Codes with which the upstream, or the fence, says that there is no consent for a vehicle. */
const consentCodes: ReadonlySet<string> = new Set(
  errorCatalogue.flatMap(({ code, resolution }) => (resolution === 'ask-consent' ? [code] : [])),
);

/** Events that wait to be queued while the queue cannot be written. */
const maxWaiting = 1000;
/** Vehicles whose end is being queued, or was dropped within the last minute. */
const maxEnding = 10_000;
const retryMs = 1000;
/** Time for which the success of a withdrawal waits for the queue, in milliseconds. */
const patienceMs = 1000;
/** An end of consent that several processes see in this time is one event, in milliseconds. */
const sameMs = 60_000;

const failingWarning =
  'VDS_EVENTS_URL: events cannot be queued; they wait in memory, which a crash loses, and requests continue';
const fullWarning = 'VDS_EVENTS_URL: the queue of events is full; new ones are dropped, and requests continue';

/** An event that is not in the queue yet. */
interface Waiting {
  readonly event: QueuedEvent;
  /** Called when it is in the queue, or else dropped. */
  readonly settled: (isQueued: boolean) => void;
}

/** Makes events of what requests show about consents, and queues them. */
export class ConsentEvents implements VehicleEvents {
  readonly #options: ConsentEventsOptions;
  readonly #waiting: Waiting[] = [];
  readonly #ending = new Set<string>();
  #writing: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Whether the queue has just failed or kept somebody waiting: nobody waits for it until it works. */
  #isSlow = false;

  constructor(options: ConsentEventsOptions) {
    this.#options = options;
  }

  async withdrawn({ brand, vin, client, requestId }: Withdrawn): Promise<void> {
    const data = { brand, ...(vin && { vin }), ...(client && { client }), requestId };
    const hash = vin && this.#hash(brand, vin);
    // Errors that follow are no second end of it.
    if (hash) this.#ending.add(hash);
    const queued = this.#add(`evt_${randomUUID()}`, 'vehicle.consent_withdrawn', data);
    if (hash) void this.#settleEnd(hash, queued).catch(() => {});
    if (this.#isSlow) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#isSlow = true;
        resolve();
      }, patienceMs);
    });
    await Promise.race([queued, patience]);
    clearTimeout(timer);
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
    await lastTries(
      () => this.#flush(),
      () => this.#waiting.length,
    );
    clearTimeout(this.#retry);
    for (const { event, settled } of this.#waiting.splice(0)) {
      this.#drop(event.id, 'queue-failing', 'could not be queued before the proxy stopped');
      settled(false);
    }
  }

  async #consentEnded(brand: string, vin: string): Promise<void> {
    const hash = this.#hash(brand, vin);
    if (this.#ending.has(hash) || this.#ending.size >= maxEnding) return;
    this.#ending.add(hash);
    let queued: Promise<boolean> | null = null;
    try {
      if (!(await this.#options.served.has(hash))) return;
      const time = Math.floor(Date.now() / sameMs);
      queued = this.#add(`evt_${this.#mac(`ended ${hash} ${time}`)}`, 'vehicle.consent_ended', { brand, vin });
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

  /** Resolves when the event is in the queue; with `false` when it was dropped. */
  #add(id: string, type: string, data: object): Promise<boolean> {
    const createdMs = Date.now();
    const body = JSON.stringify({ type, timestamp: new Date(createdMs).toISOString(), data });
    const event = { id, createdMs, text: this.#options.secrets.seal(id, body) };
    return new Promise((settled) => {
      if (this.#waiting.length >= maxWaiting) {
        this.#drop(id, 'queue-failing', 'has no room in memory');
        return settled(false);
      }
      this.#waiting.push({ event, settled });
      void this.#flush();
    });
  }

  /** Resolves when nothing waits, or the queue has failed. */
  #flush(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      // What came after the last look.
      if (this.#waiting.length > 0 && this.#retry === undefined) void this.#flush();
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { queue, warnings, onQueued } = this.#options;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      try {
        const hasRoom = await queue.add(next.event);
        this.#waiting.shift();
        this.#isSlow = false;
        if (hasRoom) warnings.clear('events-queue');
        else {
          warnings.raise('events-queue', fullWarning);
          this.#drop(next.event.id, 'queue-full', 'has no room in the queue');
        }
        next.settled(hasRoom);
        onQueued();
      } catch {
        this.#isSlow = true;
        warnings.raise('events-queue', failingWarning);
        this.#retry = setTimeout(() => void this.#flush(), retryMs).unref();
        return;
      }
    }
  }

  #drop(id: string, reason: 'queue-full' | 'queue-failing', words: string): void {
    this.#options.counts.dropped(reason);
    this.#options.say(`error: event ${id} ${words} and is dropped`);
  }
}
