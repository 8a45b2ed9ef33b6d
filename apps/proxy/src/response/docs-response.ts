import { type PageResponses, pageResponses } from './page-response.js';
import { filesByPath, type Page, type Pages } from './pages.js';

/** Responds to a request for a file of the docs site, or for a place that leads to one; `null` without a docs site. */
export type DocsResponses = (request: Request, path: string, headers: Headers) => Promise<Response | null>;

/**
 * Serves the docs site at `/docs/`, and the files of {@link filesByPath}. Folders need their slash at the end; without it the
 * response is a redirect. `/docs/latest/` leads to `/docs/`.
 */
export function docsResponses(pages: Pages): DocsResponses {
  // As many as the site has files.
  const known = new Map<string, PageResponses>();
  const find = async (file: string): Promise<PageResponses | undefined> => {
    const page = known.has(file) ? undefined : await pages(file);
    if (page !== undefined)
      known.set(file, pageResponses(/^openapi\.(json|yaml)$/.test(file) ? withOwnServer(page) : page));
    return known.get(file);
  };
  return async (request, path, headers) => {
    const redirect = (location: string) => {
      headers.set('location', location);
      return new Response(null, { status: 308, headers });
    };
    if (path === '/docs') return redirect('/docs/');
    if (path.startsWith('/docs/latest/')) return redirect(`/docs/${path.slice('/docs/latest/'.length)}`);
    const file = filesByPath.get(path) ?? path.slice('/docs/'.length);
    if (file === '' || file.endsWith('/')) {
      const folder = await find(`${file}index.html`);
      if (folder !== undefined) return folder(request, htmlHeaders(headers));
    } else {
      const found = await find(file);
      if (file.startsWith('assets/')) headers.set('cache-control', 'public, max-age=31536000, immutable');
      if (found !== undefined) return found(request, file.endsWith('.html') ? htmlHeaders(headers) : headers);
      if ((await find(`${file}/index.html`)) !== undefined) return redirect(`${path}/`);
    }
    headers.delete('cache-control');
    const missing = await find('404.html');
    if (missing === undefined) return null;
    // Without a validator, or the page would be revalidated as if it were there.
    const page = await missing(new Request(request.url, { method: request.method }), htmlHeaders(headers));
    headers.delete('etag');
    headers.set('cache-control', 'no-store');
    return new Response(page.body, { status: 404, headers });
  };
}

/** The policy of each page stands in the page; only a header can forbid frames. */
function htmlHeaders(headers: Headers): Headers {
  headers.set('content-security-policy', "frame-ancestors 'none'");
  return headers;
}

/** The contract with the proxy that serves it as the first server. A relative address is resolved against that of the document. */
function withOwnServer({ contentType, gzip }: Page): Page {
  const own = { url: '/', description: 'This proxy.' };
  return {
    contentType,
    gzip: async () => {
      const plain = new Blob([await gzip()]).stream().pipeThrough(new DecompressionStream('gzip'));
      const text = (await new Response(plain).text())
        .replace(/^ {2}"servers": \[/m, (line) => `${line}\n    ${JSON.stringify(own)},`)
        .replace(/^servers:$/m, (line) => `${line}\n  - url: ${own.url}\n    description: ${own.description}`);
      const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
      return new Uint8Array(await new Response(compressed).arrayBuffer());
    },
  };
}
