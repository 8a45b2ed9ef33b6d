// Packs the built packages, checks and publishes them, and writes their SBOMs beside the tarballs. Run by the release
// workflow with `--provenance`, and by the rehearsal without.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../openapi/build/run.ts';
import { pack, packageProblems, type Tarball, withUnpacked } from '../src/tarball.ts';
import { publishedPackages, repositoryFolder, type WorkspacePackage } from '../src/workspace.ts';

const provenance = process.argv.includes('--provenance');
const destination = join(repositoryFolder, 'packages/release/dist');

/** Writes into a manifest from which repository it is published. A provenance statement has to agree with it, and only CI knows it. */
async function nameRepository({ folder, path }: WorkspacePackage): Promise<void> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (!server || !name) throw new Error('provenance needs the variables of the CI that publishes');
  const file = join(folder, 'package.json');
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  const repository = { type: 'git', url: `git+${server}/${name}.git`, directory: path };
  await writeFile(file, `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
}

const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--lockfile-only', '--prod'];

/** Writes what a package holds at run time beside its tarball, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
async function writeSbom({ name, file }: Tarball): Promise<void> {
  const sbom = file.replace(/\.tgz$/, '.cdx.json');
  await run(pnpm, ['--filter', name, 'sbom', ...format, '--out', sbom], { cwd: repositoryFolder });
  console.log(`wrote ${sbom}`);
}

/** Publishes a tarball as it is. A version that the registry has is left alone, so a release can be resumed. */
async function publish({ name, version, file, sha256 }: Tarball): Promise<void> {
  const id = `${name}@${version}`;
  // This fails for a package or version that the registry does not have.
  const known = await run('npm', ['view', id, 'version'], { cwd: destination }).catch(() => '');
  const isThere = known.trim() === version;
  const flags = ['--access', 'public', '--ignore-scripts', ...(provenance ? ['--provenance'] : [])];
  if (!isThere) await run('npm', ['publish', file, ...flags], { cwd: destination });
  console.log(`${isThere ? 'was there ' : 'published'} ${id} sha256 ${sha256}`);
}

const problems: string[] = [];
const tarballs: Tarball[] = [];
for (const workspacePackage of await publishedPackages(repositoryFolder)) {
  if (provenance) await nameRepository(workspacePackage);
  const tarball = await pack(workspacePackage, destination);
  problems.push(...(await withUnpacked(tarball.file, packageProblems)));
  tarballs.push(tarball);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  for (const tarball of tarballs) await writeSbom(tarball);
  for (const tarball of tarballs) await publish(tarball);
}
