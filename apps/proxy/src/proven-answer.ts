import type { AnswerCheck } from './answer-check.js';
import type { AnswerOut } from './answer-out.js';
import { HeldBody } from './held-body.js';

/** Bytes of an answer that are held until it begins to be handed on: 64 kB. */
const maxHeldBytes = 65_536;

/**
 * Hands on only what has passed its check. The beginning is held, so that a short answer that breaks the contract becomes an
 * error envelope; of a longer one the piece with the first deviation, and everything after it, stays behind.
 */
export class ProvenAnswer {
  readonly #out: AnswerOut;
  readonly #check: AnswerCheck;
  readonly #begin: () => void;
  #leftBytes: number;
  #held: HeldBody | null = new HeldBody();
  #ended = false;

  /**
   * @param length of the body in bytes, or `null` when it is not known
   * @param begin called before the first piece is handed on
   */
  constructor(out: AnswerOut, check: AnswerCheck, length: number | null, begin: () => void) {
    this.#out = out;
    this.#check = check;
    this.#leftBytes = length ?? Number.POSITIVE_INFINITY;
    this.#begin = begin;
  }

  /** Takes a piece. Returns whether more may come now, or `wrong`. */
  data(chunk: Uint8Array): boolean | 'wrong' {
    this.#leftBytes -= chunk.length;
    // The caller takes an answer for whole with its last byte, so the verdict comes before that.
    const fine = this.#check.write(chunk) && (this.#leftBytes > 0 || this.#conclude());
    if (!fine) {
      this.#conclude();
      return 'wrong';
    }
    if (this.#held === null) return this.#out.data(chunk);
    this.#held.add(chunk);
    return this.#held.length < maxHeldBytes || this.#release();
  }

  /** Ends the answer. Returns `false` when it must not pass. */
  end(): boolean {
    if (!this.#conclude()) return false;
    this.#release();
    this.#out.end();
    return true;
  }

  #conclude(): boolean {
    if (this.#ended) return true;
    this.#ended = true;
    return this.#check.end();
  }

  /** Hands on what is held, in one piece. */
  #release(): boolean {
    if (this.#held === null) return true;
    const bytes = this.#held.take();
    this.#held = null;
    this.#begin();
    return this.#out.data(bytes);
  }
}
