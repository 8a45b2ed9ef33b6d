import { hexOf } from '../sha256.js';
import type { Page } from './pages.js';

interface Held {
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Entity tag without its quotes. */
  readonly tag: string;
}

/** Responds to a request for a page with the page, or with 304. To `headers`, which every response has, it adds the page's own. */
export type PageResponses = (request: Request, headers: Headers) => Promise<Response>;

/**
 * Serves a page from memory: compressed for clients that accept it, with an entity tag, so that a client that has the page gets only 304.
 */
export function pageResponses(page: Page): PageResponses {
  let held: Promise<Held> | undefined;
  return async (request, headers) => {
    held ??= hold(page).catch((error: unknown) => {
      held = undefined;
      throw error;
    });
    const { gzip, tag } = await held;
    const compressed = acceptsGzip(request.headers.get('accept-encoding') ?? '');
    // Two forms of a page are two representations: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3
    const etag = `"${tag}${compressed ? '-gzip' : ''}"`;
    headers.set('etag', etag);
    headers.set('vary', 'accept-encoding');
    if (!headers.get('cache-control')?.includes('immutable')) headers.set('cache-control', 'no-cache');
    if (names(request.headers.get('if-none-match') ?? '', etag)) return new Response(null, { status: 304, headers });
    headers.set('content-type', page.contentType);
    if (compressed) headers.set('content-encoding', 'gzip');
    const body = compressed ? gzip : new Response(gzip).body?.pipeThrough(new DecompressionStream('gzip'));
    if (compressed) headers.set('content-length', String(gzip.length));
    // Workers compress a body that is called compressed, unless told that it is so already; other runtimes never do.
    // https://developers.cloudflare.com/workers/runtime-apis/response/#parameters
    const init: ResponseInit & { readonly encodeBody: 'manual' } = { headers, encodeBody: 'manual' };
    return new Response(request.method === 'HEAD' ? null : (body ?? null), init);
  };
}

async function hold(page: Page): Promise<Held> {
  const gzip = await page.gzip();
  return { gzip, tag: hexOf(await crypto.subtle.digest('SHA-256', gzip)).slice(0, 24) };
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
function acceptsGzip(header: string): boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [coding = '', weight = ''] = part.split(';').map((piece) => piece.trim().toLowerCase());
      return [coding, weight === '' ? 1 : Number(weight.replace(/^q=/, ''))] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Whether an If-None-Match names an entity tag, by weak comparison: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
function names(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}
