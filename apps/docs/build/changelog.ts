import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { GeneratedBlocks } from './guides.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const listed = (folder: string) => readdir(`${repository}${folder}`).catch((): string[] => []);
const read = (file: string) => readFile(`${repository}${file}`, 'utf8').catch(() => '');

/** What changed, from the changesets of the next release and the changelogs of past ones. */
export async function readChanges(): Promise<GeneratedBlocks> {
  const folders = (
    await Promise.all(
      ['packages', 'apps'].map(async (group) => (await listed(group)).map((name) => `${group}/${name}`)),
    )
  ).flat();
  const logs = await Promise.all(['openapi', ...folders].map((folder) => read(`${folder}/CHANGELOG.md`)));
  const releases = logs.filter((log) => log !== '').map((log) => log.trim().replaceAll(/^#/gm, '###'));
  return {
    unreleased: await unreleased(),
    releases: releases.length === 0 ? 'No package has been released yet.' : releases.join('\n\n'),
  };
}

/** https://github.com/changesets/changesets/blob/main/docs/adding-a-changeset.md: front matter with packages, then the note. */
async function unreleased(): Promise<string> {
  const names = (await listed('.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md').toSorted();
  const notes = new Map<string, string[]>();
  for (const text of await Promise.all(names.map((name) => read(`.changeset/${name}`)))) {
    const [, head = '', note = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    for (const [, name = ''] of head.matchAll(/^['"]?(@[a-z-]+\/[a-z-]+)['"]?: \w+$/gm))
      notes.set(name, [...(notes.get(name) ?? []), `- ${note.trim().replaceAll(/\s*\n\s*/g, ' ')}`]);
  }
  if (notes.size === 0) return 'Nothing that you would notice.';
  return [...notes]
    .toSorted()
    .map(([name, items]) => `### ${name}\n\n${items.join('\n')}`)
    .join('\n\n');
}
