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

test.for<{ story: string; changes: Readonly<Record<string, string | undefined>>; messages: readonly string[] }>([
  { story: 'a complete package', changes: {}, messages: [] },
  { story: 'a published schema', changes: { 'schema/receipt.schema.json': '{}' }, messages: [] },
  {
    story: 'another file beside it',
    changes: { 'schema/receipt.json': '{}' },
    messages: ['schema/receipt.json does not belong here'],
  },
  { story: 'a missing changelog', changes: { 'CHANGELOG.md': undefined }, messages: ['CHANGELOG.md is missing'] },
  { story: 'a test', changes: { 'src/index.test.ts': '' }, messages: ['src/index.test.ts does not belong here'] },
  { story: 'an environment file', changes: { '.env': '' }, messages: ['.env does not belong here'] },
  { story: 'a key', changes: { 'dist/server.pem': '' }, messages: ['dist/server.pem does not belong here'] },
  { story: 'a source map into nothing', changes: { 'src/index.ts': undefined }, messages: [leadsNowhere] },
  { story: 'no keywords', changes: withManifest({ keywords: undefined }), messages: ['package.json has no keywords'] },
  {
    story: 'a loose engine',
    changes: withManifest({ engines: { node: '*' } }),
    messages: ['engines.node must be >=22.12'],
  },
  {
    story: 'a workspace version',
    changes: withManifest({ dependencies: { a: 'workspace:*' } }),
    messages: [ofWorkspace],
  },
])('the problems of a package: $story', async ({ changes, messages }) => {
  const problems = await packageProblems(await write({ ...good, ...changes }));
  expect(problems).toEqual(messages.map((message) => `${manifest.name}: ${message}`));
});

test('a tarball holds what the list of files names, and nothing else', async () => {
  const folder = await write({ ...good, 'notes.txt': 'not in the list of files' });
  const { file } = await pack({ manifest: await readManifest(folder), folder, path: 'example' }, await write({}));
  const names = await withUnpacked(file, (unpacked) => readdir(unpacked));
  expect(names.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'src']);
});
