import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as client from '@vehicle-data/client';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import * as validators from '@vehicle-data/validators';
import { afterAll, expect, test } from 'vitest';
import { accessToken, repository, startApp } from './apps.ts';

const sandbox = await startApp('sandbox', {}, repository, afterAll);
/** Calls an operation for one vehicle. */
const call = (path: string) =>
  fetch(`${sandbox.address}/v1/vehicles/${path}`, {
    headers: { Brand: 'brand_a', Authorization: `Bearer ${accessToken}` },
  });

const guides = `${repository}/openapi/guides`;
const updating = process.env['UPDATE_DOCS'] === '1';

/** The text between the marks of a table, in a guide. */
async function tableIn(guide: string, name: string): Promise<string> {
  const text = await readFile(`${guides}/${guide}.md`, 'utf8');
  const [, table] = new RegExp(`<!-- table: ${name} -->\n([\\s\\S]*?)<!-- end of table -->`).exec(text) ?? [];
  if (table === undefined) throw new Error(`${guide}.md has no table ${name}`);
  return table;
}

/** A table without the padding that the formatter gives it. */
const unpadded = (table: string) => table.replaceAll(/ {2,}/g, ' ').replaceAll(/-{2,}/g, '---').trim();

/** Compares a table of a guide with its source, or writes it there with UPDATE_DOCS=1. */
async function expectTable(guide: string, name: string, wanted: string): Promise<void> {
  if (updating) {
    const path = `${guides}/${guide}.md`;
    const text = await readFile(path, 'utf8');
    const mark = `<!-- table: ${name} -->\n`;
    await writeFile(
      path,
      text.replace(`${mark}${await tableIn(guide, name)}`, () => `${mark}\n${wanted.trim()}\n\n`),
    );
    await format(path);
  }
  const found = unpadded(await tableIn(guide, name));
  expect(found, 'run: UPDATE_DOCS=1 pnpm --filter @vehicle-data/e2e test docs-tables').toBe(unpadded(wanted));
}

const format = (path: string) =>
  promisify(execFile)(`${repository}/node_modules/.bin/biome`, ['format', '--write', path], { cwd: repository });

test('the reserved VINs of the guide are those that the sandbox knows, and each gives its error', async () => {
  const response = await fetch(`${sandbox.address}/sandbox/vehicles`);
  const { reservedVins } = (await response.json()) as { reservedVins: readonly { vin: string; code: string }[] };
  expect(reservedVins.length).toBeGreaterThan(5);
  const rows = await Promise.all(
    reservedVins.map(async ({ vin, code }) => {
      const rejected = await call(`${vin}/locations`);
      const { error } = (await rejected.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe(code);
      return `| \`${vin}\` | [\`${code}\`](../errors/${code}.md) | ${rejected.status} | ${error.message} |`;
    }),
  );
  await expectTable(
    'sandbox',
    'reserved-vins',
    ['| VIN | Code | HTTP | Message |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
  );
});

test('the settings of the guide are those of the proxy', async () => {
  const readme = await readFile(`${repository}/apps/proxy/README.md`, 'utf8');
  const [, settings] = /<!-- settings:[^>]*-->\n([\s\S]*?)<!-- end of settings -->/.exec(readme) ?? [];
  if (settings === undefined) throw new Error('the README of the proxy has no table of settings');
  await expectTable('proxy', 'proxy-settings', settings);
});

/** Names in the export tables of a page, by what they are imported from. All cells but the last hold a name. */
function exportTables(markdown: string): readonly (readonly [string, readonly string[]])[] {
  const [, section = ''] = markdown.split('\n## Exports\n');
  const tables = [...(section.split(/\n## /)[0] ?? '').matchAll(/^### `(@[^`]+)`\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm)];
  return tables.map(([, specifier = '', text = '']) => {
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.flatMap((row) => row.split('|').slice(1, -2));
    return [specifier, cells.map((cell) => /^`(\w+)`$/.exec(cell.trim())?.[1] ?? `no name: ${cell}`)] as const;
  });
}

/** The entries of a package's manifest that are modules. */
async function modulesOf(folder: string): Promise<readonly string[]> {
  const text = await readFile(`${repository}/${folder}/package.json`, 'utf8');
  const { name, exports } = JSON.parse(text) as { name: string; exports: Readonly<Record<string, unknown>> };
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path]) => `${name}${path.slice(1)}`);
}

const packages = [
  'openapi',
  'packages/archive',
  'packages/client',
  'packages/validators',
  'apps/proxy',
  'apps/sandbox',
];
// Guides as they are published, since some of their tables are filled in by the build.
const twins = `${repository}/apps/docs/dist/guides`;
const pages = [
  `${repository}/openapi/README.md`,
  ...(await readdir(twins)).filter((name) => name.endsWith('.md')).map((name) => `${twins}/${name}`),
];
const listedExports = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).flatMap(exportTables);

test('every module that can be imported has one table of exports, and no other has', async () => {
  const published = (await Promise.all(packages.map(modulesOf))).flat().toSorted();
  expect(listedExports.map(([specifier]) => specifier).toSorted()).toEqual(published);
});

const isFactory = (name: string) => `is${name.slice('create'.length)}` in validators;

test.for(listedExports)('the exports of %s in the docs are those of the package', async ([specifier, listed]) => {
  const module: object = await import(specifier);
  // Of the factories that are made of the contract's objects, the table shows one.
  const isShown = (name: string) => listed.includes(name) || !isFactory(name);
  expect(listed.toSorted()).toEqual(Object.keys(module).filter(isShown).toSorted());
});

test('the imports in the README of the contract are those of its package', async () => {
  const readme = await readFile(`${repository}/openapi/README.md`, 'utf8');
  const listed = [...readme.matchAll(/^\| `@vehicle-data\/openapi(\/[a-z.]+)?` +\|/gm)].map(
    ([, path = '']) => `.${path}`,
  );
  const manifest = JSON.parse(await readFile(`${repository}/openapi/package.json`, 'utf8')) as {
    publishConfig: { exports: object };
  };
  expect(listed.toSorted()).toEqual(Object.keys(manifest.publishConfig.exports).toSorted());
});

test('the kinds of faults in the guide are those that the sandbox takes', async () => {
  const rejected = await fetch(`${sandbox.address}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind": "none of them"}',
  });
  const { error } = (await rejected.json()) as { error: { details: readonly { reason: string }[] } };
  const known = error.details[0]?.reason.replace('kind must be ', '').split(', ') ?? [];
  const guide = await readFile(`${guides}/sandbox.md`, 'utf8');
  const [, sentence = ''] = /^Kinds: ([\s\S]*?)\. Scopes:/m.exec(guide) ?? [];
  const listed = [...sentence.replaceAll(/\([^)]*\)/g, '').matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind);
  expect(listed.toSorted()).toEqual(known.toSorted());
});

test('each common mistake of the guide of date ranges is rejected as it says, and its remedy is not', async () => {
  const guide = await readFile(`${guides}/date-ranges.md`, 'utf8');
  const [, section = ''] = guide.split('## Common mistakes\n');
  const mistakes = [...section.matchAll(/^\| `([^`]+)` +\| \[`(\d+)`\]/gm)];
  expect(mistakes.length).toBeGreaterThan(3);
  const codeOf = async (query: string) => {
    const { maxDays } = operations.getDrivingData.dateRange;
    const range = new URLSearchParams({ startDate: '20260301', endDate: String(20260301 + maxDays) });
    for (const [name, value] of new URLSearchParams(query)) range.set(name, value);
    const response = await call(`SANDB0XA000000001/driving/data?${range}`);
    return ((await response.json()) as { error?: { code: string } }).error?.code;
  };
  for (const [, query = '', code] of mistakes) expect(await codeOf(query), query).toBe(code);
  for (const query of ['', 'zoneId=Europe/Berlin']) expect(await codeOf(query), query).toBeUndefined();
});

test('the Worker configuration of the guide is the one that is tried, with the program where npm puts it', async () => {
  const guide = await readFile(`${guides}/proxy.md`, 'utf8');
  const [, shown = ''] = /## Cloudflare Workers\n[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const tried = JSON.parse(await readFile(`${repository}/apps/proxy/wrangler.json`, 'utf8')) as { assets: object };
  const installed = 'node_modules/@vehicle-data/proxy/dist';
  expect(JSON.parse(shown)).toEqual({
    ...tried,
    main: `${installed}/worker.js`,
    assets: { ...tried.assets, directory: `${installed}/docs` },
  });
});

const readmeOfClient = await readFile(`${repository}/packages/client/README.md`, 'utf8');
const guideOfClient = await readFile(`${guides}/sdk.md`, 'utf8');
const sectionOf = (text: string, heading: string) =>
  text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]?.trim() ?? '';
/** Cells of the rows of a section whose first cell holds code. */
const rowsOf = (section: string) =>
  [...section.matchAll(/^\| `.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('the options of the guide are those of the SDK', async () => {
  const listed = rowsOf(sectionOf(guideOfClient, 'Options')).flatMap(([names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const types = await readFile(`${repository}/packages/client/dist/client-options.d.ts`, 'utf8');
  const bodies = ['ClientOverrides', 'VehicleDataClientOptions'].map(
    (name) => new RegExp(`interface ${name} [^{]*\\{([\\s\\S]*?)\\n\\}`).exec(types)?.[1] ?? '',
  );
  const options = bodies.flatMap((body) => [...body.matchAll(/^ {4}readonly (\w+)\??:/gm)].map(([, name]) => name));
  expect(listed.toSorted()).toEqual(options.toSorted());
});

test('the errors of the guide are those of the SDK: every code of the service with its facts, and every class', () => {
  const rows = rowsOf(sectionOf(guideOfClient, 'Errors'));
  const ofService = rows.filter(([, , , isTemporary = '']) => /^(yes|no)$/.test(isTemporary));
  expect(ofService.map(([code, , ...facts]) => [code, ...facts])).toEqual(
    errorCatalogue
      .filter(({ origin }) => origin !== 'proxy')
      .map(({ code, message, resolution, temporary }) => [
        `\`${code}\` ${message}`,
        `\`${resolution}\``,
        temporary ? 'yes' : 'no',
      ]),
  );
  const classes = Object.keys(client).filter((name) => /^(?!Vehicle|is).*Error$/.test(name));
  expect([...new Set(rows.map(([, name = '']) => name.slice(1, -1)))].toSorted()).toEqual(classes.toSorted());
});

test('the SDK is installed and supported as README and guide say alike, and as its tests have it', async () => {
  for (const heading of ['Install', 'Supported versions'])
    expect(sectionOf(readmeOfClient, heading)).toBe(sectionOf(guideOfClient, heading));
  const manifest = await readFile(`${repository}/packages/client/runtimes/package.json`, 'utf8');
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> };
  const versionOf = (tool: string) => new RegExp(`^\\| ${tool} +\\| ([\\d.]+) `, 'm').exec(readmeOfClient)?.[1];
  for (const [tool, name] of Object.entries({ Bun: 'bun', Deno: 'deno', Jest: 'jest', TypeScript: 'typescript-5.0' }))
    expect(`${dependencies[name]?.split('@').at(-1)}.`, tool).toContain(`${versionOf(tool)}.`);
});
