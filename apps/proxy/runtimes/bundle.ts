import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '.cache');

/** Before all checks. */
export async function setup(): Promise<void> {
  await bundleAll();
}

/** Makes one file for each runtime; gives the size of the Worker's and the modules of Node that it would need. */
export async function bundleAll() {
  const shared = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'error', absWorkingDir: here } as const;
  const worker = await build({
    ...shared,
    entryPoints: ['../dist/worker.js'],
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'browser'],
    minify: true,
    metafile: true,
    external: ['node:*'],
    outfile: join(cache, 'worker.js'),
  });
  await build({
    ...shared,
    entryPoints: ['entries/workerd.ts', 'entries/deno-bun.ts'],
    platform: 'neutral',
    external: ['node:*'],
    outdir: cache,
  });
  const imports = Object.values(worker.metafile.outputs).flatMap((output) => output.imports);
  return {
    compressedBytes: gzipSync(readFileSync(join(cache, 'worker.js')), { level: 9 }).length,
    builtins: imports.filter(({ external }) => external === true).map(({ path }) => path),
  };
}
