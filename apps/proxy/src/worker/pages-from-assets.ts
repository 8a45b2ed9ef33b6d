import { contentTypeOf, type Pages } from '../response/pages.js';

/** The binding of a Worker to its static assets. https://developers.cloudflare.com/workers/static-assets/binding/ */
interface Assets {
  fetch(request: Request): Promise<Response>;
}

function isAssets(value: unknown): value is Assets {
  return typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function';
}

/** The docs site out of a Worker's static assets; `undefined` without such a binding. */
export function pagesFromAssets(assets: unknown): Pages | undefined {
  if (!isAssets(assets)) return undefined;
  // Assets have addresses without index.html and .html, and redirect the others:
  // https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/
  const fetchAsset = (path: string) =>
    assets.fetch(new Request(`https://assets/${path.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`));
  return async (path) => {
    const found = await fetchAsset(path);
    await found.body?.cancel();
    if (found.status !== 200) return undefined;
    return {
      contentType: contentTypeOf(path),
      async gzip() {
        const { body } = await fetchAsset(path);
        if (body === null) throw new Error(`the assets have no ${path}`);
        return new Uint8Array(await new Response(body.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
      },
    };
  };
}
