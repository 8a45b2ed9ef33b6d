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
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const content = await readFile(join(site, file), 'utf8').catch(() => undefined);
    expect(content, link).toBeDefined();
    if (fragment !== '') expect(content, link).toContain(path === '' ? `id="${fragment}"` : `"${fragment}":"/`);
  }
  const guides = JSON.parse(await readFile(join(folder, 'guides/contents.json'), 'utf8')) as readonly string[];
  for (const name of [...Object.keys(operations), ...guides.map((guide) => `guide-${guide}`)])
    expect(links).toContain(`${contractVersion}/#${name}`);
});

/** A repository with nothing but a copy of the contract, in which releases can be played. */
async function repositoryCopy() {
  const copy = await ContractCopy.create();
  const top = dirname(copy.folder);
  const built = async (name: string) => readFile(join(copy.folder, 'dist', name), 'utf8');
  const run = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [...args], { cwd: copy.folder, timeout: 50_000 });
  const landing = async () => {
    const [, list = ''] = /<h2 id="what-changed">([\s\S]*?)<h2>/.exec(await built('site/index.html')) ?? [];
    return list;
  };
  await mkdir(join(top, '.changeset'));
  return { copy, top, built, run, landing };
}

test('what changed waits for the next release: notes of changesets, and the contract compared', {
  timeout: 60_000,
}, async () => {
  const { copy, top, built, run, landing } = await repositoryCopy();
  await run('build/record-release.ts');
  const note = 'Calls to `/v1` are\nsofter. And a <long> explanation.';
  await writeFile(join(top, '.changeset/soft.md'), `---\n'@vehicle-data/client': minor\n---\n\n${note}\n`);
  await copy.edit('components/schemas/PowertrainTrip.yaml', 'maximum: 16383.5', 'maximum: 17000');
  await copy.edit('components/schemas/PowertrainTrip.yaml', 'x-unit: rpm', 'x-unit: kr/min');
  expect(await copy.build()).toMatchObject({ exitCode: 0 });

  const guide = await built('docs/guides/changelog.md');
  expect(guide).toContain('**@vehicle-data/client**\n\n- Calls to `/v1` are softer. And a <long> explanation.\n');
  const place = 'GET /v1/vehicles/{vin}/powertrains/data · answer 200 · data.trips[].engine.rpm[]';
  expect(guide).toContain(`| \`${place}\` | \`maximum\`: 16383.5 → 17000 | major |\n`);
  // Another unit makes another value of every number.
  expect(guide).toContain('| `x-unit`: rpm → kr/min | major |\n');
  expect(guide).toContain('No package has been released yet.');

  const list = await landing();
  expect(list).toContain('In the next release');
  expect(list).toContain('<h3>@vehicle-data/client</h3><ul><li>Calls to <code>/v1</code> are softer.</li></ul>');
  expect(list).toContain(`<li><code>${place}</code>: <code>maximum</code>: 16383.5 → 17000 (major)</li>`);
});

test('what changed stays with the release that changed it: newest notes, and the contract before it', {
  timeout: 60_000,
}, async () => {
  const { copy, built, run, landing } = await repositoryCopy();
  await run('build/record-release.ts');
  await copy.edit('paths/v1_vehicles_{vin}_locations.yaml', 'get:\n', 'get:\n  deprecated: true\n');
  await run('build/record-release.ts');
  const newest = '## 0.2.0\n\n### Minor Changes\n\n- 1a2b3c4: Two\n  lines.\n- One.\n';
  const updated = '\n### Patch Changes\n\n- Updated dependencies [1a2b3c4]\n  - @vehicle-data/other@0.2.0\n';
  await copy.add('CHANGELOG.md', `# @vehicle-data/openapi\n\n${newest}${updated}\n## 0.1.0\n\n- The first one.\n`);
  expect(await copy.build()).toMatchObject({ exitCode: 0 });

  const guide = await built('docs/guides/changelog.md');
  expect(guide).toContain('Nothing that a user notices.');
  expect(guide).toContain('**0.2.0**\n\n**Minor Changes**\n\n- 1a2b3c4: Two\n  lines.');
  expect(guide).toMatch(/\| `GET \/v1\/vehicles\/\{vin\}\/locations` \| `deprecated` added \| minor \|\n/);

  const list = await landing();
  expect(list).toContain('<h3>@vehicle-data/openapi 0.2.0</h3><ul><li>Two lines.</li><li>One.</li></ul>');
  expect(list).toContain(
    '<li><code>GET /v1/vehicles/{vin}/locations</code>: <code>deprecated</code> added (minor)</li>',
  );
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
