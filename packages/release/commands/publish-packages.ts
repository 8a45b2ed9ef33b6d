// Packs the built packages, checks and publishes them, and writes their SBOMs beside the tarballs. Run by the release
// workflow with `--provenance`, and by the rehearsal without.
import { join } from 'node:path';
import { nameRepository } from '../src/name-repository.ts';
import { describeProblems, type Problem } from '../src/problem.ts';
import { publishTarballs } from '../src/publish.ts';
import { writeSboms } from '../src/sbom.ts';
import { tarballProblems } from '../src/tarball/check-tarball.ts';
import { pack, type Tarball } from '../src/tarball/pack.ts';
import { readTarball } from '../src/tarball/read-tarball.ts';
import { publishedPackages, repositoryFolder } from '../src/workspace.ts';

const provenance = process.argv.includes('--provenance');
const destination = join(repositoryFolder, 'packages/release/dist');
const problems: Problem[] = [];
const tarballs: Tarball[] = [];
for (const workspacePackage of await publishedPackages(repositoryFolder)) {
  if (provenance) await nameRepository(workspacePackage, process.env);
  const tarball = await pack(workspacePackage, destination);
  problems.push(...tarballProblems(await readTarball(tarball.file)));
  tarballs.push(tarball);
}
if (problems.length > 0) {
  console.error(describeProblems(problems));
  process.exitCode = 1;
} else {
  for (const file of await writeSboms(repositoryFolder, destination, process.env)) console.log(`wrote ${file}`);
  const published = await publishTarballs(tarballs, { cwd: destination, env: process.env, provenance });
  for (const { name, version, sha256 } of tarballs) {
    const id = `${name}@${version}`;
    console.log(`${published.includes(id) ? 'published' : 'was there '} ${id} sha256 ${sha256}`);
  }
}
