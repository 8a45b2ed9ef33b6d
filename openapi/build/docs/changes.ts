import { access, readdir, readFile } from 'node:fs/promises';
import { type Comparison, compareContracts } from '../contract-diff/compare.ts';

/** What changed, as it was written down with each change and as the contract shows it. */
export interface Changes {
  /** Notes that the next release will carry. */
  readonly next: readonly PackageNotes[];
  /** The contract compared with the last released one; none before the first release. */
  readonly contract: Comparison | undefined;
  /** Notes of the newest release of each package. */
  readonly latest: readonly PackageNotes[];
  /** What the last release of the contract changed in the one before; none before the second release. */
  readonly latestContract: Comparison | undefined;
  /** The whole changelogs of the packages, as Markdown. */
  readonly changelogs: readonly string[];
}

/** What a release of one package changes for its users. */
export interface PackageNotes {
  readonly name: string;
  /** None for the next release. */
  readonly version: string | undefined;
  readonly notes: readonly string[];
}

/** Reads changesets, changelogs and the released contract. Outside the repository there are none. */
export async function readChanges(folder: string): Promise<Changes> {
  const repository = `${folder}/..`;
  const [next, contract, changelogs, latestContract] = await Promise.all([
    readChangesets(`${repository}/.changeset`),
    compareWithReleased(folder),
    readChangelogs(repository),
    readRecorded(`${folder}/released/changes.json`),
  ]);
  const latest = changelogs.map(newestNotes).filter(({ notes }) => notes.length > 0);
  return { next, contract, latest, latestContract, changelogs };
}

const listed = (folder: string) => readdir(folder).catch((): string[] => []);
const onOneLine = (note: string) => note.trim().replaceAll(/\s*\n\s*/g, ' ');

/** https://github.com/changesets/changesets/blob/main/docs/adding-a-changeset.md: front matter with packages, then the note. */
async function readChangesets(folder: string): Promise<readonly PackageNotes[]> {
  const names = (await listed(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').toSorted();
  const written: { name: string; weight: number; note: string }[] = [];
  for (const file of names) {
    const [, head = '', note = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await readFile(`${folder}/${file}`, 'utf8')) ?? [];
    for (const [, name = '', weight = ''] of head.matchAll(/^['"]?(@[a-z-]+\/[a-z-]+)['"]?: (\w+)$/gm)) {
      written.push({ name, weight: ['major', 'minor', 'patch'].indexOf(weight), note: onOneLine(note) });
    }
  }
  // The heaviest first, as in the changelogs that are made of them.
  const inOrder = written.toSorted((one, other) => one.weight - other.weight);
  return [...new Set(written.map(({ name }) => name))].toSorted().map((name) => ({
    name,
    version: undefined,
    notes: inOrder.filter((item) => item.name === name).map(({ note }) => note),
  }));
}

async function compareWithReleased(folder: string): Promise<Comparison | undefined> {
  const released = 'released/openapi.yaml';
  const exists = await access(`${folder}/${released}`).then(
    () => true,
    () => false,
  );
  return exists ? compareContracts(folder, released, 'dist/openapi.yaml') : undefined;
}

/** What build/record-release.ts wrote with the last release. */
async function readRecorded(file: string): Promise<Comparison | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Comparison);
}

async function readChangelogs(repository: string): Promise<readonly string[]> {
  const folders = (
    await Promise.all(
      ['packages', 'apps'].map(async (group) =>
        (await listed(`${repository}/${group}`)).map((name) => `${group}/${name}`),
      ),
    )
  ).flat();
  const logs = await Promise.all(
    ['openapi', ...folders].map((name) => readFile(`${repository}/${name}/CHANGELOG.md`, 'utf8').catch(() => '')),
  );
  return logs.filter((log) => log !== '');
}

/** The newest section of a changelog, as changesets writes it: a note starts with the commit that brought it. */
function newestNotes(changelog: string): PackageNotes {
  const [, name = '', version = '', section = ''] =
    /^# (\S+)\n[\s\S]*?^## (\S+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  const items = [...section.matchAll(/^- (?:[0-9a-f]{7,40}: )?([\s\S]*?)(?=^- |^#|$(?![\s\S]))/gm)];
  const notes = items
    .map(([, note = '']) => onOneLine(note))
    .filter((note) => !note.startsWith('Updated dependencies'));
  return { name, version, notes };
}
