import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';
import { publishedPackages, repositoryFolder } from './workspace.ts';

const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--lockfile-only', '--prod'];

/** Writes what each published package holds at run time, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
export async function writeSboms(destination: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { manifest } of await publishedPackages(repositoryFolder)) {
    const file = join(destination, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.cdx.json`);
    await run(pnpm, ['--filter', manifest.name, 'sbom', ...format, '--out', file], { cwd: repositoryFolder });
    const sbom: { bomFormat?: unknown; specVersion?: unknown } = JSON.parse(await readFile(file, 'utf8'));
    if (sbom.bomFormat !== 'CycloneDX' || sbom.specVersion !== '1.6') throw new Error(`${file} is no CycloneDX 1.6`);
    files.push(file);
  }
  return files;
}
