import { cp, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from '../../../../openapi/build/run.ts';
import { pack, type Tarball, withUnpacked } from '../tarball.ts';
import { type Manifest, publishedPackages, readManifest } from '../workspace.ts';
import { registryNpmrc, startRegistry } from './registry.ts';
import type { RehearsalFolder } from './rehearsal-folder.ts';
import { type StagedRepository, stagedIn, stageRepository } from './stage-repository.ts';
import { step } from './step.ts';
import { tryPublished } from './try-published.ts';

/** Installs the registry and the package checks, with the hashes of their lockfile and without install scripts. */
async function installTools(rehearsal: RehearsalFolder): Promise<string> {
  const target = rehearsal.in('tools');
  await cp(fileURLToPath(new URL('../../tools', import.meta.url)), target, { recursive: true });
  // Not `npm ci`: it rejects a lockfile that leaves out platforms which the registry of this machine does not carry.
  await run('npm', ['install', '--ignore-scripts', '--loglevel=error'], { cwd: target, env: rehearsal.env() });
  return target;
}

async function packAll(staged: StagedRepository, destination: string): Promise<readonly Tarball[]> {
  const tarballs: Tarball[] = [];
  for (const workspacePackage of await publishedPackages(staged.folder)) {
    tarballs.push(await pack(workspacePackage, staged.rehearsal.in(destination), staged.env()));
  }
  return tarballs;
}

/** The entry points of a package that are no code, such as a page: a type checker has nothing to say about them. */
function withoutCode(manifest: Manifest): readonly string[] {
  const entries = Object.entries(manifest.exports ?? {});
  return entries.flatMap(([name, target]) =>
    typeof target === 'string' && !/\.(js|json)$/.test(target) ? [name.replace('./', '')] : [],
  );
}

async function checkTarballs(staged: StagedRepository, tarballs: readonly Tarball[], tools: string): Promise<void> {
  const bin = join(tools, 'node_modules/.bin');
  for (const { manifest, file } of tarballs) {
    await staged.run(join(bin, 'publint'), 'run', file, '--strict');
    const excluded = withoutCode(manifest);
    const flags = excluded.length > 0 ? ['--exclude-entrypoints', ...excluded] : [];
    await staged.run(join(bin, 'attw'), file, '--profile', 'esm-only', '--no-emoji', ...flags);
  }
}

/** Builds and packs once more at another path, where a build that depends on its place would come out differently. */
async function sameTwice({ rehearsal, folder }: StagedRepository, first: readonly Tarball[]): Promise<void> {
  const moved = stagedIn(rehearsal, rehearsal.in('second-build', 'elsewhere'));
  await mkdir(dirname(moved.folder));
  await rename(folder, moved.folder);
  await moved.run('turbo', 'run', 'build', '--force');
  const second = await packAll(moved, 'second-tarballs');
  for (const { name, file, sha256 } of first) {
    const again = second.find((tarball) => tarball.name === name);
    if (again === undefined || again.sha256 === sha256) continue;
    // This fails with the names of the files that differ.
    await withUnpacked(file, (one) => withUnpacked(again.file, (other) => moved.run('diff', '-rq', one, other)));
    throw new Error(`two builds of ${name} differ as archives`);
  }
}

/** After `version-packages`, the bundle that later changes are rated against is the one that is about to go out. */
async function recordsContract(staged: StagedRepository): Promise<void> {
  const released = await readFile(join(staged.folder, 'openapi/released/openapi.yaml'), 'utf8');
  const { version } = await readManifest(join(staged.folder, 'openapi'));
  if (!released.includes(`\n  version: ${version}\n`)) throw new Error('the released bundle has another version');
}

/** Runs the lines of the release workflow that make the tags. */
async function tag(staged: StagedRepository): Promise<void> {
  const workflow = parse(await readFile(join(staged.folder, '.github/workflows/release.yml'), 'utf8'));
  const steps: readonly { id?: string; run?: string }[] = workflow.jobs.publish.steps;
  await staged.run('bash', '-e', '-c', steps.find(({ id }) => id === 'tag')?.run ?? 'false');
}

/** Publishes, sees that exactly the checked tarballs went out, and that a second run publishes nothing. */
async function publish(staged: StagedRepository, tarballs: readonly Tarball[]): Promise<void> {
  const options = { cwd: staged.folder, env: staged.env(registryNpmrc) };
  for (const word of ['published', 'was there ']) {
    const output = await run('npm', ['run', '--silent', 'publish-packages'], options);
    for (const { name, version, sha256 } of tarballs) {
      const line = `${word} ${name}@${version} sha256 ${sha256}`;
      if (!output.includes(line)) throw new Error(`expected "${line}" in:\n${output}`);
    }
  }
  const tags = tarballs.map(({ name, version }) => `${name}@${version}`);
  await tag(staged);
  // A checkout of GitHub has no tags.
  await staged.run('git', 'tag', '--delete', ...tags);
  await tag(staged);
  const pushed = await staged.run('git', 'ls-remote', '--tags', 'origin');
  for (const name of tags) if (!pushed.includes(`refs/tags/${name}\n`)) throw new Error(`there is no tag ${name}`);
}

/**
 * Plays a release from the changesets to the users, in a folder of its own: raises versions, builds, packs, publishes to
 * a registry on 127.0.0.1, and uses what was published from empty folders. Throws at the first thing that is wrong.
 */
export async function rehearse(rehearsal: RehearsalFolder): Promise<void> {
  const tools = await step('install the registry and the package checks', () => installTools(rehearsal));
  const staged = await step('copy the repository and install it from the lockfile', () => stageRepository(rehearsal));
  await step('raise versions and commit', async () => {
    await staged.run('npm', 'run', '--silent', 'version-packages');
    await staged.run('git', 'add', '--all');
    const author = ['-c', 'user.name=Release Rehearsal', '-c', 'user.email=rehearsal@vehicle-data.invalid'];
    await staged.run('git', ...author, 'commit', '--quiet', '--message', 'chore: release packages');
    await staged.run('git', 'push', '--quiet');
    await recordsContract(staged);
  });
  await step('build', () => staged.run('turbo', 'run', 'build', '--force'));
  const tarballs = await step('pack', () => packAll(staged, 'tarballs'));
  await step('hold the release checks against the new versions', () =>
    staged.run('turbo', 'run', '//#lint', '@vehicle-data/release#lint'),
  );
  await step('publint and attw', () => checkTarballs(staged, tarballs, tools));
  const registry = await step('start the registry', () => startRegistry(rehearsal, tools));
  try {
    await step('publish and tag with the commands of the release workflow, twice', () => publish(staged, tarballs));
    await tryPublished(rehearsal, tarballs);
  } finally {
    await registry.stop();
  }
  await step('build again elsewhere: identical tarballs', () => sameTwice(staged, tarballs));
}
