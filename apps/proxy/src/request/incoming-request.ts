/** A request as it was read, whatever read it. Every rule is applied to this one reading. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query exactly as sent, undecoded. */
  readonly target: string;
  readonly requestId: string;
  /** Address of the other end of the connection; empty when the runtime does not say. */
  readonly peerAddress: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Keeps the runtime from ending work with the request, where it does. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}
