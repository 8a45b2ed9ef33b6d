import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redocly } from '../../../../openapi/build/bundle.ts';
import { diffContracts, type ReportedDifference } from '../../../../openapi/build/contract-diff/compare.ts';
import type { Impact } from '../../../../openapi/build/contract-diff/rate-change.ts';
import { changedErrorCodes } from './error-codes.ts';

/** One change of the contract, rated. */
export interface ContractChange {
  readonly impact: Impact;
  readonly message: string;
  /** The line that caused it, as `file:line`: in the contract, or in the released bundle when something was removed. */
  readonly place: string;
}

const identity = ({ path, kind, property }: ReportedDifference) => JSON.stringify([path, kind, property]);

function placeOf({ verdicts, base, revision }: ReportedDifference): string {
  const side = verdicts[0]?.location ?? revision ?? base;
  return side === undefined ? 'openapi/openapi.yaml' : `openapi/${side.file}:${side.line}`;
}

function messageOf({ path, kind, property, verdicts: [verdict] }: ReportedDifference): string {
  if (verdict !== undefined) return `${verdict.message} (${verdict.ruleId})`;
  const place = path.replace(/^#\//, '').replaceAll('~1', '/');
  return `${kind} ${place}${property === undefined ? '' : ` (${property})`}`;
}

/**
 * Every change between the released bundle and the contract in a folder, rated. Ratings come from comparing bundle
 * with bundle; a second comparison, with the contract's own files, tells the line. (Rating the second one would take
 * what bundling does for changes.)
 */
export async function contractChanges(folder: string): Promise<readonly ContractChange[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'contract-bundle-'));
  try {
    const [released, current] = ['released/openapi.yaml', join(temporary, 'openapi.yaml')];
    await redocly(folder, 'bundle', 'openapi.yaml', '--output', current);
    const [rated, located, codes] = await Promise.all([
      diffContracts(folder, released, current),
      diffContracts(folder, released, 'openapi.yaml'),
      changedErrorCodes(folder),
    ]);
    const places = new Map(located.changes.map((entry) => [identity(entry), placeOf(entry)]));
    const changes = rated.changes.map((entry) => ({
      impact: entry.impact,
      message: messageOf(entry),
      place: places.get(identity(entry)) ?? placeOf(entry),
    }));
    return [...changes, ...codes];
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
