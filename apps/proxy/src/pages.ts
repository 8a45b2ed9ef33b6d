/** A page that the proxy serves from a file of another package. */
export interface Page {
  readonly contentType: string;
  readonly body: () => ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** The pages that the runtime can bring. A page that is absent is answered with 404. */
export interface Pages {
  /** The reference as one HTML page. */
  readonly docs?: Page;
  /** The bundled contract. */
  readonly contract?: Page;
}

/** Paths that the proxy answers itself; all others are the contract's. */
export const ownPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/docs', '/openapi.json']);
