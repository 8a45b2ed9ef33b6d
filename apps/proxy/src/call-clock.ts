/** The deadlines of a call, in milliseconds. */
export interface CallTimes {
  /** For the whole call. */
  readonly deadlineMs: number;
  /** Until the answer begins. */
  readonly headMs: number;
  /** Between two pieces of an answer. */
  readonly quietMs: number;
}

/** What a call is doing, as far as its deadlines depend on it. */
export interface CallProgress {
  /** Whether no answer has begun. */
  readonly waiting: boolean;
  /** Whether the caller's side is the one that waits. */
  readonly paused: boolean;
}

/** Keeps the deadlines of one call. It is told of progress, which costs nothing, and asked about ten times a second. */
export class CallClock {
  readonly startedMs: number;
  readonly #times: CallTimes;
  #quietSinceMs: number;
  #moved = true;

  constructor(times: CallTimes, nowMs: number) {
    this.#times = times;
    this.startedMs = nowMs;
    this.#quietSinceMs = nowMs;
  }

  /** Something came or went. */
  move(): void {
    this.#moved = true;
  }

  /** Which deadline has passed, in fixed words; `null` when none has. */
  check(nowMs: number, { waiting, paused }: CallProgress): string | null {
    const { deadlineMs, headMs, quietMs } = this.#times;
    if (this.#moved) {
      this.#moved = false;
      this.#quietSinceMs = nowMs;
    }
    const allMs = nowMs - this.startedMs;
    if (allMs >= deadlineMs) return 'the deadline of the call passed';
    if (waiting) return allMs >= headMs ? 'no answer began' : null;
    // While the caller's side is the one that waits, silence is not the service's.
    return !paused && nowMs - this.#quietSinceMs >= quietMs ? 'the service fell silent' : null;
  }
}
