import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../../openapi/build/run.ts';
import { publishedPackages, repositoryFolder } from '../workspace.ts';
import type { RehearsalFolder } from './rehearsal-folder.ts';

export type StagedRepository = ReturnType<typeof stagedIn>;

/** A repository in a folder of the rehearsal. */
export function stagedIn(rehearsal: RehearsalFolder, folder: string) {
  /** The copy's own tools come before the machine's. */
  const env = (npmrc?: string) => rehearsal.env([join(folder, 'node_modules/.bin')], npmrc);
  return {
    folder,
    env,
    run: (command: string, ...args: readonly string[]) => run(command, args, { cwd: folder, env: env() }),
  };
}

/** Clones the last commit with a remote of its own, installs from the lockfile, and sees to it that every package gets a new version. */
export async function stageRepository(rehearsal: RehearsalFolder): Promise<StagedRepository> {
  const staged = stagedIn(rehearsal, rehearsal.in('repository'));
  // As on GitHub, there is no author but one that a command brings; git would make one up on some machines.
  await writeFile(rehearsal.in('gitconfig'), '[user]\n  useConfigOnly = true\n');
  const options = { cwd: rehearsal.path, env: rehearsal.env() };
  await run('git', ['clone', '--quiet', '--bare', repositoryFolder, 'remote.git'], options);
  await run('git', ['clone', '--quiet', 'remote.git', staged.folder], options);
  await staged.run('git', 'switch', '--quiet', '--force-create', 'main');
  await staged.run('git', 'push', '--quiet', '--force', '--set-upstream', 'origin', 'main');
  const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
  await run(pnpm, ['install', '--frozen-lockfile'], { ...options, cwd: staged.folder });
  const lines = (await publishedPackages(staged.folder)).map(({ manifest }) => `'${manifest.name}': patch`);
  const changeset = `---\n${lines.join('\n')}\n---\n\nNothing changes; this is a rehearsal.\n`;
  await writeFile(join(staged.folder, '.changeset/rehearsal.md'), changeset);
  return staged;
}
