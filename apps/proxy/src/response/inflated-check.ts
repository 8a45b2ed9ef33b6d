import { copyBytes } from './buffered-body.js';

/** The check of one response that flows by. */
export interface ResponseCheck {
  /** Reads a piece of the body. Returns whether all is well so far. */
  write(chunk: Uint8Array): boolean;
  /** The body is complete. Returns whether all was well. */
  end(): boolean;
  /** The body will not be completed. Without effect after `end`. */
  stop(): void;
}

/** Inflated bytes that are checked of one response: 64 MB. A small body can stand for a huge one. */
const maxInflatedBytes = 67_108_864;
/** Compressed bytes that may wait to be inflated: 1 MB. The response itself does not wait for its check. */
const maxWaitingBytes = 1_048_576;

/**
 * Checks a gzip body by inflating a copy beside the stream. When that cannot keep up or grows too long, the response counts as
 * not checked; the stream is never delayed.
 */
export class InflatedCheck implements ResponseCheck {
  readonly #plain: ResponseCheck;
  readonly #skip: (reason: string) => void;
  readonly #inflate = new DecompressionStream('gzip');
  readonly #input = this.#inflate.writable.getWriter();
  #waitingBytes = 0;
  #over = false;
  #ended = false;

  /**
   * @param plain the check of the inflated bytes
   * @param skip told, in fixed words, why a response was not checked
   */
  constructor(plain: ResponseCheck, skip: (reason: string) => void) {
    this.#plain = plain;
    this.#skip = skip;
    this.#read().catch(() => this.#giveUp('broken gzip'));
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > maxWaitingBytes) {
      this.#giveUp('compressed, and too fast');
      return true;
    }
    const written = () => {
      this.#waitingBytes -= chunk.length;
    };
    this.#input.write(copyBytes(chunk)).then(written, () => this.#giveUp('broken gzip'));
    return true;
  }

  end(): boolean {
    this.#ended = true;
    if (!this.#over) this.#input.close().catch(() => this.#giveUp('broken gzip'));
    return true;
  }

  stop(): void {
    if (!this.#ended) this.#abandon();
  }

  async #read(): Promise<void> {
    let inflatedBytes = 0;
    for await (const piece of this.#inflate.readable) {
      if (this.#over) return;
      inflatedBytes += piece.length;
      if (inflatedBytes > maxInflatedBytes) {
        this.#giveUp('compressed, and too long');
        return;
      }
      this.#plain.write(piece);
    }
    if (!this.#over) this.#plain.end();
    this.#over = true;
  }

  #giveUp(reason: string): void {
    if (this.#over) return;
    this.#skip(reason);
    this.#abandon();
  }

  #abandon(): void {
    if (this.#over) return;
    this.#over = true;
    this.#input.abort().catch(() => {});
  }
}
