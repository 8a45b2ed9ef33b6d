import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { contractVersion, operations } from '../src/index.js';
import { ContractCopy } from './contract-copy.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const site = join(folder, 'dist/site');

test('the site is a landing page and the docs in a folder named after the contract version', async () => {
  expect((await readdir(site)).toSorted()).toEqual([contractVersion, 'index.html']);
  const [docs, published] = await Promise.all(
    [join(folder, 'dist/docs'), join(site, contractVersion)].map((path) => readdir(path, { recursive: true })),
  );
  expect(published?.toSorted()).toEqual(docs?.toSorted());
});

test('every link of the landing page leads to a file of the site, and every operation and guide has one', async () => {
  const page = await readFile(join(site, 'index.html'), 'utf8');
  const links = [...page.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)].map(([, link = '']) => link);
  for (const link of links) {
    const [path = '', fragment = ''] = link.split('#');
    const file = path.endsWith('/') ? `${path}index.html` : path;
    const content = await readFile(join(site, file), 'utf8').catch(() => undefined);
    expect(content, link).toBeDefined();
    if (fragment !== '') expect(content, link).toContain(`"${fragment}":"/`);
  }
  const guides = JSON.parse(await readFile(join(folder, 'guides/contents.json'), 'utf8')) as readonly string[];
  for (const name of [...Object.keys(operations), ...guides.map((guide) => `guide-${guide}`)])
    expect(links).toContain(`${contractVersion}/#${name}`);
});

test('what changed is made from changesets, changelogs and the released contract', async () => {
  const copy = await ContractCopy.create();
  const top = dirname(copy.folder);
  await mkdir(join(top, '.changeset'));
  await writeFile(join(top, '.changeset/soft.md'), "---\n'@vehicle-data/client': minor\n---\n\nCalls are\nsofter.\n");
  await copy.add('CHANGELOG.md', '# @vehicle-data/openapi\n\n## 0.0.9\n\n### Minor Changes\n\n- The first one.\n');
  await mkdir(join(copy.folder, 'released'));
  const before = await readFile(join(folder, 'dist/openapi.yaml'), 'utf8');
  await copy.add('released/openapi.yaml', before.replace('maximum: 16383.5', 'maximum: 16000'));
  expect(await copy.build()).toMatchObject({ exitCode: 0 });
  const guide = await readFile(join(copy.folder, 'dist/docs/guides/changelog.md'), 'utf8');
  expect(guide).toContain('**@vehicle-data/client**\n\n- Calls are softer.');
  expect(guide).toContain('**0.0.9**\n\n**Minor Changes**\n\n- The first one.');
  expect(guide).toMatch(/\| Weight \|\n\| --- .*\n\| `#\/paths\/\/v1\/.*rpm.*maximum.* \| modified \| \w+ \|\n\n/);
});

test('the contract is as ready for agents as the README says', async () => {
  const { stdout } = await promisify(execFile)(
    join(folder, 'node_modules/.bin/redocly'),
    ['score', 'openapi.yaml', '--format', 'json'],
    { cwd: folder },
  );
  const { agentReadiness } = JSON.parse(stdout) as { agentReadiness: number };
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  expect(readme).toContain(`agent readiness ${agentReadiness} of 100`);
});
