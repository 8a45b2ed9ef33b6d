import { execFile } from 'node:child_process';
import { access, readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { table } from './tables.ts';

const run = promisify(execFile);

/** What changed, as three pieces of Markdown. */
export interface Changes {
  /** Notes that the next release will carry, by package. */
  readonly unreleased: string;
  /** Differences of the contract to the one that was last released. */
  readonly contract: string;
  /** The changelogs of the packages. */
  readonly releases: string;
}

/** Reads changesets, changelogs and the released contract. Outside the repository there are none, and the pieces say so. */
export async function readChanges(folder: string): Promise<Changes> {
  const repository = `${folder}/..`;
  const [unreleased, contract, releases] = await Promise.all([
    readChangesets(`${repository}/.changeset`),
    compareContract(folder),
    readChangelogs(repository),
  ]);
  return { unreleased, contract, releases };
}

const listed = (folder: string) => readdir(folder).catch((): string[] => []);

/** https://github.com/changesets/changesets/blob/main/docs/adding-a-changeset.md: front matter with packages, then the note. */
async function readChangesets(folder: string): Promise<string> {
  const names = (await listed(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').toSorted();
  const notes = new Map<string, string[]>();
  for (const name of names) {
    const [, head = '', note = ''] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await readFile(`${folder}/${name}`, 'utf8')) ?? [];
    for (const [, packageName = ''] of head.matchAll(/^['"]?(@[a-z-]+\/[a-z-]+)['"]?: \w+$/gm)) {
      notes.set(packageName, [...(notes.get(packageName) ?? []), note.trim().replaceAll(/\s*\n\s*/g, ' ')]);
    }
  }
  if (notes.size === 0) return 'Nothing that a user notices.';
  return [...notes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, items]) => `**${name}**\n\n${items.map((item) => `- ${item}`).join('\n')}`)
    .join('\n\n');
}

interface Difference {
  readonly path: string;
  readonly kind: string;
  readonly property?: string;
  readonly impact: string;
}

async function compareContract(folder: string): Promise<string> {
  const released = 'released/openapi.yaml';
  const exists = await access(`${folder}/${released}`).then(
    () => true,
    () => false,
  );
  if (!exists) return 'No version of the contract has been released yet.';
  // Bundle with bundle: what bundling does is no change.
  const args = ['diff', released, 'dist/openapi.yaml', '--format', 'json', '--fail-on', 'none'];
  const { stdout } = await run(`${folder}/node_modules/.bin/redocly`, args, { cwd: folder });
  const { changes } = JSON.parse(stdout) as { changes: readonly Difference[] };
  if (changes.length === 0) return 'The contract is the one that was last released.';
  return table(
    ['Place', 'Change', 'Weight'],
    changes.map(({ path, kind, property, impact }) => [
      `\`${path.replaceAll('~1', '/')}${property === undefined ? '' : ` (${property})`}\``,
      kind,
      impact,
    ]),
  );
}

async function readChangelogs(repository: string): Promise<string> {
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
  const released = logs.filter((log) => log !== '');
  if (released.length === 0) return 'No package has been released yet.';
  // Versions and kinds of change are no sections of the page: its menu would be full of them.
  return released.map((log) => log.trim().replaceAll(/^#{1,4} (.+)$/gm, '**$1**')).join('\n\n');
}
