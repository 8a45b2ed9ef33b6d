import { hexOf } from '../sha256.js';
import type { Pages } from './pages.js';
import { codingFor } from './response-headers.js';

interface HeldPage {
  readonly contentType: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Entity tag without its quotes. */
  readonly tag: string;
}

/**
 * Serves the docs site at `/docs/`, and some of its files at the root, from memory: compressed for clients that accept it, with an entity tag,
 * so that a client that has the page gets only 304. Folders need their slash at the end; without it the response is a redirect.
 * `/docs/latest/` leads to `/docs/`. The response is `null` where there is no docs site.
 */
export function docsResponses(pages: Pages) {
  // As many as the site has files.
  const held = new Map<string, HeldPage>();
  const find = async (file: string): Promise<HeldPage | undefined> => {
    const page = held.has(file) ? undefined : await pages(file);
    if (page !== undefined) {
      const bytes = await page.gzip();
      const gzip = /^openapi\.(json|yaml)$/.test(file) ? await withOwnServer(bytes) : bytes;
      const tag = hexOf(await crypto.subtle.digest('SHA-256', gzip)).slice(0, 24);
      held.set(file, { contentType: page.contentType, gzip, tag });
    }
    return held.get(file);
  };
  return async (request: Request, path: string, headers: Headers): Promise<Response | null> => {
    const redirect = (location: string) => {
      headers.set('location', location);
      return new Response(null, { status: 308, headers });
    };
    if (path === '/docs') return redirect('/docs/');
    if (path.startsWith('/docs/latest/')) return redirect(`/docs/${path.slice('/docs/latest/'.length)}`);
    const file = path.replace(/^\/(docs\/)?/, '');
    const isFolder = /(^|\/)$/.test(file);
    // Programs that read Markdown name it; browsers never do. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
    const asMarkdown =
      isFolder && file !== '' && acceptsMarkdown(request) ? await find(`${file.slice(0, -1)}.md`) : undefined;
    const found = asMarkdown ?? (await find(isFolder ? `${file}index.html` : file));
    if (found !== undefined) {
      headers.set('cache-control', file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      return respondWith(found, request, headers);
    }
    if (!isFolder && (await find(`${file}/index.html`)) !== undefined) return redirect(`${path}/`);
    const missing = await find('404.html');
    return missing === undefined ? null : respondWith(missing, request, headers, 404);
  };
}

function respondWith({ contentType, gzip, tag }: HeldPage, request: Request, headers: Headers, status = 200): Response {
  const compressed = codingFor(request.headers.get('accept-encoding')) === 'gzip';
  // Two forms of a page are two representations: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3
  const etag = `"${tag}${compressed ? '-gzip' : ''}"`;
  // Without a validator, or a page that is missing would be revalidated as if it were there.
  if (status === 200) headers.set('etag', etag);
  headers.set('vary', 'accept, accept-encoding');
  // The policy of each page is in the page; only a header can forbid frames.
  if (contentType.startsWith('text/html')) headers.set('content-security-policy', "frame-ancestors 'none'");
  if (status === 200 && names(request.headers.get('if-none-match') ?? '', etag))
    return new Response(null, { status: 304, headers });
  headers.set('content-type', contentType);
  if (compressed) {
    headers.set('content-encoding', 'gzip');
    headers.set('content-length', String(gzip.length));
  }
  const body = compressed ? gzip : inflated(gzip);
  // Workers compress a body that is called compressed, unless told that it is so already; other runtimes never do.
  // https://developers.cloudflare.com/workers/runtime-apis/response/#parameters
  const init: ResponseInit & { readonly encodeBody: 'manual' } = { status, headers, encodeBody: 'manual' };
  return new Response(request.method === 'HEAD' ? null : body, init);
}

/** Whether a client names Markdown among what it accepts. */
const acceptsMarkdown = ({ headers }: Request) =>
  (headers.get('accept') ?? '')
    .split(',')
    .some((part) => /^\s*text\/markdown\s*(?:;(?!\s*q=0(?:\.0*)?\s*$)|$)/i.test(part));

function inflated(gzip: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'));
}

/** Whether an If-None-Match names an entity tag, by weak comparison: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
function names(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

/** The contract with the proxy that serves it as the first server. A relative address is resolved against that of the document. */
async function withOwnServer(gzip: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const own = { url: '/', description: 'This proxy.' };
  const text = (await new Response(inflated(gzip)).text())
    .replace(/^ {2}"servers": \[/m, (line) => `${line}\n    ${JSON.stringify(own)},`)
    .replace(/^servers:$/m, (line) => `${line}\n  - url: ${own.url}\n    description: ${own.description}`);
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
