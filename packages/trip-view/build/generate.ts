// Makes src/generated: facts of the contract that the page and the pictures need, then the page's script and style as text.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { openContract } from '@vehicle-data/openapi/model';
import { build } from 'esbuild';
import { bandColors, type Color, colors, signalColors } from '../src/colors.ts';
import { contractFacts } from './contract-facts.ts';

const require = createRequire(import.meta.url);
const source = (path: string) => new URL(`../src/${path}`, import.meta.url).pathname;
const notEdited = '// Generated from the contract. Do not edit.\n';

await mkdir(source('generated'), { recursive: true });
await writeFile(
  source('generated/contract-facts.ts'),
  notEdited + contractFacts(Object.values(operations), errorCatalogue, await openContract()),
);

const bundled = await build({
  entryPoints: [source('page/main.ts')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  platform: 'browser',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
});
const named = [
  ...Object.entries<Color>(colors),
  ...signalColors.map((color, index) => [`signals-${index}`, color] as const),
  ...bandColors.map((color, index) => [`bands-${index}`, color] as const),
];
const properties = `:root{${named.map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`).join(';')}}`;
const uplotStyle = join(dirname(require.resolve('uplot')), 'uPlot.min.css');
const stylesheet = await build({
  stdin: {
    contents: [await readFile(uplotStyle, 'utf8'), properties, await readFile(source('page/page.css'), 'utf8')].join(
      '\n',
    ),
    loader: 'css',
  },
  minify: true,
  write: false,
  charset: 'utf8',
});

// A "</script" in a string literal would end the element; escaped, it means the same to JavaScript.
const script = (await licenses()) + textOf(bundled).replaceAll('</script', '<\\/script');
const style = textOf(stylesheet);
await writeFile(
  source('generated/page-assets.ts'),
  `// Generated from src/page. Do not edit.
/** The script of the page, and its hash as a source expression of a content security policy. */
export const script: string = ${JSON.stringify(script)};
export const scriptHash: string = ${JSON.stringify(hash(script))};
/** The style of the page, and its hash. */
export const style: string = ${JSON.stringify(style)};
export const styleHash: string = ${JSON.stringify(hash(style))};
`,
);

/** The licenses of the packages that are bundled, which ask for their text to stay with the code. */
async function licenses(): Promise<string> {
  const names = ['uplot', 'hyparquet', 'fzstd'];
  const texts = await Promise.all(
    names.map(async (name) => `${name}\n${(await readFile(await licenseOf(name), 'utf8')).trim()}`),
  );
  return `/*! This script contains:\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
}

async function licenseOf(name: string): Promise<string> {
  let folder = dirname(require.resolve(name));
  while (!folder.endsWith(`node_modules/${name}`)) folder = dirname(folder);
  return join(folder, 'LICENSE');
}

function textOf({ outputFiles }: { outputFiles: readonly { text: string }[] }): string {
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote no file');
  return file.text;
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
