/** A copy of bytes that their owner will use again. Not `slice()`: the one of Node's Buffer makes no copy. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Copies of the pieces of a body, held until it is decided what becomes of them. */
export class BufferedBody {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  get length(): number {
    return this.#bytes;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(copyBytes(piece));
    this.#bytes += piece.length;
  }

  /** Everything in one piece; nothing is held afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#bytes = 0;
    return all;
  }
}

/** Everything that a stream brings; `null` when that is more than so many bytes. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const held = new BufferedBody();
  for await (const piece of stream ?? []) {
    held.add(piece);
    if (held.length > maxBytes) return null;
  }
  return held.take();
}
