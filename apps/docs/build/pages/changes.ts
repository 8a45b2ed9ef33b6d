// What changed: the changesets of the next release or, when there are none, what the newest changelogs say. One page holds a few packages.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const textsOf = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));

/** The packages of the guides `changelog-NAME`. The changelog itself has the others, and what changes in all of these. */
const packagesOf = {
  archive: ['archive', 'cli', 'collector', 'trip-view'],
  proxy: ['proxy'],
  sdk: ['client', 'openapi', 'validators'],
};
const others = ['docs', 'sandbox'];

/** A change as one line. */
interface Change {
  readonly note: string;
  /** The packages that it concerns, each with its version once it is released. */
  readonly packages: readonly { readonly name: string; readonly version?: string; readonly isFix: boolean }[];
}

/** The changes of the next release. What a package is says its guide, so its first release needs no line. */
function nextChanges(folder: string): readonly Change[] {
  return textsOf(folder, '.changeset/!(first-release-of-*).md').flatMap((text) => {
    // https://github.com/changesets/changesets/blob/main/docs/adding-a-changeset.md: front matter with packages, then the note.
    const [, head = '', note = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const packages = Array.from(head.matchAll(/@vehicle-data\/([a-z-]+)['"]: (\w+)/g), ([, name = '', level]) => ({
      name,
      isFix: level === 'patch',
    }));
    return packages.length > 0 ? [{ note: note.trim(), packages }] : [];
  });
}

/** The changes of the newest release of each package. One that the logs of several packages have is one change. */
function releasedChanges(folder: string): readonly Change[] {
  const byNote = new Map<string, Change['packages']>();
  for (const log of textsOf(folder, '{openapi,packages/*,apps/*}/CHANGELOG.md')) {
    const [, name = '', version = '', newest = ''] =
      /^# @vehicle-data\/(\S+)\n+## (\S+)\n([\s\S]*?)(?=\n## |$)/.exec(log) ?? [];
    // `- 1a2b3c4: The note.`; what a release only takes along of other packages has no note.
    for (const [, level, list = ''] of newest.matchAll(/### (\w+) Changes\n([\s\S]*?)(?=\n### |$)/g))
      for (const [, indented = ''] of list.matchAll(/^- [0-9a-f]+: (.+(?:\n+ {2}.+)*)/gm)) {
        const note = indented.replaceAll(/^ {2}/gm, '');
        byNote.set(note, [...(byNote.get(note) ?? []), { name, version, isFix: level === 'Patch' }]);
      }
  }
  return Array.from(byNote, ([note, packages]) => ({ note, packages }));
}

/** The lists of changes by the names that the guides give them. @param folder the repository */
export function changeLists(folder = repository): Readonly<Record<string, string>> {
  const next = nextChanges(folder);
  const changes = next.length > 0 ? next : releasedChanges(folder);
  const concerns = ({ packages }: Change, names: readonly string[]) =>
    packages.some(({ name }) => names.includes(name));
  const isForAll = (change: Change) => Object.values(packagesOf).every((names) => concerns(change, names));

  /** Lines with the packages of one page, which a page of one package need not name, nor a list of what concerns most of them. */
  const lines = (listed: readonly Change[], names?: readonly string[]) =>
    listed
      .map(({ note, packages }) => {
        const named = packages
          .filter(({ name }) => names === undefined || names.includes(name))
          .map(({ name, version }) => (version === undefined ? name : `${name} ${version}`))
          .filter((name) => names?.length !== 1 || name !== names[0]);
        const mark = named.length === 0 || named.length > 4 ? '' : `**${named.join(', ')}**: `;
        return `- ${mark}${note.replaceAll(/\n(?=.)/g, '\n  ')}`;
      })
      .join('\n');
  const section = (title: string, listed: readonly Change[], names?: readonly string[]) =>
    listed.length === 0 ? [] : [`## ${title}\n\n${lines(listed, names)}`];
  const listOf = (names: readonly string[]) => {
    const own = changes.filter((change) => concerns(change, names) && !isForAll(change));
    const isFix = ({ packages }: Change) => packages.every(({ name, isFix: fix }) => fix || !names.includes(name));
    const fixes = own.filter(isFix);
    return [
      ...section(
        'New or changed',
        own.filter((change) => !fixes.includes(change)),
        names,
      ),
      ...section('Fixed or faster', fixes, names),
    ].join('\n\n');
  };

  return {
    changes: [
      ...section('Most packages', changes.filter(isForAll)),
      ...section(
        'Sandbox and docs',
        changes.filter((change) => concerns(change, others) && !isForAll(change)),
        others,
      ),
    ].join('\n\n'),
    ...Object.fromEntries(
      Object.entries(packagesOf).map(([page, names]) => [`changes-${page}`, listOf(names) || 'Nothing.']),
    ),
  };
}
