import { copyBytes } from './buffered-body.js';
import { fixedHeaders } from './response-headers.js';
import type { ResponseListener, ResponseWriter } from './response-writer.js';

/** The headers of a response, with those that every response of the proxy has. */
export function webHeaders(list: readonly string[], requestId: string): Headers {
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) headers.append(list[index] ?? '', list[index + 1] ?? '');
  for (let index = 0; index < fixedHeaders.length; index += 2)
    headers.set(fixedHeaders[index] ?? '', fixedHeaders[index + 1] ?? '');
  headers.set('x-request-id', requestId);
  return headers;
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
  readonly length: number | null;
}

/** Writes into a web-standard `Response`. */
export class WebResponseWriter implements ResponseWriter {
  readonly #requestId: string;
  readonly #resolve: (response: Response) => void;
  #listener: ResponseListener | null = null;
  /** The head, until the first piece of the body is here. */
  #head: Head | null = null;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly response: Promise<Response>;

  constructor(requestId: string) {
    this.#requestId = requestId;
    const { promise, resolve } = withResolvers<Response>();
    this.response = promise;
    this.#resolve = resolve;
  }

  listen(listener: ResponseListener): void {
    this.#listener = listener;
  }

  /** The client has left. */
  leave(): void {
    this.#listener?.closed();
  }

  begin(status: number, headers: readonly string[], length: number | null): void {
    this.#head = { status, headers: webHeaders(headers, this.#requestId), length };
  }

  data(chunk: Uint8Array): boolean {
    if (chunk.length === 0) return true;
    const head = this.#head;
    this.#head = null;
    // A body that is one piece needs no stream, which costs several times what such a response costs otherwise.
    if (head !== null && head.length === chunk.length) {
      this.#resolve(new Response(copyBytes(chunk), { status: head.status, headers: head.headers }));
      return true;
    }
    if (head !== null) this.#stream(head);
    // The transport uses its buffer again, so the stream gets a copy.
    this.#controller?.enqueue(copyBytes(chunk));
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  end(): void {
    if (this.#head !== null)
      this.#resolve(new Response(null, { status: this.#head.status, headers: this.#head.headers }));
    this.#head = null;
    this.#controller?.close();
    this.#controller = null;
  }

  cut(): void {
    // Without a stream there is no response to break off, and the client waits for one.
    this.#stream(this.#head ?? { status: 500, headers: webHeaders([], this.#requestId), length: null });
    this.#head = null;
    this.#controller?.error(new Error('the response was cut'));
    this.#controller = null;
  }

  #stream({ status, headers, length }: Head): void {
    if (this.#controller !== null) return;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#listener?.drained(),
      cancel: () => this.#listener?.closed(),
    });
    if (length !== null) headers.set('content-length', String(length));
    this.#resolve(new Response(stream, { status, headers }));
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
