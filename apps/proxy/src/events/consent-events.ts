import { createHmac, randomUUID } from 'node:crypto';
import { errorCatalogue } from '@vehicle-data/openapi';
import { foldVin } from '../auth/client.js';
import type { ForwardPlan } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
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

/** Codes with which the upstream says that there is no consent for a vehicle. */
const consentCodes: ReadonlySet<string> = new Set(
  errorCatalogue.flatMap(({ code, resolution }) => (resolution === 'ask-consent' ? [code] : [])),
);

/** Events that wait to be queued while the queue cannot be written. */
const maxWaiting = 1000;
const retryMs = 1000;
const closeMs = 3000;
/** An end of consent that several processes see in this time is one event, in milliseconds. */
const sameMs = 60_000;

const failingWarning =
  'VDS_EVENTS_URL: events cannot be queued; they wait in memory, which a crash loses, and requests continue';
const fullWarning = 'VDS_EVENTS_URL: the queue of events is full; new ones are dropped, and requests continue';

/** Makes events of what requests show about consents, and queues them. The request has its response by then, and waits for nothing. */
export class ConsentEvents implements VehicleEvents {
  readonly #options: ConsentEventsOptions;
  readonly #waiting: QueuedEvent[] = [];
  readonly #ending = new Set<string>();
  #writing: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConsentEventsOptions) {
    this.#options = options;
  }

  ended(plan: ForwardPlan, record: RequestRecord, hasWithdrawn: boolean): void {
    const { brand, vehicle } = plan;
    const { upstreamStatus, upstreamCode } = record;
    if (hasWithdrawn) this.#withdrawn(plan, record);
    else if (vehicle === '') return;
    else if (consentCodes.has(upstreamCode)) void this.#consentEnded(brand, vehicle).catch(() => {});
    else if (upstreamStatus === 200 && plan.request.repeatable) this.#options.served.note(this.#hash(brand, vehicle));
  }

  /** Queues what waits, as far as that takes no longer than three seconds. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const patience = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
    this.#flush();
    await Promise.race([this.#writing, patience]);
    clearTimeout(this.#retry);
    for (const { id } of this.#waiting) this.#drop(id, 'queue-failing', 'could not be queued before the proxy stopped');
  }

  #withdrawn({ brand, vehicle }: ForwardPlan, { client, requestId }: RequestRecord): void {
    const data = { brand, ...(vehicle && { vin: vehicle }), ...(client && { client }), requestId };
    this.#add(`evt_${randomUUID()}`, 'vehicle.consent_withdrawn', data);
    // The event has been emitted: errors that follow are no second end of it.
    if (vehicle !== '') void this.#options.served.forget(this.#hash(brand, vehicle)).catch(() => {});
  }

  async #consentEnded(brand: string, vin: string): Promise<void> {
    const { served } = this.#options;
    const hash = this.#hash(brand, vin);
    if (this.#ending.has(hash)) return;
    this.#ending.add(hash);
    try {
      if (!(await served.has(hash))) return;
      const time = Math.floor(Date.now() / sameMs);
      this.#add(`evt_${this.#mac(`ended ${hash} ${time}`)}`, 'vehicle.consent_ended', { brand, vin });
      await this.#writing;
      await served.forget(hash);
    } finally {
      this.#ending.delete(hash);
    }
  }

  #hash(brand: string, vin: string): string {
    return this.#mac(`served ${brand} ${foldVin(vin)}`);
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#options.hashKey).update(text).digest('base64url').slice(0, 22);
  }

  #add(id: string, type: string, data: object): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#drop(id, 'queue-failing', 'has no room in memory');
      return;
    }
    const createdMs = Date.now();
    const body = JSON.stringify({ type, timestamp: new Date(createdMs).toISOString(), data });
    this.#waiting.push({ id, createdMs, text: this.#options.secrets.seal(id, body) });
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      // What came after the last look.
      if (this.#waiting.length > 0 && this.#retry === undefined) this.#flush();
    });
  }

  async #writeAll(): Promise<void> {
    const { queue, warnings, onQueued } = this.#options;
    for (let event = this.#waiting[0]; event !== undefined; event = this.#waiting[0]) {
      try {
        const hasRoom = await queue.add(event);
        this.#waiting.shift();
        if (hasRoom) warnings.clear('events-queue');
        else {
          warnings.raise('events-queue', fullWarning);
          this.#drop(event.id, 'queue-full', 'has no room in the queue');
        }
        onQueued();
      } catch {
        warnings.raise('events-queue', failingWarning);
        this.#retry = setTimeout(() => this.#flush(), retryMs).unref();
        return;
      }
    }
  }

  #drop(id: string, reason: 'queue-full' | 'queue-failing', words: string): void {
    this.#options.counts.dropped(reason);
    this.#options.say(`error: event ${id} ${words} and is dropped`);
  }
}
