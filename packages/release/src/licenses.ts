import { join } from 'node:path';
import { run } from '../../../openapi/build/run.ts';
import { repositoryFolder } from './workspace.ts';

// Licenses that ask for no more than their own text beside what people build.
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** Packages by license, as `pnpm licenses list --json` prints them. */
export type PackagesByLicense = Readonly<Record<string, readonly { readonly name: string }[]>>;

/** What published packages hold at run time. */
export async function runtimeLicenses(): Promise<PackagesByLicense> {
  const pnpm = join(repositoryFolder, 'node_modules/.bin/pnpm');
  return JSON.parse(await run(pnpm, ['-r', 'licenses', 'list', '--prod', '--json'], { cwd: repositoryFolder }));
}

export function licenseProblems(packages: PackagesByLicense): readonly string[] {
  const others = Object.entries(packages).filter(([license]) => !permissive.has(license));
  return others.flatMap(([license, some]) =>
    some.map(({ name }) => `${name} has the license ${license}: take another`),
  );
}
