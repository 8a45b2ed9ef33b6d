import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { redocly } from '../../../../openapi/build/bundle.ts';
import {
  diffContracts,
  type Impact,
  type ReportedDifference,
} from '../../../../openapi/build/contract-diff/compare.ts';

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

/** Every error code with its line. The list stands at the top of a file of the contract, or under `key` of it. */
async function readCodes(
  folder: string,
  file: string,
  key?: string,
): Promise<ReadonlyMap<string, { place: string; error: Readonly<Record<string, unknown>> }>> {
  const lines = new LineCounter();
  const document = parseDocument(await readFile(`${folder}/${file}`, 'utf8'), { lineCounter: lines });
  const list = key === undefined ? document.contents : document.get(key);
  if (!isSeq(list)) throw new Error(`${file} holds no list of error codes`);
  return new Map(
    list.items.map((item) => {
      const code = isMap(item) ? item.get('code', true) : undefined;
      if (!isMap(item) || !isScalar(code)) throw new Error(`${file} holds an error without a code`);
      const { line } = lines.linePos(code.range?.[0] ?? 0);
      return [String(code.value), { place: `openapi/${file}:${line}`, error: item.toJSON() }];
    }),
  );
}

/** The members of an error that people read. What a client does depends on the others. */
const words = ['message', 'meaning', 'remedy', 'details'];

/** The changes of the error catalogue, which is in an extension and so escapes `redocly diff`. */
async function changedErrorCodes(folder: string): Promise<readonly ContractChange[]> {
  const before = await readCodes(folder, 'released/openapi.yaml', 'x-error-catalogue');
  const after = await readCodes(folder, 'errors.yaml');
  const changes: ContractChange[] = [];
  for (const [code, { place }] of before) {
    if (!after.has(code)) changes.push({ impact: 'major', message: `error code ${code} was removed`, place });
  }
  for (const [code, { place, error }] of after) {
    const old = before.get(code)?.error;
    if (old === undefined) {
      changes.push({ impact: 'minor', message: `error code ${code} is new`, place });
      continue;
    }
    for (const member of Object.keys({ ...old, ...error })) {
      const impact = words.includes(member) ? 'patch' : 'major';
      if (!isDeepStrictEqual(old[member], error[member]))
        changes.push({ impact, message: `${member} of error code ${code} changed`, place });
    }
  }
  return changes;
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
    const places = new Map(located.map((entry) => [identity(entry), placeOf(entry)]));
    const changes = rated.map((entry) => ({
      impact: entry.impact,
      message: messageOf(entry),
      place: places.get(identity(entry)) ?? placeOf(entry),
    }));
    return [...changes, ...codes];
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
