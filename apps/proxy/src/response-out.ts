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

  data(chunk: Uint8Array): boolean {
    const controller = this.#controller;
    if (controller === null) return false;
    // The transport uses its buffer again, so the stream gets a copy.
    controller.enqueue(copyBytes(chunk));
    return (controller.desiredSize ?? 0) > 0;
  }

  end(): void {
    this.#controller?.close();
  }

  cut(): void {
    this.#controller?.error(new Error('the answer was cut'));
  }
}
