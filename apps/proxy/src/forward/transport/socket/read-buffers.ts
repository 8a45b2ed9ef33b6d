/** Bytes of the buffer that a connection to the upstream has for itself. */
const shortBytes = 16_384;
/** Bytes of the buffer that a long response is read into: the fewer reads and writes, the less a long response costs. */
const longBytes = 524_288;
/** Long buffers that are kept for the next long responses; together eight megabytes. */
const keptBuffers = 16;

const kept: Buffer[] = [];

/**
 * What one connection to the upstream reads into: a short buffer of its own, and a long one, lent, from the moment that a response
 * fills the short one until it ends. A long one for each connection would make hundreds of short calls allocate, and collect, more
 * than everything else.
 */
export class ReadBuffers {
  readonly #short = Buffer.allocUnsafeSlow(shortBytes);
  #long: Buffer | null = null;

  /**
   * The buffer for the next read. When a response has ended, its long buffer goes to another connection.
   *
   * @param filled whether the read before filled its buffer
   * @param responding whether a response is under way; as long as a piece of it is not written yet, it is
   * @param waiting whether what was read last is not written yet; over TLS, more can follow although nothing is asked for
   */
  next(filled: boolean, responding: boolean, waiting: boolean): Buffer {
    if (waiting) return Buffer.allocUnsafeSlow(shortBytes);
    if (responding) {
      if (filled) this.#long ??= kept.pop() ?? Buffer.allocUnsafeSlow(longBytes);
    } else if (this.#long !== null) {
      if (kept.length < keptBuffers) kept.push(this.#long);
      this.#long = null;
    }
    return this.#long ?? this.#short;
  }
}
