import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL(`../../.cache/program-${process.pid}`, import.meta.url));
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const refresher = fileURLToPath(new URL('refresher.ts', import.meta.url));
// It is shared with what an operator loads before the program.
const external = ['@opentelemetry/*'];
// Libraries in the older form of modules ask for Node's own in theirs.
const require = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Bundles the built program: to find and load its 150 modules one by one takes half the processor time of a start, and most tests here
 * start it. It is the same code, also of what is loaded later; `program.test.ts` and others start the files as they are installed.
 */
export default async function setUp(): Promise<() => void> {
  if (process.env['PROXY_TEST_PROGRAM'] !== undefined) return () => {};
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { node: `${dist}node.js`, refresher },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external,
    banner: { js: require },
    logLevel: 'error',
    plugins: [
      {
        name: 'each module knows its own place',
        setup({ onLoad }) {
          onLoad({ filter: /\/apps\/proxy\/dist\/.*\.js$/ }, async ({ path }) => {
            // Drills start the program beside their own module: the bundled one.
            const place = path.includes('/drill/') ? path.replace(dist, `${folder}/`) : path;
            const text = await readFile(path, 'utf8');
            return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href)) };
          });
        },
      },
      {
        name: 'a library that is loaded later has its names, as Node finds them in it',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^ioredis$/ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, namespace: 'named' } : null,
          );
          onLoad({ filter: /./, namespace: 'named' }, ({ path }) => ({
            contents: `export { Cluster, Redis } from '${path}';`,
            resolveDir: dist,
          }));
        },
      },
    ],
  });
  process.env['PROXY_TEST_PROGRAM'] = `${folder}/node.js`;
  return () => rmSync(folder, { recursive: true, force: true });
}
