import { getMimeType, mimes } from 'hono/utils/mime';

/** A file that the proxy serves from memory. It is kept compressed, because nearly every reader accepts that. */
export interface Page {
  readonly contentType: string;
  /** The file, compressed with gzip; the bytes are kept. */
  readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Finds a file of the docs site by its path in the site, such as `guides/errors/index.html` or `openapi.json`; `undefined` where
 * there is none. The proxy never asks for a path with a `..` segment.
 */
export type Pages = (path: string) => Promise<Page | undefined>;

/** Paths outside `/docs/` that serve the file of this name of the docs site. */
export const docsFiles: readonly string[] = ['/openapi.json', '/openapi.yaml', '/llms.txt'];

const ownPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/docs', ...docsFiles]);

/** Whether the proxy serves a path itself; all others belong to the contract. Paths that a URL parser would change are not its own. */
export function isOwnPath(path: string): boolean {
  return ownPaths.has(path) || (path.startsWith('/docs/') && /^[\w@./-]+$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path));
}

const contentTypes = { ...mimes, md: 'text/markdown; charset=utf-8', yaml: 'application/yaml' };

export function contentTypeOf(path: string): string {
  return getMimeType(path, contentTypes) ?? 'application/octet-stream';
}
