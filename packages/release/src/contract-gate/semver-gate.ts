import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets } from '@changesets/read';
import { workspacePackages } from '../workspace.ts';
import { contractChanges } from './contract-changes.ts';
import { type Impact, impacts } from './rate-difference.ts';

const contractPackage = '@vehicle-data/openapi';
/** The bundle as it was last released, written by `npm run version-packages`. */
const releasedBundle = 'openapi/released/openapi.yaml';

const rank = (impact: Impact) => impacts.indexOf(impact);
const biggest = (all: readonly Impact[]): Impact => impacts[Math.max(0, ...all.map(rank))] ?? 'none';

/**
 * Holds the pending changesets against what changed in the contract since its last release. A breaking change needs a
 * major changeset, a new member a minor one, any other change a patch. A changeset may name packages of the workspace only.
 */
export async function contractSemverGate(repository: string) {
  const changesets = await readChangesets(repository);
  const releases = changesets.flatMap(({ id, releases }) => releases.map(({ name, type }) => ({ id, name, type })));
  const declared = biggest(releases.filter(({ name }) => name === contractPackage).map(({ type }) => type));
  const packages = new Set((await workspacePackages(repository)).map(({ manifest }) => manifest.name));
  const misnamed = releases.filter(({ name }) => !packages.has(name));
  const problems = misnamed.map(({ id, name }) => `.changeset/${id}.md: ${name} is not in the workspace`);
  // Until the first release there is nothing to compare with.
  if (!existsSync(join(repository, releasedBundle))) return { compared: false, required: 'none', declared, problems };
  const changes = await contractChanges(join(repository, 'openapi'));
  const undeclared = changes.filter(({ impact }) => rank(declared) < rank(impact));
  const found = `for ${contractPackage}, found ${declared} (changeset add)`;
  // Lines such as `openapi/paths/v1_vehicles_consent.yaml:12: …`: where, what is wrong, and what fixes it.
  problems.push(...undeclared.map((one) => `${one.place}: ${one.message}: needs a ${one.impact} changeset ${found}`));
  return { compared: true, required: biggest(changes.map(({ impact }) => impact)), declared, problems };
}
