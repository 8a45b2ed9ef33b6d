// What a page loads: the core with everything that it imports, openapi-fetch included. Prints it: node bench/core-size.ts
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** Bytes of the built package, bundled and minified by esbuild, before and after gzip at level 9. */
export async function sizeOf(contents: string): Promise<{ readonly minified: number; readonly gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dist },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: text.byteLength, gzipped: gzipSync(text, { level: 9 }).byteLength };
}

export const allEntry = "export * from './index.js';";
const coreEntry = "export { createVehicleDataClient } from './index.js';";

if (import.meta.main) {
  console.log('core', await sizeOf(coreEntry));
  console.log('everything of the main entry', await sizeOf(allEntry));
  console.log('openapi-fetch alone', await sizeOf("export { default } from 'openapi-fetch';"));
}
