import type { HttpBindings } from '@hono/node-server';
import { copyBytes } from './buffered-body.js';
import { fixedHeaders } from './response-headers.js';
import type { ResponseListener, ResponseWriter } from './response-writer.js';

/** Longest piece that is copied; a longer one is waited for. */
const maxCopiedBytes = 16_384;

/** Writes to Node's own response, past the web-standard `Response`, which costs several times as much. */
export class NodeResponseWriter implements ResponseWriter {
  readonly #outgoing: HttpBindings['outgoing'];
  readonly #requestId: string;
  #listener: ResponseListener | null = null;
  #length: number | null = null;
  #ended = false;

  constructor(outgoing: HttpBindings['outgoing'], requestId: string) {
    this.#outgoing = outgoing;
    this.#requestId = requestId;
  }

  get isQueued(): boolean {
    return this.#outgoing.socket === null;
  }

  listen(listener: ResponseListener): void {
    this.#listener = listener;
    this.#outgoing.on('close', () => {
      if (!this.#ended) listener.closed();
    });
    this.#outgoing.on('drain', () => listener.drained());
  }

  closeAfterwards(): void {
    this.#outgoing.shouldKeepAlive = false;
  }

  begin(status: number, headers: readonly string[], length: number | null): void {
    const all = [...headers, ...fixedHeaders, 'x-request-id', this.#requestId];
    if (length !== null) all.push('content-length', String(length));
    this.#length = length;
    // Node keeps the head back until the first piece.
    this.#outgoing.writeHead(status, all);
  }

  data(chunk: Uint8Array): boolean {
    // An empty chunk would end a chunked body.
    if (chunk.length === 0) return true;
    // The transport uses its buffer again, and Node may keep what it could not write at once.
    if (this.#length === chunk.length && chunk.length <= maxCopiedBytes) {
      this.#ended = true;
      this.#outgoing.end(copyBytes(chunk));
      return true;
    }
    if (chunk.length <= maxCopiedBytes) return this.#outgoing.write(copyBytes(chunk));
    this.#outgoing.write(chunk, () => this.#listener?.drained());
    return false;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outgoing.end();
  }

  cut(): void {
    this.#ended = true;
    // A reset, because a body that ends with its connection would otherwise look complete.
    const reset = () => {
      if (this.#outgoing.socket?.resetAndDestroy === undefined) this.#outgoing.destroy();
      else this.#outgoing.socket.resetAndDestroy();
    };
    // A response behind others has no connection yet, and Node would send what there is of it and wait for the rest.
    if (this.isQueued) this.#outgoing.once('socket', reset);
    else reset();
  }
}
