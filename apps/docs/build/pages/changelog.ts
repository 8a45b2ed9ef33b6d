import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (pattern: string) =>
  globSync(pattern, { cwd: repository })
    .toSorted()
    .map((file) => readFileSync(`${repository}${file}`, 'utf8'));

/** What changed: the changesets of the next release and the changelogs of past ones. */
export function readChanges(): { unreleased: string; releases: string } {
  // https://github.com/changesets/changesets/blob/main/docs/adding-a-changeset.md: front matter with packages, then the note.
  const notes = read('.changeset/*.md').flatMap((text) => {
    const [, packages = '', note = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    return [...packages.matchAll(/@[a-z-]+\/[a-z-]+/g)].map(([name]) => `### ${name}\n\n${note.trim()}`);
  });
  const releases = read('{openapi,packages/*,apps/*}/CHANGELOG.md');
  return {
    unreleased: notes.join('\n\n') || 'Nothing that you would notice.',
    releases:
      releases.map((log) => log.trim().replaceAll(/^#/gm, '###')).join('\n\n') || 'No package has been released yet.',
  };
}
