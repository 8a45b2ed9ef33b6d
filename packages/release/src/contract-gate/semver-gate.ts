import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readChangesets } from '@changesets/read';
import { parse } from 'yaml';
import type { Problem } from '../problem.ts';
import { biggest, type Impact, isBelow } from './change.ts';
import { contractChanges, releasedBundle } from './contract-changes.ts';

const contractPackage = '@vehicle-data/openapi';

interface Verdict {
  /** False until the first release: there is nothing to compare with. */
  readonly compared: boolean;
  readonly required: Impact;
  readonly declared: Impact;
  readonly problems: readonly Problem[];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function declaredImpact(repository: string): Promise<Impact> {
  const changesets = await readChangesets(repository);
  const releases = changesets.flatMap((changeset) => changeset.releases);
  return biggest(releases.filter(({ name }) => name === contractPackage).map(({ type }) => type));
}

/** The released bundle is written together with the version, so the two can only differ when one was edited by hand. */
async function versionProblems(repository: string): Promise<readonly Problem[]> {
  const read = (file: string) => readFile(join(repository, file), 'utf8');
  const released: unknown = parse(await read(releasedBundle))?.info?.version;
  const { version }: { version?: unknown } = JSON.parse(await read('openapi/package.json'));
  if (released === version) return [];
  const message = `holds version ${String(released)}, the package is at ${String(version)}; only "npm run version-packages" writes this file`;
  return [{ place: releasedBundle, message }];
}

/**
 * Holds the pending changesets against what changed in the contract since its last release. A breaking change needs a
 * major changeset, a new member a minor one, any other change a patch.
 */
export async function contractSemverGate(repository: string): Promise<Verdict> {
  const declared = await declaredImpact(repository);
  if (!(await exists(join(repository, releasedBundle)))) {
    return { compared: false, required: 'none', declared, problems: [] };
  }
  const changes = await contractChanges(repository);
  const problems = changes
    .filter(({ impact }) => isBelow(declared, impact))
    .map(({ place, message, impact }) => ({
      place,
      message: `${message}: needs a ${impact} changeset for ${contractPackage}, found ${declared} (changeset add)`,
    }));
  return {
    compared: true,
    required: biggest(changes.map(({ impact }) => impact)),
    declared,
    problems: [...problems, ...(await versionProblems(repository))],
  };
}
