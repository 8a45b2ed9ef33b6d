// Publishes the tarballs that `pack-packages` left, as they are: nothing is installed, built or packed here. Run by the release workflow
// with `--provenance`, and by the rehearsal without.
import { run } from '../../../openapi/build/run.ts';
import { type PackedPackage, packedFolder, readList } from '../src/packed-packages.ts';

const provenance = process.argv.includes('--provenance');

/** Publishes a tarball. A version that the registry has is left alone, so a release can be resumed. */
async function publish({ name, version, file, sha256 }: PackedPackage): Promise<void> {
  const id = `${name}@${version}`;
  // This fails for a package or version that the registry does not have.
  const known = await run('npm', ['view', id, 'version'], { cwd: packedFolder }).catch(() => '');
  const isThere = known.trim() === version;
  const flags = ['--access', 'public', '--ignore-scripts', ...(provenance ? ['--provenance'] : [])];
  if (!isThere) await run('npm', ['publish', `./${file}`, ...flags], { cwd: packedFolder });
  console.log(`${isThere ? 'was there ' : 'published'} ${id} sha256 ${sha256}`);
}

for (const packed of await readList()) await publish(packed);
