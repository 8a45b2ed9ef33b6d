import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pack, packageProblems, withUnpacked } from '../src/tarball.ts';
import { readManifest } from '../src/workspace.ts';

const manifest = {
  name: '@vehicle-data/example',
  version: '1.2.3',
  description: 'An example.',
  keywords: ['example'],
  license: 'MIT',
  type: 'module',
  engines: { node: '>=22.12' },
  sideEffects: false,
  exports: { '.': './dist/index.js' },
  files: ['CHANGELOG.md', 'dist', 'src'],
};
const good: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(manifest),
  'README.md': '# Example\n',
  'CHANGELOG.md': '# Changelog\n',
  LICENSE: 'MIT\n',
  'src/index.ts': 'export const example = 1;\n',
  'dist/index.js': 'export const example = 1;\n//# sourceMappingURL=index.js.map',
  'dist/index.js.map': JSON.stringify({ version: 3, sources: ['../src/index.ts'] }),
};

async function write(files: Readonly<Record<string, string | undefined>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
const leadsNowhere = 'dist/index.js.map leads to ../src/index.ts, which is missing';
const ofWorkspace = 'package.json holds a version that only this workspace understands';
const withManifest = (changes: object) => ({ 'package.json': JSON.stringify({ ...manifest, ...changes }) });

test.for<readonly [string, Readonly<Record<string, string | undefined>>, readonly string[]]>([
  ['a complete package', {}, []],
  ['a published schema', { 'schema/receipt.schema.json': '{}' }, []],
  ['another file beside it', { 'schema/receipt.json': '{}' }, ['schema/receipt.json does not belong here']],
  ['a missing changelog', { 'CHANGELOG.md': undefined }, ['CHANGELOG.md is missing']],
  ['a test', { 'src/index.test.ts': '' }, ['src/index.test.ts does not belong here']],
  ['an environment file', { '.env': '' }, ['.env does not belong here']],
  ['a key', { 'dist/server.pem': '' }, ['dist/server.pem does not belong here']],
  ['a source map into nothing', { 'src/index.ts': undefined }, [leadsNowhere]],
  ['no keywords', withManifest({ keywords: undefined }), ['package.json has no keywords']],
  ['a loose engine', withManifest({ engines: { node: '*' } }), ['engines.node must be >=22.12']],
  ['a workspace version', withManifest({ dependencies: { a: 'workspace:*' } }), [ofWorkspace]],
])('%s: the problems of a package', async ([, changes, messages]) => {
  const problems = await packageProblems(await write({ ...good, ...changes }));
  expect(problems).toEqual(messages.map((message) => `${manifest.name}: ${message}`));
});

test('a tarball holds what the list of files names, and nothing else', async () => {
  const folder = await write({ ...good, 'notes.txt': 'not in the list of files' });
  const { file } = await pack({ manifest: await readManifest(folder), folder, path: 'example' }, await write({}));
  const names = await withUnpacked(file, (unpacked) => readdir(unpacked));
  expect(names.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'src']);
});
