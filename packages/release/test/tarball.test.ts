import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tarballProblems } from '../src/tarball/check-tarball.ts';
import { pack } from '../src/tarball/pack.ts';
import { readTarball } from '../src/tarball/read-tarball.ts';
import { readManifest } from '../src/workspace.ts';

const manifest = {
  name: '@vehicle-data/door',
  version: '1.2.3',
  description: 'A door.',
  keywords: ['door'],
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.19' },
  sideEffects: false,
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  files: ['CHANGELOG.md', 'dist', 'src'],
};
const good: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(manifest),
  'README.md': '# Door\n',
  'CHANGELOG.md': '# Changelog\n',
  LICENSE: 'MIT\n',
  'src/index.ts': 'export const door = 1;\n',
  'dist/index.d.ts': 'export declare const door = 1;\n//# sourceMappingURL=index.d.ts.map',
  'dist/index.d.ts.map': JSON.stringify({ version: 3, sources: ['../src/index.ts'] }),
  'dist/index.js': 'export const door = 1;\n//# sourceMappingURL=index.js.map',
  'dist/index.js.map': JSON.stringify({ version: 3, sources: ['../src/index.ts'] }),
};

function problemsOf(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  const files = Object.entries({ ...good, ...changes }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, Buffer.from(text)] as const],
  );
  return tarballProblems(new Map(files)).map(({ message }) => message);
}
const withManifest = (changes: object) => ({ 'package.json': JSON.stringify({ ...manifest, ...changes }) });

test('a package that holds what it should passes', () => {
  expect(problemsOf({})).toEqual([]);
});

test.each([
  ['a missing changelog', { 'CHANGELOG.md': undefined }, 'CHANGELOG.md is missing'],
  ['a missing licence', { LICENSE: undefined }, 'LICENSE is missing'],
  ['a test', { 'src/index.test.ts': '' }, 'src/index.test.ts does not belong here'],
  ['an environment file', { '.env': '' }, '.env does not belong here'],
  ['a key', { 'dist/server.pem': '' }, 'dist/server.pem does not belong here'],
  [
    'a source map into nothing',
    { 'src/index.ts': undefined },
    'dist/index.js.map leads to src/index.ts, which is missing',
  ],
  ['a lost source map', { 'dist/index.js.map': undefined }, 'names the source map index.js.map, which is missing'],
  ['an export into nothing', { 'dist/index.js': undefined }, 'points to ./dist/index.js, which is missing'],
  ['no keywords', withManifest({ keywords: undefined }), 'package.json has no keywords'],
  ['a loose engine', withManifest({ engines: { node: '*' } }), 'engines.node must be >=20.19'],
  ['a workspace version', withManifest({ dependencies: { a: 'workspace:*' } }), 'that only this workspace understands'],
  [
    'types that do not come first',
    withManifest({ exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' } } }),
    'types must come first',
  ],
])('%s is found', (_, changes, message) => {
  expect(problemsOf(changes).join('\n')).toContain(message);
});

test('packing the same files twice gives the same bytes, and every file can be read back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tarball-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(good)) {
    await mkdir(dirname(join(folder, 'door', name)), { recursive: true });
    await writeFile(join(folder, 'door', name), text);
  }
  await writeFile(join(folder, 'door', 'notes.txt'), 'not in the list of files');
  const door = { manifest: await readManifest(join(folder, 'door')), folder: join(folder, 'door'), path: 'door' };
  const [first, second] = [await pack(door, join(folder, 'a')), await pack(door, join(folder, 'b'))];
  expect(second.sha256).toBe(first.sha256);
  const files = await readTarball(first.file);
  expect([...files.keys()].toSorted()).toEqual(Object.keys(good).toSorted());
  expect(files.get('src/index.ts')?.toString()).toBe(good['src/index.ts']);
});
