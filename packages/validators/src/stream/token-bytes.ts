const decoder = /*#__PURE__*/ new TextDecoder('utf-8', { ignoreBOM: true });

/** Longer names, numbers, strings with a rule and values that are checked as a whole are rejected: the checker never holds more. */
export const mostTokenBytes = 65_536;

export const nothing = /*#__PURE__*/ new Uint8Array();

/** Collects the bytes of one token that may come in several pieces, up to the limit. */
export class TokenBytes {
  #held = nothing;
  #length = 0;

  /** Keeps a copy of a piece; of what is longer than the limit, nothing is kept. */
  keep(piece: Uint8Array): void {
    const start = this.#length;
    this.#length += piece.length;
    if (this.tooLong) {
      this.#held = nothing;
      return;
    }
    if (this.#length > this.#held.length) {
      const longer = new Uint8Array(Math.min(Math.max(this.#length, 2 * start), mostTokenBytes));
      longer.set(this.#held);
      this.#held = longer;
    }
    this.#held.set(piece, start);
  }

  get tooLong(): boolean {
    return this.#length > mostTokenBytes;
  }

  /** The text of the pieces so far and a last one; undefined where it is too long. Starts anew. */
  take(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
    const short = this.#length === 0 && end - start < 64 ? textOfAscii(bytes, start, end) : undefined;
    if (short !== undefined) return short;
    this.keep(bytes.subarray(start, end));
    const text = this.tooLong ? undefined : decoder.decode(this.#held.subarray(0, this.#length));
    this.#held = nothing;
    this.#length = 0;
    return text;
  }
}

/** Bytes as text where all are ASCII. The decoder is slow to start, and the values of a contract are short and mostly ASCII. */
function textOfAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  const codes: number[] = [];
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) return undefined;
    codes.push(byte);
  }
  return String.fromCharCode(...codes);
}
