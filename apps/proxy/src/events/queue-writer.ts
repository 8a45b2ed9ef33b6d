import type { Warnings } from '../observability/warnings.js';
import { lastTries } from '../store/last-tries.js';
import type { EventQueue, QueuedEvent } from './event-queue.js';
import type { EventCounts } from './event-sender.js';

export interface QueueWriterOptions {
  readonly queue: Pick<EventQueue, 'add'>;
  readonly counts: Pick<EventCounts, 'dropped'>;
  readonly warnings: Pick<Warnings, 'raise' | 'clear'>;
  readonly say: (line: string) => void;
  /** Called when an event was queued. */
  readonly onQueued: () => void;
}

/** What becomes of an event. */
export interface AddedEvent {
  /** Resolves when the event is queued or dropped, or after a second: then it follows. */
  readonly tried: Promise<unknown>;
  /** Whether it is queued; `false` when it was dropped. */
  readonly queued: Promise<boolean>;
}

/** Events that wait to be queued while the queue cannot be written. */
const maxWaiting = 1000;
const retryMs = 1000;
/** Time for which the success of a withdrawal waits for the queue, in milliseconds. */
const patienceMs = 1000;

const failingWarning =
  'VDS_EVENTS_URL: events cannot be queued; they wait in memory, which a crash loses, and requests continue';
const fullWarning = 'VDS_EVENTS_URL: the queue of events is full; new ones are dropped, and requests continue';

/** An event that is not in the queue yet. */
interface Waiting {
  readonly event: QueuedEvent;
  /** Called when it is in the queue, or else dropped. */
  readonly settled: (isQueued: boolean) => void;
}

/** Puts events into the queue of one receiver, in their order. While it cannot be written they wait in memory, and are tried again. */
export class QueueWriter {
  readonly #options: QueueWriterOptions;
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Whether the queue has just failed or kept somebody waiting: nobody waits for it until it works. */
  #isSlow = false;

  constructor(options: QueueWriterOptions) {
    this.#options = options;
  }

  add(event: QueuedEvent): AddedEvent {
    const queued = new Promise<boolean>((settled) => {
      if (this.#waiting.length >= maxWaiting) {
        this.#drop(event.id, 'queue-failing', 'has no room in memory');
        return settled(false);
      }
      this.#waiting.push({ event, settled });
      void this.#flush();
    });
    return { tried: this.#tried(queued), queued };
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

  async #tried(queued: Promise<boolean>): Promise<void> {
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
