// What a page loads, openapi-fetch included, beside openapi-fetch and ky: node bench/core-size.ts
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/**
 * Bytes of a program on the built package, bundled and minified by esbuild and compressed by gzip at level 9. Parts that the
 * package loads when they are needed are files of their own, as bundlers make them, unless `inOneFile` is set.
 */
export async function sizeOf(contents: string, { inOneFile = false, resolveDir = dist } = {}): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    plugins: [
      {
        name: 'parts',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'dynamic-import' && !inOneFile ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).byteLength;
}

/** Every export of the main entry. */
export const allEntry = "export * from './index.js';";

if (import.meta.main) {
  const openapiFetch = await sizeOf("export { default } from 'openapi-fetch';");
  const rows: Readonly<Record<string, number>> = {
    'every export of the main entry': await sizeOf(allEntry),
    'createVehicleDataClient alone': await sizeOf("export { createVehicleDataClient } from './index.js';"),
    'main entry, trips, sync and raw in one file': await sizeOf(allEntry, { inOneFile: true }),
    series: await sizeOf("export * from './series/index.js';"),
    'series with the writer of CSV in one file': await sizeOf("export * from './series/index.js';", {
      inOneFile: true,
    }),
    query: await sizeOf("export * from './query/index.js';"),
    'openapi-fetch': openapiFetch,
    ky: await sizeOf("export { default } from 'ky';"),
  };
  for (const [name, bytes] of Object.entries(rows)) {
    console.log(`${name.padEnd(45)} ${bytes} B gzipped, ${(bytes / openapiFetch).toFixed(2)} × openapi-fetch`);
  }
}
