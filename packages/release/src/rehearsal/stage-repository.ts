import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runOrFail } from '../run.ts';
import { publishedPackages, repositoryFolder } from '../workspace.ts';
import type { RehearsalFolder } from './rehearsal-folder.ts';

const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');

/** A clone of the repository inside the rehearsal's folder, which a release may change. */
export class StagedRepository {
  readonly rehearsal: RehearsalFolder;
  folder: string;

  private constructor(rehearsal: RehearsalFolder, folder: string) {
    this.rehearsal = rehearsal;
    this.folder = folder;
  }

  /** Clones the last commit with a remote of its own, and installs from the lockfile. */
  static async create(rehearsal: RehearsalFolder): Promise<StagedRepository> {
    const staged = new StagedRepository(rehearsal, rehearsal.in('repository'));
    await writeFile(
      rehearsal.in('gitconfig'),
      '[user]\n  name = Release Rehearsal\n  email = rehearsal@vehicle-data.invalid\n',
    );
    const options = { cwd: rehearsal.path, env: rehearsal.env() };
    await runOrFail('git', ['clone', '--quiet', '--bare', repositoryFolder, 'remote.git'], options);
    await runOrFail('git', ['clone', '--quiet', 'remote.git', staged.folder], options);
    await staged.run('git', 'switch', '--quiet', '--force-create', 'main');
    await staged.run('git', 'push', '--quiet', '--force', '--set-upstream', 'origin', 'main');
    await runOrFail(pnpm, ['install', '--frozen-lockfile'], { ...options, cwd: staged.folder });
    return staged;
  }

  /** A program with the copy's own tools before the machine's. */
  env(npmrc?: string): NodeJS.ProcessEnv {
    return this.rehearsal.env([join(this.folder, 'node_modules/.bin')], npmrc);
  }

  run(command: string, ...args: readonly string[]): Promise<string> {
    return runOrFail(command, args, { cwd: this.folder, env: this.env() });
  }

  /** Sees to it that every published package gets a new version, also when nobody has asked for one yet. */
  async addChangesets(): Promise<void> {
    const folder = join(this.folder, '.changeset');
    const pending = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
    const texts = await Promise.all(pending.map((name) => readFile(join(folder, name), 'utf8')));
    const names = (await publishedPackages(this.folder)).map(({ manifest }) => manifest.name);
    const missing = names.filter((name) => !texts.some((text) => text.includes(`'${name}':`)));
    if (missing.length === 0) return;
    const lines = missing.map((name) => `'${name}': patch`).join('\n');
    await writeFile(join(folder, 'rehearsal.md'), `---\n${lines}\n---\n\nNothing changes; this is a rehearsal.\n`);
  }

  /** Moves the repository to another path, where a build that depends on its place would come out differently. */
  async moveTo(name: string): Promise<void> {
    const target = this.rehearsal.in(name, 'elsewhere');
    await mkdir(dirname(target), { recursive: true });
    await rename(this.folder, target);
    this.folder = target;
  }
}
