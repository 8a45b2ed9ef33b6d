// Preloaded into the apps that `npm run dev` runs: they load the TypeScript of the workspace, so that a change needs no build. Types are
// stripped, not checked: an editor or `npm test` checks them.
import { existsSync } from 'node:fs';
import { flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url).href;

/**
 * The source of a module that a build would write, if it has one. Those of the contract are made as well.
 * @param {string} url
 */
function sourceOf(url) {
  if (!url.startsWith(root) || url.includes('/node_modules/')) return undefined;
  const source = url
    .replace(/^.*\/(?:packages|apps)\/[^/]+\/dist\/kit\/(.*)\.js$/, `${root}packages/kit/src/$1.ts`)
    .replace(/^(.*\/(?:packages\/[^/]+|apps\/[^/]+|openapi)\/)(?:dist|src)\/(.*)\.js$/, '$1src/$2.ts');
  return source !== url && existsSync(fileURLToPath(source)) ? source : undefined;
}

registerHooks({
  resolve(specifier, context, next) {
    // A neighbor of a source is named as it will be called once it is built, so it is not there yet.
    const isNeighbor = /^\.{1,2}\//.test(specifier) && context.parentURL !== undefined;
    const neighbor = isNeighbor ? sourceOf(new URL(specifier, context.parentURL).href) : undefined;
    if (neighbor !== undefined) return { url: neighbor, shortCircuit: true };
    const resolved = next(specifier, context);
    const source = sourceOf(resolved.url);
    return source === undefined ? resolved : { ...resolved, url: source, format: 'module-typescript' };
  },
});

// An app that is replaced may be killed, and would leave nothing of what it compiled.
setTimeout(flushCompileCache, 2000).unref();
