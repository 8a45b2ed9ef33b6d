type Phase =
  | 'size'
  | 'extension'
  | 'size-end'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'end-lf'
  | 'done'
  | 'broken';

const CR = 13;
const LF = 10;
const maxTrailerBytes = 8192;
const maxExtensionBytes = 256;

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Takes the chunk framing off a body, strictly. It moves the data together inside the buffer it is given, so that one read
 * gives one piece, however small the chunks are.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9112#section-7.1}
 */
export class ChunkDecoder {
  #phase: Phase = 'size';
  #size = 0;
  #digits = 0;
  #left = 0;
  #extension = 0;
  #trailer = 0;
  #lineLength = 0;
  #last = -1;
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
        if (this.#left === 0) this.#phase = 'data-cr';
      } else {
        this.#step(bytes[at] ?? 0);
        at++;
        if (this.#phase === 'broken') return -1;
      }
    }
    this.restAt = at;
    return out;
  }

  #step(byte: number): void {
    switch (this.#phase) {
      case 'size':
        this.#sizeDigit(byte);
        return;
      case 'extension':
        // An extension is skipped, and must be of visible characters.
        if (byte === CR) this.#phase = 'size-end';
        else if (++this.#extension > maxExtensionBytes || (byte < 32 && byte !== 9) || byte === 127)
          this.#phase = 'broken';
        return;
      case 'size-end':
        this.#startChunk(byte);
        return;
      case 'data-cr':
        this.#phase = byte === CR ? 'data-lf' : 'broken';
        return;
      case 'data-lf':
        this.#phase = byte === LF ? 'size' : 'broken';
        this.#size = 0;
        this.#digits = 0;
        this.#extension = 0;
        return;
      case 'trailer':
        this.#trailerByte(byte);
        return;
      case 'end-lf':
        this.#phase = byte === LF ? 'done' : 'broken';
        return;
      default:
        this.#phase = 'broken';
    }
  }

  #sizeDigit(byte: number): void {
    const value = hexValue(byte);
    if (value >= 0 && this.#digits < 8) {
      this.#size = this.#size * 16 + value;
      this.#digits++;
    } else if (this.#digits > 0 && byte === CR) {
      this.#phase = 'size-end';
    } else {
      this.#phase = this.#digits > 0 && byte === 59 ? 'extension' : 'broken';
    }
  }

  #startChunk(byte: number): void {
    if (byte !== LF) {
      this.#phase = 'broken';
    } else if (this.#size === 0) {
      this.#phase = 'trailer';
      this.#lineLength = 0;
    } else {
      this.#left = this.#size;
      this.#phase = 'data';
    }
  }

  /** Trailers are read to find the end and then forgotten. */
  #trailerByte(byte: number): void {
    if (++this.#trailer > maxTrailerBytes) this.#phase = 'broken';
    else if (this.#last === CR) {
      if (byte !== LF) this.#phase = 'broken';
      else this.#lineLength = 0;
    } else if (byte === CR) {
      if (this.#lineLength === 0) this.#phase = 'end-lf';
    } else if (byte === LF) this.#phase = 'broken';
    else this.#lineLength++;
    this.#last = byte;
  }
}
