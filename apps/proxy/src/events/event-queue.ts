/** An event that waits to be delivered. */
export interface QueuedEvent {
  readonly id: string;
  /** When it was queued first, in milliseconds since 1970. */
  readonly createdMs: number;
  /** The sealed payload; empty where the queue has lost it. */
  readonly text: string;
}

/** Events that outlive the process. Every step can fail, and then nothing is known of it. */
export interface EventQueue {
  /** Resolves when the event is kept; with `false` when there is no room. One that is there already is not added again. */
  add(event: QueuedEvent): Promise<boolean>;
  /** An event whose time has come, for this process alone: for `leaseMs` milliseconds nobody else gets it. */
  claim(leaseMs: number): Promise<QueuedEvent | null>;
  /** The event is delivered, or given up. */
  done(event: QueuedEvent): Promise<void>;
  /** The event is due again after a pause, in milliseconds. */
  later(event: QueuedEvent, pauseMs: number): Promise<void>;
  /** How many events wait, and when the oldest was queued. */
  state(): Promise<{ readonly queued: number; readonly oldestMs: number | null }>;
  close(): Promise<void>;
}

/** Events that may wait. With the receiver away, that is one withdrawal a second for nearly three hours. */
export const maxQueued = 10_000;
