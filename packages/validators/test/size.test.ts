import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { operations } from '@vehicle-data/openapi';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const withoutZones: Plugin = {
  name: 'without time zones',
  setup: (bundler) =>
    bundler.onLoad({ filter: /src.time-zone\.ts$/ }, () => ({ contents: 'export const isTimeZone = () => true;' })),
};

/** What a bundler keeps of some exports, minified, and its size in bytes with Brotli. */
async function bundled(exports: string, plugins: Plugin[] = [], form: 'src' | 'dist' = 'src') {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exports} from './index.js'`, resolveDir: `${folder}${form}`, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    plugins,
  });
  const text = outputFiles[0]?.text ?? '';
  return { text, bytes: brotliCompressSync(text).length };
}

test.each([
  ...Object.keys(operations)
    .flatMap((id) => [`{ ${id}Request }`, `{ ${id}Response }`])
    .map((exports) => ({ exports, most: 2300 })),
  { exports: '*', most: 6000 },
])(
  'an export takes at most its bytes, minified, compressed and without time zones: $exports, $most',
  async ({ exports, most }) => {
    const { bytes } = await bundled(exports, [withoutZones]);
    expect(bytes).toBeGreaterThan(200);
    expect(bytes).toBeLessThanOrEqual(most);
  },
);

test('the list of time zones takes at most 4 kB', async () => {
  const [all, rest] = await Promise.all([bundled('*'), bundled('*', [withoutZones])]);
  expect(all.bytes - rest.bytes).toBeLessThanOrEqual(4000);
});

test.each(['src', 'dist'] as const)('one validator from %s brings nothing of the others', async (form) => {
  const { text, bytes } = await bundled('{ isVin }', [], form);
  expect(bytes).toBeLessThan(1000);
  expect(text).not.toMatch(/trips|Berlin|odometer/);
});
