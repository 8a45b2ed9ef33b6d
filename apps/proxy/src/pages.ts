/** A page that the proxy serves from memory. It is held compressed: nearly every reader takes it so, and it is a quarter as big. */
export interface Page {
  readonly contentType: string;
  /** The page, compressed with gzip. Asked for at the first request; the bytes are kept. */
  readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
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
