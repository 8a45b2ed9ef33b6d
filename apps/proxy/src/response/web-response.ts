import { copyBytes } from './buffered-body.js';
import { fixedHeaders, headersOf } from './response-headers.js';
import type { ResponseListener, ResponseWriter } from './response-writer.js';

/** The headers of a response, with those that every response of the proxy has. */
export function webHeaders(list: readonly string[], requestId: string): Headers {
  return headersOf([...list, ...fixedHeaders, 'x-request-id', requestId]);
}

export class WebResponseWriter implements ResponseWriter {
  readonly response: Promise<Response>;
  readonly #requestId: string;
  #resolve: (response: Response) => void = () => {};
  #listener: ResponseListener | null = null;
  /** The head, until the first piece of the body is here. */
  #head: { readonly status: number; readonly headers: Headers } | null = null;
  #length: number | null = null;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(requestId: string) {
    this.#requestId = requestId;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  listen(listener: ResponseListener): void {
    this.#listener = listener;
  }

  leave(): void {
    this.#listener?.closed();
  }

  begin(status: number, headers: readonly string[], length: number | null): void {
    this.#head = { status, headers: webHeaders(headers, this.#requestId) };
    this.#length = length;
  }

  data(chunk: Uint8Array): boolean {
    if (chunk.length === 0) return true;
    // A body that is one piece needs no stream, which costs several times what such a response costs otherwise.
    if (this.#head !== null && this.#length === chunk.length) {
      this.#respond(copyBytes(chunk));
      return true;
    }
    if (this.#head !== null) this.#stream();
    // The transport uses its buffer again, so the stream gets a copy.
    this.#controller?.enqueue(copyBytes(chunk));
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  end(): void {
    if (this.#head !== null) this.#respond(null);
    this.#controller?.close();
    this.#controller = null;
  }

  cut(): void {
    // Without a stream there is no response to break off, and the client waits for one.
    if (this.#controller === null) this.#stream();
    this.#controller?.error(new Error('the response was cut'));
    this.#controller = null;
  }

  #stream(): void {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#listener?.drained(),
      cancel: () => this.#listener?.closed(),
    });
    if (this.#length !== null) this.#head?.headers.set('content-length', String(this.#length));
    this.#respond(body);
  }

  #respond(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null): void {
    this.#resolve(new Response(body, this.#head ?? { status: 500, headers: webHeaders([], this.#requestId) }));
    this.#head = null;
  }
}
