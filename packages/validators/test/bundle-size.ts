import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Which form of the package is bundled: its sources, file by file, or what is published. */
type Form = 'src' | 'dist';

/** Size in bytes of what a bundler keeps of this source, minified and compressed with Brotli; the zone list and its look-up are left out where asked for. */
export async function bundledSize(
  source: string,
  { withTimeZones, form = 'src' }: { readonly withTimeZones: boolean; readonly form?: Form },
) {
  const result = await build({
    stdin: { contents: source, resolveDir: `${folder}${form}`, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    plugins: [
      {
        name: 'time-zones',
        setup(bundler) {
          if (withTimeZones) return;
          bundler.onLoad({ filter: /formats.time-zone\.ts$/ }, () => ({
            contents: 'export const isTimeZone = () => true;',
          }));
        },
      },
    ],
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error('esbuild wrote nothing');
  return { bytes: brotliCompressSync(file.contents).length, text: file.text };
}
