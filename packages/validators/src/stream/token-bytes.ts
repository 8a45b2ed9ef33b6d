const decoder = /*#__PURE__*/ new TextDecoder('utf-8', { ignoreBOM: true });

/** Longer names, numbers, strings with a rule and values that are checked as a whole are rejected: the checker never holds more. */
export const mostTokenBytes = 65_536;

/** Collects the bytes of one token that may come in several pieces, up to the limit. */
export class TokenBytes {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** Keeps a copy of a piece; what is longer than the limit is not kept. */
  keep(piece: Uint8Array): void {
    this.#length += piece.length;
    // Not slice(): the one of Node's Buffer makes no copy.
    if (piece.length > 0 && !this.tooLong) this.#pieces.push(new Uint8Array(piece));
  }

  get tooLong(): boolean {
    return this.#length > mostTokenBytes;
  }

  /** The text of the pieces so far and a last one, which is not copied; undefined where it is too long. Starts anew. */
  take(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
    const pieces = this.#pieces;
    const length = this.#length + end - start;
    this.#pieces = [];
    this.#length = 0;
    if (length > mostTokenBytes) return undefined;
    const text = pieces.length === 0 && length < 64 ? textOfAscii(bytes, start, end) : undefined;
    return text ?? decode([...pieces, bytes.subarray(start, end)], length);
  }
}

function decode(pieces: readonly Uint8Array[], length: number): string {
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return decoder.decode(all);
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
