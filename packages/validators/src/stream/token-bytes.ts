const decoder = /*#__PURE__*/ new TextDecoder('utf-8', { ignoreBOM: true });

/** Collects the bytes of one token that may come in several pieces, up to a limit. */
export class TokenBytes {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps a copy of a piece; what is longer than the limit is not kept. */
  keep(piece: Uint8Array): void {
    this.#length += piece.length;
    // Not slice(): the one of Node's Buffer makes no copy.
    if (piece.length > 0 && !this.tooLong) this.#pieces.push(new Uint8Array(piece));
  }

  get tooLong(): boolean {
    return this.#length > this.#limit;
  }

  /** The text of the pieces so far and a last one, which is not copied; undefined where it is too long. Starts anew. */
  take(last: Uint8Array): string | undefined {
    this.#length += last.length;
    const alone = this.#pieces.length === 0 && last.length < 64;
    const text = this.tooLong ? undefined : alone ? shortText(last) : this.#decode(last);
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #decode(last: Uint8Array): string {
    const all = new Uint8Array(this.#pieces.reduce((sum, piece) => sum + piece.length, last.length));
    let at = 0;
    for (const piece of [...this.#pieces, last]) {
      all.set(piece, at);
      at += piece.length;
    }
    return decoder.decode(all);
  }
}

/** The decoder is slow to start; the names and values of a contract are short and mostly ASCII. */
function shortText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte > 127) return decoder.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}
