import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** Where the bundles are. */
export const cache = fileURLToPath(new URL('.cache/', import.meta.url));

/** Makes one file for each runtime, before all checks. */
export async function setup(): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const neutral: BuildOptions = { platform: 'neutral', format: 'esm', target: 'es2022', external: ['node:*'] };
  const shared = { ...neutral, bundle: true, logLevel: 'error', absWorkingDir: here, outdir: cache } as const;
  const conditions = ['workerd', 'worker', 'browser'];
  await build({ ...shared, entryPoints: ['../dist/worker.js'], conditions, minify: true });
  await build({ ...shared, entryPoints: ['entries/workerd.ts', 'entries/deno-bun.ts'] });
}
