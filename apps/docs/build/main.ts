// Builds the docs site: Markdown pages from the contract and the guides, HTML by VitePress, and the reference by Redocly.
// With --markdown it ends after the first of these: `.cache/pages/public` then holds every page as Markdown, and the pictures.
import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCatalogue, operations as operationTable } from '@vehicle-data/openapi';
import { schemasOf } from '@vehicle-data/openapi/model';
import menu from '../guides/menu.json' with { type: 'json' };
import { bundleFile, contract, errorExample, summary, title, version } from './contract.ts';
import { fenced, type PageGroups, readableJson, table } from './markdown.ts';
import { llmsFullTxt, llmsTxt, plainMarkdown, sizeOf, sourceOf } from './output.ts';
import { changeLists } from './pages/changes.ts';
import { clientErrorPages, errorPage, errorTable } from './pages/errors.ts';
import { unitTables } from './pages/fields.ts';
import { dateRangePicture, dateRangeRules, guidePage } from './pages/guides.ts';
import { openTopics, sourceTable } from './pages/not-specified.ts';
import { operationPage } from './pages/operations.ts';
import { sdkPages } from './pages/sdk.ts';
import { vssTable, vssVersion } from './pages/vss.ts';
import { buildReference } from './reference.ts';
import { searchVocabulary } from './search-vocabulary.ts';
import { weekOfTrips } from './trip-page.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const cache = `${folder}.cache/`;
const published = `${cache}pages/public/`;
const operations = Object.values(operationTable);
const { dateRange } = operationTable.getDrivingData;

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** What the lines `<!-- generated: NAME -->` of guides stand for. */
const blocks = {
  ...changeLists(),
  'date-range-rules': dateRangeRules(dateRange),
  'error-example': fenced('json', readableJson(errorExample('4002'))),
  'error-table': errorTable(errorCatalogue),
  'not-specified': openTopics(contract).general,
  'not-specified-trips': openTopics(contract).trips,
  'sources-assumed': sourceTable(contract, 'assumed'),
  'sources-observed': sourceTable(contract, 'observed'),
  'sources-proxy': sourceTable(contract, 'proxy'),
  'unit-tables': unitTables(operations),
  'vss-table': vssTable(contract),
  'vss-version': vssVersion(contract),
  'validators-of-operations': table(
    ['Requests', 'Responses', 'Operation'],
    operations.map(({ operationId: id, summary }) => [`\`${id}Request\``, `\`${id}Response\``, summary]),
  ),
  'validators-of-schemas': table(
    ['Validator', 'Type guard', 'What it checks'],
    schemasOf(contract).map(([name]) => [
      `\`${name}\``,
      `\`is${name}\``,
      `[its schema](../sdk/schemas.md#${name.toLowerCase()})`,
    ]),
  ),
};
const guides = Object.entries(menu).map(
  ([group, files]) => [group, files.map((file) => guidePage(file, blocks))] as const,
);
const sdkGuide = guides.flatMap(([, pages]) => pages).find(({ path }) => path === 'guides/sdk-errors');
if (!sdkGuide) throw new Error('the menu has no guide to the errors of the SDK');
/** Every page by its group in the menu. */
const groups: PageGroups = {
  ...Object.fromEntries(guides),
  Operations: operations.map((operation) => operationPage(operation)),
  Errors: [...errorCatalogue.map((entry) => errorPage(entry, operations)), ...clientErrorPages(sdkGuide)],
  'SDK reference': await sdkPages(),
};
const pages = Object.values(groups).flat();

await rm(`${cache}pages`, { recursive: true, force: true });
await cp(`${folder}pictures`, `${published}pictures`, { recursive: true });
await write(`${published}pictures/date-window.svg`, dateRangePicture(dateRange));
await write(`${published}llms.txt`, llmsTxt(groups));
await write(`${published}llms-full.txt`, llmsFullTxt(pages));
for (const page of pages) {
  await write(`${cache}pages/${page.path}/index.md`, sourceOf(page));
  await write(`${published}${page.path}.md`, plainMarkdown(page));
}
for (const format of ['json', 'yaml'] as const) await copyFile(bundleFile(format), `${published}openapi.${format}`);
const week = await weekOfTrips();
await write(`${published}trip/index.html`, week.page);
await write(`${published}pictures/first-trip.svg`, week.column);
await write(`${published}pictures/first-trip-phone.svg`, week.phone);
const landing = readFileSync(`${folder}.vitepress/landing.md`, 'utf8');
await write(
  `${cache}pages/index.md`,
  landing
    .replace('<img src="/pictures/first-trip.svg"', `$& ${sizeOf(week.column)}`)
    .replace('<source srcset="/pictures/first-trip-phone.svg"', `$& ${sizeOf(week.phone)}`),
);
await write(`${cache}search-vocabulary.json`, JSON.stringify(searchVocabulary(pages)));
await write(`${cache}site.json`, JSON.stringify({ title, summary, version, groups }));
if (!process.argv.includes('--markdown')) {
  const { build } = await import('vitepress');
  const reference = `${cache}reference/`;
  await Promise.all([build(folder), buildReference(`${reference}index.html`)]);
  await cp(reference, `${folder}dist/reference`, { recursive: true });
}
