// Writes dist/: one file per entry, because the time to the first check of a fresh process is mostly the time to find and read
// files; what both entries share is in both. Names are shortened, because the next largest part is the time to parse. White
// space stays: with it esbuild would drop the comments by which bundlers know what they may leave out. Run by "pnpm run build";
// the declarations come from tsc.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
await rm(`${folder}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ['src/index.ts', 'src/stream.ts'],
  outdir: 'dist',
  bundle: true,
  minifyIdentifiers: true,
  minifySyntax: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  sourcemap: true,
  charset: 'utf8',
  logLevel: 'warning',
});
