import type { Page, Pages } from './pages.js';

/** The binding of a Worker to its static assets. https://developers.cloudflare.com/workers/static-assets/binding/ */
interface Assets {
  fetch(request: Request): Promise<Response>;
}

function isAssets(value: unknown): value is Assets {
  return typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function';
}

function page(assets: Assets, path: string, contentType: string): Page {
  return {
    contentType,
    async gzip() {
      const answer = await assets.fetch(new Request(`https://assets${path}`));
      if (answer.status !== 200 || answer.body === null) throw new Error(`the assets have no ${path}`);
      const compressed = answer.body.pipeThrough(new CompressionStream('gzip'));
      return new Uint8Array(await new Response(compressed).arrayBuffer());
    },
  };
}

/** The pages out of a Worker's static assets, when these are the folder `dist/docs` of `@vehicle-data/openapi`; else none. */
export function pagesFromAssets(assets: unknown): Pages {
  if (!isAssets(assets)) return {};
  return {
    docs: page(assets, '/', 'text/html; charset=utf-8'),
    contract: page(assets, '/openapi.json', 'application/json'),
  };
}
