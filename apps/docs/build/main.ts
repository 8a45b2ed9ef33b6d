// Builds the docs site: Markdown pages from the contract and the guides, HTML by VitePress, and the reference by Redocly.
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import { build } from 'vitepress';
import { bundleFile, summary, title, version } from './contract.ts';
import { llmsTxt, plainMarkdown, sourceOf } from './output.ts';
import { dateRangePicture } from './pages/guides.ts';
import { buildReference } from './reference.ts';
import { collectSite } from './site.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const cache = `${folder}.cache/`;
const published = `${cache}pages/public/`;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const site = await collectSite();
const pages = Object.values(site.groups).flat();
await rm(`${cache}pages`, { recursive: true, force: true });
await cp(`${folder}pictures`, `${published}pictures`, { recursive: true });
await write(`${published}pictures/date-window.svg`, dateRangePicture(operations.getDrivingData.dateRange));
await write(`${published}llms.txt`, llmsTxt(site.groups));
await write(`${published}llms-full.txt`, pages.map(plainMarkdown).join('\n---\n\n'));
for (const page of pages) {
  await write(`${cache}pages/${page.path}/index.md`, sourceOf(page));
  await write(`${published}${page.path}.md`, plainMarkdown(page));
}
for (const format of ['json', 'yaml'] as const) await copyFile(bundleFile(format), `${published}openapi.${format}`);
await copyFile(`${folder}.vitepress/landing.md`, `${cache}pages/index.md`);
await write(`${cache}site.json`, JSON.stringify({ title, summary, version, ...site }));
const reference = `${cache}reference/index.html`;
await Promise.all([build(folder), buildReference(reference)]);
await cp(reference, `${folder}dist/reference/index.html`, { recursive: true });
