/** Receives what happens to a response after it was handed to its writer. */
export interface ResponseListener {
  /** More of the body can be written. */
  drained(): void;
  /** The client left before the response was complete. */
  closed(): void;
}

/**
 * Writes one response: to a socket on the fast path, to Node's `ServerResponse`, or into a web `Response`. It adds the headers that
 * every response of the proxy has.
 */
export interface ResponseWriter {
  /** Whether the response waits for others of its connection, where there can be some. */
  readonly isQueued?: boolean;
  /** Registers who is notified. Called once, before `begin`. */
  listen(listener: ResponseListener): void;
  /** Closes the connection after this response, where the runtime lets it. Called before `begin`. */
  closeAfterwards?(): void;
  /**
   * Starts a response.
   *
   * @param headers as name, value, name, value
   * @param length of the body in bytes, or `null` when it is not known
   */
  begin(status: number, headers: readonly string[], length: number | null): void;
  /**
   * Writes a piece of the body. The bytes can change once this returns `true` or the listener was told `drained`.
   *
   * @returns whether more may come now; after `false`, wait for `drained`
   */
  data(chunk: Uint8Array): boolean;
  end(): void;
  /** Breaks the response off so that the client cannot take it for complete. */
  cut(): void;
}

/** Writes a response whose body is complete. */
export function respond(out: ResponseWriter, status: number, headers: readonly string[], body: Uint8Array): void {
  out.begin(status, headers, body.length);
  if (body.length > 0) out.data(body);
  out.end();
}
