import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as client from '@vehicle-data/client';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import * as validators from '@vehicle-data/validators';
import { afterAll, expect, test } from 'vitest';
import { call, repository, run, startApp } from './apps.ts';

const sandbox = await startApp('sandbox', {}, repository, afterAll);

const read = (path: string) => readFile(`${repository}/${path}`, 'utf8');
const readGuide = (name: string) => read(`openapi/guides/${name}.md`);
const readJson = async <T>(path: string): Promise<T> => JSON.parse(await read(path));
const sectionOf = (text: string, heading: string) => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
/** Cells of the rows whose first cell starts with code. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| [`[].*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const namesIn = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);

/** A table without the padding that the formatter gives it. */
const unpadded = (table: string) => table.replaceAll(/ {2,}/g, ' ').replaceAll(/-{2,}/g, '---').trim();

/** Compares a table of a guide with its source, or writes it there with UPDATE_DOCS=1. */
async function expectTable(guide: string, name: string, wanted: string): Promise<void> {
  const text = await readGuide(guide);
  const marked = new RegExp(`(<!-- table: ${name} -->\n)([\\s\\S]*?)(<!-- end of table -->)`);
  if (process.env['UPDATE_DOCS'] === '1') {
    const path = `${repository}/openapi/guides/${guide}.md`;
    const renewed = text.replace(marked, (_, start, _table, end) => `${start}\n${wanted.trim()}\n\n${end}`);
    await writeFile(path, renewed);
    const biome = `${repository}/node_modules/.bin/biome`;
    await run(biome, ['format', '--write', path], { cwd: repository });
  }
  const [, , found = 'no such table'] = marked.exec(await readGuide(guide)) ?? [];
  const remedy = 'run: UPDATE_DOCS=1 pnpm --filter @vehicle-data/e2e test docs-tables';
  expect(unpadded(found), remedy).toBe(unpadded(wanted));
}

test('the reserved VINs of the guide are those that the sandbox knows, and each gives its error', async () => {
  const response = await fetch(`${sandbox.address}/sandbox/vehicles`);
  const { reservedVins } = (await response.json()) as { reservedVins: readonly { vin: string; code: string }[] };
  expect(reservedVins.length).toBeGreaterThan(5);
  const rows = await Promise.all(
    reservedVins.map(async ({ vin, code }) => {
      const { status, error } = await call(sandbox, `${vin}/locations`);
      expect(error?.code).toBe(code);
      return `| \`${vin}\` | [\`${code}\`](../errors.yaml#${code}) | ${status} | ${error?.message} |`;
    }),
  );
  const table = ['| VIN | Code | HTTP | Message |', '| --- | --- | --- | --- |', ...rows].join('\n');
  await expectTable('sandbox', 'reserved-vins', table);
});

// Guides as they are published, since some of their tables are filled in by the build.
const guides = (await readdir(`${repository}/apps/docs/dist/guides`)).filter((name) => name.endsWith('.md'));
const pages = ['openapi/README.md', ...guides.map((name) => `apps/docs/dist/guides/${name}`)];
/** What the tables of exports list, by what it is imported from. All cells but the last hold a name. */
const listedExports = (await Promise.all(pages.map(read))).flatMap((page) =>
  [...sectionOf(page, 'Exports').matchAll(/^### `(@[^`]+)`\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm)].map(
    ([, specifier = '', table = '']) => {
      return { specifier, listed: rowsOf(table).flatMap((cells) => cells.slice(0, -1).flatMap(namesIn)) };
    },
  ),
);
/** The names with a section in the reference of the SDK, by what they are imported from. Types are among them. */
const sectionsOfReference = new Map<string, string[]>();
for (const name of await readdir(`${repository}/apps/docs/dist/sdk`))
  if (name.endsWith('.md')) {
    const page = await read(`apps/docs/dist/sdk/${name}`);
    const [, specifier = ''] = /^Import from `([^`]+)`/m.exec(page) ?? [];
    const sections = Array.from(page.matchAll(/^## `?(\w+)/gm), ([, section = '']) => section);
    sectionsOfReference.set(specifier, [...(sectionsOfReference.get(specifier) ?? []), ...sections]);
  }

const published = 'openapi packages/archive packages/validators apps/proxy apps/sandbox'.split(' ');

test('every module that can be imported, but those of the SDK, has one table of exports, and no other has', async () => {
  const modules = published.map(async (folder) => {
    const { name, exports } = await readJson<{ name: string; exports: object }>(`${folder}/package.json`);
    const entries = Object.entries(exports).filter(([, target]) => typeof target === 'object');
    return entries.map(([path]) => `${name}${path.slice(1)}`);
  });
  expect(listedExports.map(({ specifier }) => specifier).toSorted()).toEqual(
    (await Promise.all(modules)).flat().toSorted(),
  );
});

test.for(listedExports)(
  'the exports in the docs are those of the package: $specifier',
  async ({ specifier, listed }) => {
    const module: object = await import(specifier);
    // Of the factories that are made of the contract's objects, the table shows one.
    const isFactory = (name: string) => `is${name.slice('create'.length)}` in validators;
    const isShown = (name: string) => listed.includes(name) || !isFactory(name);
    expect(listed.toSorted()).toEqual(Object.keys(module).filter(isShown).toSorted());
  },
);

test.for([...sectionsOfReference])('the reference has a section for each export: %s', async ([specifier, sections]) => {
  const module: object = await import(specifier);
  const isFactory = (name: string) => `is${name.slice('create'.length)}` in validators;
  const missing = Object.keys(module).filter((name) => !sections.includes(name));
  // Factories share one section.
  expect(missing.filter((name) => !isFactory(name))).toEqual([]);
});

test('the reference has every module of the SDK that can be imported', async () => {
  const { name, exports } = await readJson<{ name: string; exports: object }>('packages/client/package.json');
  const paths = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  expect([...sectionsOfReference.keys()].toSorted()).toEqual(
    paths.map(([path]) => `${name}${path.slice(1)}`).toSorted(),
  );
});

test('the imports in the README of the contract are those of its package', async () => {
  const readme = await read('openapi/README.md');
  const listed = [...readme.matchAll(/^\| `@vehicle-data\/openapi(\/[a-z.-]+)?` +\|/gm)].map(
    ([, path = '']) => `.${path}`,
  );
  const { publishConfig } = await readJson<{ publishConfig: { exports: object } }>('openapi/package.json');
  expect(listed.toSorted()).toEqual(Object.keys(publishConfig.exports).toSorted());
});

test('each common mistake of the guide of date ranges is rejected as it says, and its remedy is not', async () => {
  const mistakes = rowsOf(sectionOf(await readGuide('date-ranges'), 'Common mistakes')).filter(([, code]) =>
    code?.startsWith('[`'),
  );
  expect(mistakes.length).toBeGreaterThan(3);
  const codeOf = async (query: string) => {
    const { maxDays } = operations.getDrivingData.dateRange;
    const range = new URLSearchParams({ startDate: '20260301', endDate: String(20260301 + maxDays) });
    for (const [name, value] of new URLSearchParams(query)) range.set(name, value);
    return (await call(sandbox, `SANDB0XA000000001/driving/data?${range}`)).error?.code;
  };
  for (const [query = '', code] of mistakes)
    expect([await codeOf(query.replaceAll('`', ''))], query).toEqual(namesIn(code ?? ''));
  for (const query of ['', 'zoneId=Europe/Berlin']) expect(await codeOf(query), query).toBeUndefined();
});

test('the Worker configuration of the guide is the one that is tried, with the program where npm puts it', async () => {
  const [, shown = ''] =
    /```json\n([\s\S]*?)```/.exec(sectionOf(await readGuide('proxy-deploy'), 'Cloudflare Workers')) ?? [];
  const tried = await readJson<{ assets: object }>('apps/proxy/wrangler.json');
  const installed = 'node_modules/@vehicle-data';
  const assets = { ...tried.assets, directory: `${installed}/docs/dist` };
  expect(JSON.parse(shown)).toEqual({ ...tried, main: `${installed}/proxy/dist/worker.js`, assets });
});

const guideOfClient = await readGuide('sdk');
const referenceOfClient = await readGuide('sdk-reference');

test('the options of the guide are those of the SDK', async () => {
  const listed = rowsOf(sectionOf(guideOfClient, 'Options')).flatMap(([names = '']) => namesIn(names));
  const types = await read('packages/client/dist/options.d.ts');
  const bodies = ['ClientOverrides', 'VehicleDataClientOptions'].map(
    (name) => new RegExp(`interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(types)?.[1] ?? '',
  );
  const options = bodies.flatMap((body) => [...body.matchAll(/^ {4}readonly (\w+)\??:/gm)].map(([, name]) => name));
  // A client narrows the brand to one of its own.
  expect(listed.toSorted()).toEqual([...new Set(options)].toSorted());
});

test('the errors of the guide are those of the SDK: every code of the service with its facts, and every class', async () => {
  const rows = rowsOf(sectionOf(await readGuide('sdk-errors'), 'Errors'));
  const ofService = rows.filter(([, , , isTemporary = '']) => /^(yes|no)$/.test(isTemporary));
  const facts = errorCatalogue
    .filter(({ origin }) => origin !== 'proxy')
    .map((entry) => [`\`${entry.code}\` ${entry.message}`, `\`${entry.resolution}\``, entry.temporary ? 'yes' : 'no']);
  expect(ofService.map(([code, , ...others]) => [code, ...others])).toEqual(facts);
  const classes = Object.keys(client).filter((name) => /^(?!Vehicle|is).*Error$/.test(name));
  expect([...new Set(rows.flatMap(([, name = '']) => namesIn(name)))].toSorted()).toEqual(classes.toSorted());
});

test('the SDK is installed as README and guide say alike, and supported as its tests have it', async () => {
  const readme = await read('packages/client/README.md');
  expect(sectionOf(readme, 'Install').trim()).toBe(sectionOf(guideOfClient, 'Install').trim());
  const { dependencies } = await readJson<{ dependencies: Record<string, string> }>(
    'packages/client/runtimes/package.json',
  );
  const versionOf = (tool: string) => new RegExp(`^\\| ${tool} +\\| ([\\d.]+) `, 'm').exec(referenceOfClient)?.[1];
  for (const [tool, name] of Object.entries({ Bun: 'bun', Deno: 'deno', Jest: 'jest', TypeScript: 'typescript-5.0' }))
    expect(`${dependencies[name]?.split('@').at(-1)}.`, tool).toContain(`${versionOf(tool)}.`);
});
