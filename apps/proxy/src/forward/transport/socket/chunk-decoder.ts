// The size, and an extension that is skipped: https://www.rfc-editor.org/rfc/rfc9112#section-7.1.1
const sizeForm = /^[0-9A-Fa-f]{1,8}(?:;[\t\x20-\x7e\x80-\xff]{0,256})?$/;
const maxTrailerBytes = 8192;
const CR = 13;
const LF = 10;

/**
 * Takes the chunk framing off a body, strictly. It moves the data together inside the buffer it is given, so that one read
 * gives one piece, however small the chunks are.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9112#section-7.1}
 */
export class ChunkDecoder {
  #phase: 'size' | 'data' | 'data-end' | 'trailer' | 'done' | 'broken' = 'size';
  #left = 0;
  /** The line so far, and whether its CR has come. */
  #line = '';
  #lineEnds = false;
  #trailerBytes = 0;
  /** Where the bytes after the whole message begin, once `done`. */
  restAt = 0;

  get done(): boolean {
    return this.#phase === 'done';
  }

  /**
   * Decodes the bytes from `start` to `end`.
   *
   * @returns where the data, moved to `start`, ends; `-1` when the framing is broken
   */
  decode(bytes: Uint8Array, start: number, end: number): number {
    let out = start;
    let at = start;
    while (at < end && this.#phase !== 'done') {
      if (this.#phase === 'data') {
        const take = Math.min(this.#left, end - at);
        if (out !== at) bytes.copyWithin(out, at, at + take);
        out += take;
        at += take;
        this.#left -= take;
        if (this.#left === 0) this.#phase = 'data-end';
      } else {
        this.#readLine(bytes[at] ?? 0);
        at++;
        if (this.#phase === 'broken') return -1;
      }
    }
    this.restAt = at;
    return out;
  }

  #readLine(byte: number): void {
    if (this.#lineEnds) {
      this.#phase = byte === LF ? this.#phaseAfter(this.#line) : 'broken';
      this.#line = '';
      this.#lineEnds = false;
    } else if (byte === CR) this.#lineEnds = true;
    else {
      this.#line += String.fromCharCode(byte);
      if (byte === LF || !this.#mayContinue()) this.#phase = 'broken';
    }
  }

  /** Whether a line can begin like this; what is broken is found at once, and not when its line ends. */
  #mayContinue(): boolean {
    if (this.#phase === 'size') return sizeForm.test(this.#line);
    // Trailers are read to find the end and then forgotten.
    return this.#phase === 'trailer' && ++this.#trailerBytes <= maxTrailerBytes;
  }

  #phaseAfter(line: string): 'size' | 'data' | 'trailer' | 'done' | 'broken' {
    if (this.#phase === 'data-end') return 'size';
    if (this.#phase === 'trailer') return line === '' ? 'done' : 'trailer';
    if (line === '') return 'broken';
    this.#left = Number.parseInt(line, 16);
    return this.#left === 0 ? 'trailer' : 'data';
  }
}
