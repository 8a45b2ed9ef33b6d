import { BufferedBody } from '../response/buffered-body.js';
import type { ResponseCheck } from '../response/inflated-check.js';
import type { ResponseWriter } from '../response/response-writer.js';

/** Passes the body of a response to the client. */
export interface Relay {
  /** Takes a piece. Returns whether more may come now, or `violation` when the response must not pass. */
  data(chunk: Uint8Array): boolean | 'violation';
  /** Ends the body. Returns `false` when the response must not pass. */
  end(): boolean;
}

/** Passes every piece at once; a check reads along and delays nothing. */
export class ReportingRelay implements Relay {
  readonly #out: ResponseWriter;
  readonly #check: ResponseCheck | null;

  constructor(out: ResponseWriter, check: ResponseCheck | null) {
    this.#out = out;
    this.#check = check;
  }

  data(chunk: Uint8Array): boolean {
    const more = this.#out.data(chunk);
    // After the piece is on its way.
    this.#check?.write(chunk);
    return more;
  }

  end(): boolean {
    this.#out.end();
    this.#check?.end();
    return true;
  }
}

/** Bytes that are held until the response begins: 64 kB. */
const maxHeldBytes = 65_536;

/**
 * Passes only what has passed its check. The beginning is held, so that a short response that violates the contract becomes an error
 * envelope; of a longer one, the piece with the first violation and everything after it stay behind.
 */
export class EnforcingRelay implements Relay {
  readonly #out: ResponseWriter;
  readonly #check: ResponseCheck;
  readonly #begin: () => void;
  #leftBytes: number;
  #held: BufferedBody | null = new BufferedBody();
  #concluded = false;

  /**
   * @param length of the body in bytes, or `null` when it is not known
   * @param begin called before the first piece is passed
   */
  constructor(out: ResponseWriter, check: ResponseCheck, length: number | null, begin: () => void) {
    this.#out = out;
    this.#check = check;
    this.#leftBytes = length ?? Number.POSITIVE_INFINITY;
    this.#begin = begin;
  }

  data(chunk: Uint8Array): boolean | 'violation' {
    this.#leftBytes -= chunk.length;
    // A client takes a response for complete with its last byte, so the verdict comes before that.
    if (!this.#check.write(chunk) || (this.#leftBytes <= 0 && !this.#conclude())) {
      this.#conclude();
      return 'violation';
    }
    if (this.#held === null) return this.#out.data(chunk);
    this.#held.add(chunk);
    return this.#held.length < maxHeldBytes || this.#release();
  }

  end(): boolean {
    if (!this.#conclude()) return false;
    this.#release();
    this.#out.end();
    return true;
  }

  #conclude(): boolean {
    if (this.#concluded) return true;
    this.#concluded = true;
    return this.#check.end();
  }

  /** Passes what is held, in one piece. */
  #release(): boolean {
    if (this.#held === null) return true;
    const bytes = this.#held.take();
    this.#held = null;
    this.#begin();
    return this.#out.data(bytes);
  }
}
