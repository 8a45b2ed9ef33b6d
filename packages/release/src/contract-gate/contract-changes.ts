import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rateChange } from '../../../../openapi/build/contract-diff/rate-change.ts';
import type { ContractChange } from './change.ts';
import { changedErrorCodes } from './error-codes.ts';
import { bundle, type DiffEntry, redoclyDiff } from './redocly-diff.ts';

/** The bundle as it was last released, written by `npm run version-packages`; relative to the repository. */
export const releasedBundle = 'openapi/released/openapi.yaml';
const source = 'openapi/openapi.yaml';

const identity = ({ path, kind, property }: DiffEntry) => JSON.stringify([path, kind, property]);

function placeOf(entry: DiffEntry): string {
  const side = entry.verdicts[0]?.location ?? entry.revision ?? entry.base;
  return side === undefined ? source : `${side.file}:${side.line}`;
}

function messageOf(entry: DiffEntry): string {
  const [verdict] = entry.verdicts;
  if (verdict !== undefined) return `${verdict.message} (${verdict.ruleId})`;
  const path = entry.path.replace(/^#\//, '').replaceAll('~1', '/');
  return `${entry.kind} ${path}${entry.property === undefined ? '' : ` (${entry.property})`}`;
}

/**
 * Every change between the released bundle and the contract of a repository, rated. Ratings come from comparing bundle
 * with bundle; a second comparison, with the contract's own files, tells the line. (Rating the second one would take
 * what bundling does for changes.)
 */
export async function contractChanges(repository: string): Promise<readonly ContractChange[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'contract-bundle-'));
  try {
    const current = join(temporary, 'openapi.yaml');
    await bundle(source, current, repository);
    const [rated, located, codes] = await Promise.all([
      redoclyDiff(releasedBundle, current, repository),
      redoclyDiff(releasedBundle, source, repository),
      changedErrorCodes({
        releasedBundle: join(repository, releasedBundle),
        releasedName: releasedBundle,
        catalogue: join(repository, 'openapi/errors.yaml'),
        catalogueName: 'openapi/errors.yaml',
      }),
    ]);
    const places = new Map(located.map((entry) => [identity(entry), placeOf(entry)]));
    const changes = rated.map((entry): ContractChange => {
      const { path, kind, property } = entry;
      const [before, after] = [entry.base?.value, entry.revision?.value];
      return {
        path,
        kind,
        property,
        before,
        after,
        impact: rateChange({ path, kind, property, impact: entry.impact, before, after }),
        message: messageOf(entry),
        place: places.get(identity(entry)) ?? placeOf(entry),
      };
    });
    return [...changes, ...codes];
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
