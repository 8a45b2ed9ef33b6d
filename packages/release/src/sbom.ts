import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrFail } from './run.ts';
import { publishedPackages, repositoryFolder } from './workspace.ts';

interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: {
    readonly component: { readonly name: string; readonly group?: string; readonly version: string };
  };
  readonly components?: readonly { readonly name: string; readonly version: string }[];
}

/** Writes what each published package holds at run time, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
export async function writeSboms(
  repository: string,
  destination: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { manifest } of await publishedPackages(repository)) {
    const file = join(destination, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.cdx.json`);
    const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--lockfile-only', '--prod'];
    const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
    await runOrFail(pnpm, ['--filter', manifest.name, 'sbom', ...format, '--out', file], { cwd: repository, env });
    const sbom = JSON.parse(await readFile(file, 'utf8')) as Sbom;
    if (sbom.bomFormat !== 'CycloneDX' || sbom.specVersion !== '1.6') throw new Error(`${file} is no CycloneDX 1.6`);
    files.push(file);
  }
  return files;
}
