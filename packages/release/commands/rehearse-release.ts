// Plays a release from the changesets to the users, in a folder of its own: `npm run rehearse-release`. It raises versions, builds,
// packs, publishes to a registry on 127.0.0.1, and uses what was published from empty folders. It ends at the first thing that is
// wrong. `--keep` leaves the folder behind.
import { cp, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from '../../../openapi/build/run.ts';
import { createRehearsalFolder, type RehearsalFolder } from '../src/rehearsal/rehearsal-folder.ts';
import { registryNpmrc, startRegistry } from '../src/rehearsal/servers.ts';
import { type StagedRepository, stagedIn, stageRepository } from '../src/rehearsal/stage-repository.ts';
import { step } from '../src/rehearsal/step.ts';
import { tryPublished } from '../src/rehearsal/try-published.ts';
import { pack, type Tarball, withUnpacked } from '../src/tarball.ts';
import { isImported, type Manifest, publishedPackages, readManifest } from '../src/workspace.ts';

async function packAll(staged: StagedRepository, destination: string): Promise<readonly Tarball[]> {
  const tarballs: Tarball[] = [];
  for (const workspacePackage of await publishedPackages(staged.folder))
    tarballs.push(await pack(workspacePackage, destination, staged.env()));
  return tarballs;
}

/** The entry points of a package that are no code, such as a page: a type checker has nothing to say about them. */
function withoutCode(manifest: Manifest): readonly string[] {
  const entries = Object.entries(manifest.exports ?? {});
  return entries.flatMap(([name, target]) =>
    typeof target === 'string' && !/\.(js|json)$/.test(target) ? [name.replace('./', '')] : [],
  );
}

/** Runs the lines of the release workflow that make the tags. */
async function tag(staged: StagedRepository): Promise<void> {
  const workflow = parse(await readFile(join(staged.folder, '.github/workflows/release.yml'), 'utf8'));
  const steps: readonly { id?: string; run?: string }[] = workflow.jobs.tag.steps;
  await staged.run('bash', '-e', '-c', steps.find(({ id }) => id === 'tag')?.run ?? 'false');
}

/** Publishes, sees that exactly the checked tarballs went out, and that a second run publishes nothing. */
async function publish(staged: StagedRepository, tarballs: readonly Tarball[]): Promise<void> {
  const options = { cwd: staged.folder, env: staged.env(registryNpmrc) };
  const commands = { packed: 'pack-packages', published: 'publish-packages', 'was there ': 'publish-packages' };
  for (const [word, command] of Object.entries(commands)) {
    const output = await run('npm', ['run', '--silent', command], options);
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

async function rehearse(rehearsal: RehearsalFolder): Promise<void> {
  const tools = rehearsal.in('tools');
  await step('install the registry and the package checks', async () => {
    await cp(fileURLToPath(new URL('../tools', import.meta.url)), tools, { recursive: true });
    // With the hashes of the lockfile, and without install scripts. Not `npm ci`: it rejects a lockfile that leaves out platforms
    // which the registry of this machine does not carry.
    await run('npm', ['install', '--ignore-scripts', '--loglevel=error'], { cwd: tools, env: rehearsal.env() });
  });
  const staged = await step('copy the repository and install it from the lockfile', () => stageRepository(rehearsal));
  await step('raise versions and commit', async () => {
    await staged.run('npm', 'run', '--silent', 'version-packages');
    // As `npm test` begins: a lockfile with the ranges of before would stop the release.
    await staged.run('pnpm', 'install', '--frozen-lockfile');
    await staged.run('git', 'add', '--all');
    const author = ['-c', 'user.name=Release Rehearsal', '-c', 'user.email=rehearsal@vehicle-data.invalid'];
    await staged.run('git', ...author, 'commit', '--quiet', '--message', 'chore: release packages');
    await staged.run('git', 'push', '--quiet');
    // The bundle that later changes are rated against is the one that is about to go out.
    const released = await readFile(join(staged.folder, 'openapi/released/openapi.yaml'), 'utf8');
    const { version } = await readManifest(join(staged.folder, 'openapi'));
    if (!released.includes(`\n  version: ${version}\n`)) throw new Error('the released bundle has another version');
  });
  await step('build', () => staged.run('turbo', 'run', 'build', '--force'));
  const tarballs = await step('pack', () => packAll(staged, rehearsal.in('tarballs')));
  await step('hold the release checks against the new versions', () =>
    staged.run('turbo', 'run', '//#lint', '@vehicle-data/release#lint'),
  );
  await step('publint and attw', async () => {
    const bin = join(tools, 'node_modules/.bin');
    for (const { manifest, file } of tarballs) {
      await staged.run(join(bin, 'publint'), 'run', file, '--strict');
      if (!isImported(manifest)) continue;
      const excluded = withoutCode(manifest);
      const flags = excluded.length > 0 ? ['--exclude-entrypoints', ...excluded] : [];
      await staged.run(join(bin, 'attw'), file, '--profile', 'esm-only', '--no-emoji', ...flags);
    }
  });
  const registry = await step('start the registry', () => startRegistry(rehearsal, tools));
  try {
    await step('pack once, publish and tag twice with the commands of the release workflow', () =>
      publish(staged, tarballs),
    );
    await tryPublished(rehearsal, tarballs);
  } finally {
    await registry.stop();
  }
  await step('build again elsewhere: identical tarballs', async () => {
    // A build that depends on its place would come out differently.
    const moved = stagedIn(rehearsal, rehearsal.in('second-build', 'elsewhere'));
    await mkdir(dirname(moved.folder));
    await rename(staged.folder, moved.folder);
    await moved.run('turbo', 'run', 'build', '--force');
    for (const [index, again] of (await packAll(moved, rehearsal.in('second-tarballs'))).entries()) {
      const first = tarballs[index];
      if (first === undefined || first.sha256 === again.sha256) continue;
      // This fails with the names of the files that differ.
      await withUnpacked(first.file, (one) =>
        withUnpacked(again.file, (other) => moved.run('diff', '-rq', one, other)),
      );
      throw new Error(`two builds of ${again.name} differ as archives`);
    }
  });
}

const folder = await createRehearsalFolder();
try {
  await rehearse(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) console.log(`kept ${folder.path}`);
  else await folder.remove();
}
