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
      const longer = new Uint8Array(Math.min(Math.max(this.#length, 2 * start, mostShortBytes), mostTokenBytes));
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
    if (this.#length === 0) {
      const short = shortText(bytes, start, end);
      if (short !== undefined) return short;
    }
    this.keep(bytes.subarray(start, end));
    const length = this.#length;
    this.#length = 0;
    if (length > mostTokenBytes) return undefined;
    const held = this.#held;
    const text = shortText(held, 0, length);
    if (text !== undefined) return text;
    this.#held = nothing;
    return decoder.decode(held.subarray(0, length));
  }
}

const mostShortBytes = 64;

/** The codes of a text, for each length that a short one may have: what is used again needs no memory anew. */
const codesOfLength: number[][] = [];

/** A few bytes as text where all are ASCII. The decoder is slow to start, and the values of a contract are short and mostly ASCII. */
function shortText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const length = end - start;
  if (length > mostShortBytes) return undefined;
  codesOfLength[length] ??= Array.from({ length }, () => 0);
  const codes = codesOfLength[length];
  for (let index = 0; index < length; index++) {
    const byte = bytes[start + index] as number;
    if (byte > 127) return undefined;
    codes[index] = byte;
  }
  return String.fromCharCode(...codes);
}
