import type { Resumable } from './admission.js';
import type { AnswerOut } from './answer-out.js';
import { copyBytes } from './copy-bytes.js';
import type { Refusal } from './refusal.js';

/** A caller's side that is a web-standard `Response`. */
export class ResponseOut implements AnswerOut {
  readonly #resolve: (response: Response) => void;
  readonly #refuse: (refused: Refusal) => Response;
  readonly #headers: (list: readonly string[]) => Headers;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** The head of an answer none of whose body is here yet. */
  #begun: { readonly status: number; readonly headers: readonly string[]; readonly length: number | null } | null =
    null;
  /** The call under way, once it is known. */
  exchange: Resumable | null = null;

  constructor(
    resolve: (response: Response) => void,
    refuse: (refused: Refusal) => Response,
    headers: (list: readonly string[]) => Headers,
  ) {
    this.#resolve = resolve;
    this.#refuse = refuse;
    this.#headers = headers;
  }

  refuse(refused: Refusal): void {
    this.#resolve(this.#refuse(refused));
  }

  whole(status: number, headers: readonly string[], body: Uint8Array<ArrayBuffer>): void {
    this.#resolve(new Response(body, { status, headers: this.#headers(headers) }));
  }

  begin(status: number, headers: readonly string[], length: number | null): void {
    this.#begun = { status, headers, length };
  }

  data(chunk: Uint8Array): boolean {
    const begun = this.#begun;
    this.#begun = null;
    // A body that is one piece needs no stream, which costs several times what such an answer costs otherwise.
    if (begun !== null && begun.length === chunk.length) {
      this.whole(begun.status, begun.headers, copyBytes(chunk));
      return true;
    }
    if (begun !== null) this.#stream(begun.status, begun.headers, begun.length);
    const controller = this.#controller;
    if (controller === null) return false;
    // The transport uses its buffer again, so the stream gets a copy.
    controller.enqueue(copyBytes(chunk));
    return (controller.desiredSize ?? 0) > 0;
  }

  #stream(status: number, headers: readonly string[], length: number | null): void {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.exchange?.resume(),
      cancel: () => this.exchange?.cancel(),
    });
    const shown = this.#headers(headers);
    if (length !== null) shown.set('content-length', String(length));
    this.#resolve(new Response(stream, { status, headers: shown }));
  }

  end(): void {
    this.#controller?.close();
  }

  cut(): void {
    // Without a stream yet there is no answer to break off, and the caller waits for one.
    if (this.#begun !== null) this.#stream(this.#begun.status, this.#begun.headers, this.#begun.length);
    this.#controller?.error(new Error('the answer was cut'));
  }
}
