import type { Warnings } from '../observability/warnings.js';
import { deliver, type Outcome } from './deliver.js';
import type { EventQueue, QueuedEvent } from './event-queue.js';
import type { EventSecrets } from './event-secrets.js';

/** What is counted about events. */
export interface EventCounts {
  readonly delivered: () => void;
  /** An attempt failed. @param reason a class of statuses, or why there is none */
  readonly failed: (reason: string) => void;
  /** An event is given up. */
  readonly dropped: (reason: 'expired' | 'queue-full' | 'queue-failing') => void;
}

export interface SenderOptions {
  readonly url: string;
  readonly secrets: EventSecrets;
  readonly queue: EventQueue;
  readonly counts: EventCounts;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  readonly say: (line: string) => void;
}

/** Time after which an event is given up, in milliseconds: three days. */
const keepMs = 259_200_000;
/** Time for one attempt, in milliseconds. */
const attemptMs = 15_000;
/** Nobody else sends an event that is being sent. */
const leaseMs = 20_000;
const lookMs = 500;
const maxAtOnce = 4;
/** The pause of one event is as long as its age, within these bounds, in milliseconds. */
const minPauseMs = 1000;
const maxPauseMs = 600_000;
/** The most that a receiver can ask for with `Retry-After`, in milliseconds: one hour. */
const maxRetryAfterMs = 3_600_000;
/** While the receiver fails, one attempt at a time, and pauses up to this, in milliseconds. */
const maxRestMs = 30_000;
/** Failures in a row that an operator has to know of. */
const failuresToSay = 3;

const failingWarning =
  'VDS_EVENTS_URL: the receiver does not take events; they wait, and are sent again for three days';
const goneWarning = 'VDS_EVENTS_URL: the receiver responded with 410; nothing is sent until the proxy is restarted';

/** Sends what is in the queue, each event until it is taken or three days old. */
export class EventSender {
  readonly #options: SenderOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #atOnce = 0;
  #failures = 0;
  #restUntilMs = 0;
  #isLooking = false;
  #isStopped = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.look(), lookMs).unref();
  }

  /** Sends what is due. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (
        !this.#isStopped &&
        this.#atOnce < (this.#failures > 0 ? 1 : maxAtOnce) &&
        Date.now() >= this.#restUntilMs
      ) {
        const event = await this.#options.queue.claim(leaseMs);
        if (event === null) break;
        this.#atOnce++;
        void this.#send(event)
          // Whatever the queue did not note ends with the lease.
          .catch(() => {})
          .finally(() => {
            this.#atOnce--;
            void this.look();
          });
      }
    } catch {
      // The queue cannot be read now; whoever adds to it says so.
    } finally {
      this.#isLooking = false;
    }
  }

  /** Ends the sending. What is under way may be sent once more by the next process. */
  async close(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    const endMs = performance.now() + 1000;
    while (this.#atOnce > 0 && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async #send(event: QueuedEvent): Promise<void> {
    const { queue, secrets, counts, say } = this.#options;
    const ageMs = Math.max(0, Date.now() - event.createdMs);
    if (ageMs > keepMs) {
      await queue.done(event);
      counts.dropped('expired');
      say(`error: event ${event.id} was not delivered for three days and is given up`);
      return;
    }
    if (event.text === '') {
      await queue.done(event);
      counts.dropped('queue-failing');
      say(`error: event ${event.id} was lost by its queue and is given up`);
      return;
    }
    const pauseMs = Math.min(Math.max(ageMs, minPauseMs), maxPauseMs);
    const body = secrets.open(event.id, event.text);
    if (body === null) {
      counts.failed('sealed');
      return queue.later(event, maxPauseMs);
    }
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'vds-proxy',
      'webhook-id': event.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': secrets.signatures(event.id, seconds, body),
    };
    const outcome = await deliver(this.#options.url, headers, body, attemptMs);
    if (outcome.status >= 200 && outcome.status < 300) {
      this.#succeed();
      counts.delivered();
      return queue.done(event);
    }
    this.#fail(outcome);
    return queue.later(event, Math.max(pauseMs, Math.min(outcome.retryAfterMs, maxRetryAfterMs)));
  }

  #succeed(): void {
    this.#failures = 0;
    if (!this.#isStopped) this.#options.warnings.clear('events');
  }

  #fail({ status, reason }: Outcome): void {
    const { counts, warnings } = this.#options;
    counts.failed(reason === 'status' ? String(status) : reason);
    this.#failures++;
    this.#restUntilMs = Date.now() + Math.min(maxRestMs, 250 * 2 ** Math.min(this.#failures, 10));
    if (status === 410) {
      // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#disabling-failing-endpoints
      this.#isStopped = true;
      warnings.raise('events', goneWarning);
    } else if (this.#failures >= failuresToSay) warnings.raise('events', failingWarning);
  }
}
