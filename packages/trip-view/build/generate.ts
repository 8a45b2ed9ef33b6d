// Makes src/generated: facts of the contract that the page and the pictures need, then the page's script and style as text.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type ErrorEntry, errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { openContract, writeGenerated } from '@vehicle-data/openapi/model';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { colors } from '../src/colors.ts';

const require = createRequire(import.meta.url);
const source = (path: string) => new URL(`../src/${path}`, import.meta.url).pathname;

const generated = new URL('../src/generated/', import.meta.url);
await writeGenerated(generated, async () => ({ 'contract-facts.ts': await contractFacts() }));

/** The writer of MCAP brings its reader along. The page only writes: 40 kB less. */
const withoutReader: Plugin = {
  name: 'without the reader of MCAP',
  setup: ({ onResolve }) => {
    const path = new URL('no-mcap-reader.ts', import.meta.url).pathname;
    onResolve({ filter: /\/McapIndexedReader\.js$/ }, () => ({ path }));
  },
};

/** Packages of the workspace as Node finds them: `npm run dev` has their sources found, and no build to wait for. */
const asNodeFinds: Plugin = {
  name: 'as Node finds',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@vehicle-data\// }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
      sideEffects: false,
    }));
  },
};

// A "</script" in a string literal would end the element; escaped, it means the same to JavaScript.
const scriptOf = async (path: string) => {
  const bundle = await bundled({
    entryPoints: [source(path)],
    format: 'iife',
    target: 'es2022',
    plugins: [withoutReader, asNodeFinds],
  });
  return bundle.replaceAll('</script', '<\\/script');
};
const script =
  (await licenses(['hyparquet', 'hyparquet-writer', '@mcap/core', 'fzstd'])) + (await scriptOf('page/main.ts'));
const packedScript =
  (await licenses(['hyparquet', 'hyparquet-writer', '@mcap/core'])) + (await scriptOf('page/main-packed.ts'));
const loader = await scriptOf('page/loader.ts');
const style = await bundled({ stdin: { contents: await stylesheet(), loader: 'css' } });
await writeFile(
  new URL('page-assets.ts', generated),
  `// Generated from src/page. Do not edit.
/** The script of the page, and its hash as a source expression of a content security policy. */
export const script: string = ${JSON.stringify(script)};
export const scriptHash: string = ${JSON.stringify(hash(script))};
/** The script and the style of a page to take along: compressed by deflate, as base64. The hash of the script is of what it was. */
export const packedScript: string = ${JSON.stringify(packed(packedScript))};
export const packedStyle: string = ${JSON.stringify(packed(style))};
export const packedScriptHash: string = ${JSON.stringify(hash(packedScript))};
/** The script that unpacks and adds both, and its hash. */
export const loader: string = ${JSON.stringify(loader)};
export const loaderHash: string = ${JSON.stringify(hash(loader))};
/** The style of the page, and its hash. */
export const style: string = ${JSON.stringify(style)};
export const styleHash: string = ${JSON.stringify(hash(style))};
`,
);

/** What the page calls and what it says about signals, from the operation table and the bundled contract. */
async function contractFacts(): Promise<string> {
  const contract = await openContract();
  const { listVehicles, getLocation } = operations;
  const brand = listVehicles.parameters.find((parameter) => parameter.in === 'header');
  if (!brand || !('enum' in brand.rule)) throw new Error('listVehicles has no header with fixed values');
  const withSeries = Object.values<OperationSpec>(operations).flatMap(({ series, ...spec }) =>
    series ? [{ ...spec, series }] : [],
  );
  const series = withSeries.map(({ operationId, path, dateRange, parameters, series: own }) => {
    const zone = parameters.find(({ schema }) => schema === 'ZoneId');
    if (!dateRange || !zone) throw new Error(`${operationId} has a series and no date range or no time zone`);
    const { name, items, startTime, duration } = own;
    return { name, path, items, startTime, duration, ...dateRange, zone: zone.name };
  });
  /** The first sentence part of a signal's description: the rest repeats unit, range or values, which the page shows itself. */
  const descriptionOf = (schema: string, path: string) => {
    let at = contract.child('components').child('schemas').child(schema);
    for (const name of path.split('.')) at = at.resolved('schemas').child('properties').child(name);
    return at.child('description').string().split(/[;.]/)[0] ?? '';
  };
  const descriptions = withSeries.flatMap(({ series: { itemSchema, signals } }) => {
    const described = Object.keys(signals).map((path) => [path, descriptionOf(itemSchema, path)] as const);
    // Those with the same description are told apart by that of their group, and by their names.
    return described.map(([path, text]) => {
      const isShared = described.some(([other, same]) => other !== path && same === text);
      const [name = '', ...group] = path.split('.').reverse();
      return [path, isShared ? `${descriptionOf(itemSchema, group.reverse().join('.'))}: ${name}` : text];
    });
  });
  const facts = { brandHeader: brand.name, listPath: listVehicles.path, locationPath: getLocation.path, series };
  const codesOf = (resolutions: readonly ErrorEntry['resolution'][]) =>
    errorCatalogue.filter(({ resolution }) => resolutions.includes(resolution)).map(({ code }) => code);
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return `/** The calls that the page makes, and of each series: members of a response and of a trip, and its date parameters. */
export const contractFacts = ${json(facts)} as const;
/** Brands to choose from. */
export const brands: readonly string[] = ${json(brand.rule.enum)};
/** Codes of errors that another access token may end. */
export const tokenErrors: readonly string[] = ${json(codesOf(['refresh-token', 'fix-credentials']))};
/** Codes of errors that say that there are no data. */
export const noDataErrors: readonly string[] = ${json(codesOf(['no-data']))};
/** A sentence on every signal, by its path. */
export const descriptions: Readonly<Record<string, string>> = ${json(Object.fromEntries(descriptions))};
`;
}

/** The style of the page, after the colors as properties. */
async function stylesheet(): Promise<string> {
  const properties = Object.entries(colors).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`);
  return `:root{${properties.join(';')}}${await readFile(source('page/page.css'), 'utf8')}`;
}

async function bundled(options: BuildOptions): Promise<string> {
  const common = { bundle: true, minify: true, write: false, charset: 'utf8', legalComments: 'none' } as const;
  const { outputFiles } = await build({ ...options, ...common, logLevel: 'warning' });
  return outputFiles.map(({ text }) => text).join('');
}

/** The licenses of the packages that are bundled, which ask for their text to stay with the code. */
async function licenses(names: readonly string[]): Promise<string> {
  const texts = names.map(async (name) => {
    let folder = dirname(require.resolve(name));
    while (!folder.endsWith(`node_modules/${name}`)) folder = dirname(folder);
    return `${name}\n${(await readFile(join(folder, 'LICENSE'), 'utf8')).trim()}`;
  });
  return `/*! This script contains:\n\n${(await Promise.all(texts)).join('\n\n').replaceAll('*/', '* /')}\n*/\n`;
}

function packed(text: string): string {
  return deflateRawSync(text, { level: 9 }).toString('base64');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
