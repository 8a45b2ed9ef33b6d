// Builds the docs site: Markdown pages from the contract and the guides, HTML by VitePress, and the reference by Redocly.
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import { build } from 'vitepress';
import { bundleFile, readContract } from './contract.ts';
import { buildReference } from './reference.ts';
import { collectSite, type SiteFiles } from './site.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const cache = `${folder}.cache/`;

async function writeFiles(root: string, files: SiteFiles): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(root + name), { recursive: true });
    await writeFile(root + name, text);
  }
}

const contract = await readContract();
const site = await collectSite(contract);
await rm(`${cache}pages`, { recursive: true, force: true });
await writeFiles(`${cache}pages/`, { ...site.pages });
await writeFiles(cache, { 'site.json': JSON.stringify(site.menu) });
await writeFiles(`${cache}pages/public/`, site.files);
await Promise.all(
  ['json', 'yaml'].map((format) => copyFile(bundleFile(format as 'json'), `${cache}pages/public/openapi.${format}`)),
);
// Pictures of the tutorials: tests compare them with what the code of the tutorials writes.
await cp(`${folder}pictures`, `${cache}pages/public/pictures`, { recursive: true });
await copyFile(`${folder}.vitepress/theme/logo.svg`, `${cache}pages/public/logo.svg`);
const reference = `${cache}reference/index.html`;
await Promise.all([build(folder), buildReference(reference, contract, Object.values(operations))]);
await cp(reference, `${folder}dist/reference/index.html`, { recursive: true });
