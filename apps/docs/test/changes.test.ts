// The changelog: the changesets of the next release, or the newest logs of the packages.
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { countWords } from '../build/markdown.ts';
import { changeLists } from '../build/pages/changes.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const changesets = globSync('.changeset/*.md', { cwd: repository });

/** A folder with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'changes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}
const changeset = (packages: Readonly<Record<string, string>>, note: string) =>
  `---\n${Object.entries(packages)
    .map(([name, level]) => `'@vehicle-data/${name}': ${level}\n`)
    .join('')}---\n\n${note}\n`;

test.for(changesets)('%s is one line of at most 45 words', async (file) => {
  const note = (await readFile(`${repository}${file}`, 'utf8')).replace(/^---\n[\s\S]*?\n---\n/, '').trim();
  expect(note).not.toContain('\n');
  expect(countWords(note)).toBeLessThanOrEqual(45);
});

test('a change of the next release is on the page of each package that it concerns', async () => {
  const folder = await folderWith({
    '.changeset/README.md': 'No changeset.',
    '.changeset/first-release-of-cli.md': changeset({ cli: 'minor' }, 'What the package is.'),
    '.changeset/a.md': changeset({ proxy: 'minor', cli: 'patch', archive: 'patch' }, 'Change of the proxy.'),
    '.changeset/b.md': changeset({ client: 'patch', validators: 'patch' }, 'Fix of the SDK.'),
    '.changeset/c.md': changeset({ client: 'minor', cli: 'minor', proxy: 'minor' }, 'Change of all.'),
    '.changeset/d.md': changeset({ sandbox: 'minor' }, 'Change of the sandbox.'),
    'packages/cli/CHANGELOG.md': '# @vehicle-data/cli\n\n## 1.0.0\n\n### Minor Changes\n\n- 1a2b3c4: An old change.\n',
  });
  expect(changeLists(folder)).toEqual({
    changes:
      '## Most packages\n\n- **client, cli, proxy**: Change of all.\n\n## Sandbox and docs\n\n- **sandbox**: Change of the sandbox.',
    'changes-archive': '## Fixed or faster\n\n- **cli, archive**: Change of the proxy.',
    'changes-proxy': '## New or changed\n\n- Change of the proxy.',
    'changes-sdk': '## Fixed or faster\n\n- **client, validators**: Fix of the SDK.',
  });
});

// As `changeset version` writes them.
test('after a release, a change of the newest versions stands once, with the versions of its packages', async () => {
  const folder = await folderWith({
    'packages/cli/CHANGELOG.md': `# @vehicle-data/cli

## 1.1.0

### Minor Changes

- 1a2b3c4: Change of both.

  It goes over two paragraphs.

### Patch Changes

- 5d6e7f8: Fix of the CLI.
- Updated dependencies [1a2b3c4]
  - @vehicle-data/archive@2.0.0

## 1.0.0

### Minor Changes

- 9a8b7c6: An old change.
`,
    'packages/archive/CHANGELOG.md': `# @vehicle-data/archive

## 2.0.0

### Major Changes

- 1a2b3c4: Change of both.

  It goes over two paragraphs.
`,
  });
  expect(changeLists(folder)).toEqual({
    changes: '',
    'changes-archive': `## New or changed

- **archive 2.0.0, cli 1.1.0**: Change of both.

  It goes over two paragraphs.

## Fixed or faster

- **cli 1.1.0**: Fix of the CLI.`,
    'changes-proxy': 'Nothing.',
    'changes-sdk': 'Nothing.',
  });
});
