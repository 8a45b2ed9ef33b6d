import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { errorCatalogue, operations } from '../src/index.js';
import { ContractCopy } from './contract-copy.ts';

const docs = fileURLToPath(new URL('../dist/docs', import.meta.url));
const text = (name: string) => readFile(join(docs, name), 'utf8');
const files = (await readdir(docs, { recursive: true })).filter((name) => /\.(md|txt)$/.test(name));

/** How repository hosts and most renderers make an anchor of a heading. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.for(files)('every link of %s leads to a file and a heading that are there', async (name) => {
  const links = [...(await text(name)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  for (const [whole, path = '', anchor] of links) {
    const target = path === '' ? name : normalize(join(dirname(name), path));
    const content = await text(target).catch(() => undefined);
    expect(content, `${whole} in ${name}`).toBeDefined();
    if (anchor !== undefined) expect(anchorsOf(content ?? ''), `${whole} in ${name}`).toContain(anchor);
  }
});

test('the guide of errors has one entry for each code of the catalogue and no other', async () => {
  const entries = [...(await text('guides/errors.md')).matchAll(/^### (.+)$/gm)].map(([, code]) => code);
  expect(entries).toEqual(errorCatalogue.map(({ code }) => code));
});

test('the index for agents names every guide, every operation and both forms of the contract', async () => {
  const index = await text('llms.txt');
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
  const twins = files.filter((name) => name.includes('/'));
  expect(linked.toSorted()).toEqual([...twins, 'openapi.json', 'openapi.yaml'].toSorted());
});

describe.each(Object.values(operations))('the twin of $operationId', (operation) => {
  test('shows a sample in every language, an answer, and every error that can come', async () => {
    const twin = await text(`operations/${operation.operationId}.md`);
    for (const heading of ['Parameters', 'Sample: curl', 'Sample: TypeScript', 'Sample: Python', 'Answer', 'Errors'])
      expect(twin).toContain(`## ${heading}\n`);
    const listed = [...twin.matchAll(/errors\.md#([a-z0-9-]+)/g)].map(([, code]) => code);
    const expected = errorCatalogue.filter(({ status }) => Object.hasOwn(operation.responses, status));
    expect(listed).toEqual(expected.map(({ code }) => code));
  });
});

test('every figure has a text alternative and takes its colours from the reader’s scheme', async () => {
  const figures = await readdir(join(docs, 'figures'));
  expect(figures.length).toBeGreaterThan(3);
  for (const name of figures) {
    const figure = await text(`figures/${name}`);
    const [, alternative = ''] = /<svg [^>]*role="img" aria-label="([^"]+)"/.exec(figure) ?? [];
    expect(alternative.length, name).toBeGreaterThan(100);
    expect(figure).toContain('prefers-color-scheme:dark');
    expect(figure.replace(/<style>.*<\/style>/s, ''), name).not.toMatch(/#[0-9a-f]{3,6}|(?:fill|stroke)="(?!none)/i);
  }
});

test('a new operation under openapi/ alone gets its place in the docs, its samples and its twin', {
  timeout: 60_000,
}, async () => {
  const copy = await ContractCopy.create();
  const path = 'v1_vehicles_{vin}_tyres.yaml';
  const source = await readFile(join(copy.folder, 'paths/v1_vehicles_{vin}_locations.yaml'), 'utf8');
  await copy.add(
    `paths/${path}`,
    source.replace('getLocation', 'getTyres').replace('Get the latest location', 'Get the tyres'),
  );
  await copy.edit(
    'openapi.yaml',
    'components:\n',
    `  /v1/vehicles/{vin}/tyres:\n    $ref: paths/${path}\ncomponents:\n`,
  );
  expect(await copy.build()).toMatchObject({ exitCode: 0 });
  const built = (name: string) => readFile(join(copy.folder, 'dist/docs', name), 'utf8');
  const twin = await built('operations/getTyres.md');
  expect(twin).toContain("curl -s 'http://127.0.0.1:8787/v1/vehicles/SANDB0XA000000001/tyres'");
  expect(twin).toContain("await client.getTyres({ vin: 'SANDB0XA000000001' })");
  expect(await built('llms.txt')).toContain('operations/getTyres.md');
  const page = await built('index.html');
  expect(page).toContain('/latest/gettyres');
  expect(page).toContain('client.getTyres(');
});

test('a guide that the table of contents does not name stops the build', { timeout: 60_000 }, async () => {
  const copy = await ContractCopy.create();
  await copy.add('guides/forgotten.md', '# Forgotten\n\nText.\n');
  const { exitCode, output } = await copy.build();
  expect(output).toContain('openapi/guides/contents.json and the files beside it differ: forgotten');
  expect(exitCode).toBe(1);
});

test('a guide that links to a page that is not there stops the build', { timeout: 60_000 }, async () => {
  const copy = await ContractCopy.create();
  await copy.edit('guides/privacy.md', '# Privacy\n', '# Privacy\n\nSee [the moon](moon.md).\n');
  const { exitCode, output } = await copy.build();
  expect(output).toContain('moon.md');
  expect(exitCode).toBe(1);
});
