// Packs the built packages, checks them, uses them from an empty folder, and leaves them with their SBOMs for `publish-packages`. Run by the
// release workflow with `--name-repository` in the job that has built and tested them, and by the rehearsal without.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../../../openapi/build/run.ts';
import { packedFolder, placesOf, writeList } from '../src/packed-packages.ts';
import { pack, packageProblems, type Tarball, withUnpacked } from '../src/tarball.ts';
import { isImported, publishedPackages, repositoryFolder, type WorkspacePackage } from '../src/workspace.ts';

const namesRepository = process.argv.includes('--name-repository');

/** Writes into a manifest from which repository it is published. A provenance statement has to agree with it, and only CI knows it. */
async function nameRepository({ folder, path }: WorkspacePackage): Promise<void> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (!server || !name) throw new Error('provenance needs the variables of the CI that packs');
  const file = join(folder, 'package.json');
  const manifest: object = JSON.parse(await readFile(file, 'utf8'));
  const places = placesOf(`${server}/${name}`, path);
  await writeFile(file, `${JSON.stringify({ ...manifest, ...places }, null, 2)}\n`);
}

const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--lockfile-only', '--prod'];

/** Writes what a package holds at run time beside its tarball, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
async function writeSbom({ name, file }: Tarball): Promise<void> {
  const sbom = file.replace(/\.tgz$/, '.cdx.json');
  await run(pnpm, ['--filter', name, 'sbom', ...format, '--out', sbom], { cwd: repositoryFolder });
  console.log(`wrote ${sbom}`);
}

/** Installs the tarballs together in an empty folder, as they are, and imports each. */
async function tryTarballs(tarballs: readonly Tarball[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const files = tarballs.map(({ file }) => file);
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...files], { cwd: folder });
    for (const { name } of tarballs.filter(({ manifest }) => isImported(manifest)))
      await run('node', ['--input-type=module', '--eval', `await import('${name}')`], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const problems: string[] = [];
const tarballs: Tarball[] = [];
await rm(packedFolder, { recursive: true, force: true });
for (const workspacePackage of await publishedPackages(repositoryFolder)) {
  if (namesRepository) await nameRepository(workspacePackage);
  const tarball = await pack(workspacePackage, packedFolder);
  problems.push(...(await withUnpacked(tarball.file, packageProblems)));
  tarballs.push(tarball);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  await tryTarballs(tarballs);
  for (const tarball of tarballs) await writeSbom(tarball);
  await writeList(tarballs.map(({ name, version, file, sha256 }) => ({ name, version, file: basename(file), sha256 })));
  for (const { name, version, sha256 } of tarballs) console.log(`packed ${name}@${version} sha256 ${sha256}`);
}
