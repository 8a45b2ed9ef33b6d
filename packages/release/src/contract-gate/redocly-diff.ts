import { fileURLToPath } from 'node:url';
import { run } from '../run.ts';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const rules = fileURLToPath(new URL('../../../../openapi/build/contract-diff/rules.yaml', import.meta.url));
const redoclyCli = `${packageFolder}/node_modules/.bin/redocly`;

interface Side {
  readonly file: string;
  readonly line: number;
  readonly value?: unknown;
}

/** One entry of the JSON report of `redocly diff`, https://redocly.com/docs/cli/commands/diff */
export interface DiffEntry {
  readonly path: string;
  readonly kind: string;
  readonly property?: string;
  readonly impact: 'patch' | 'minor' | 'major';
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string; readonly location?: Side }[];
  readonly base?: Side;
  readonly revision?: Side;
}

function isReport(value: unknown): value is { readonly reportVersion: '1'; readonly changes: readonly DiffEntry[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'reportVersion' in value &&
    value.reportVersion === '1' &&
    'changes' in value &&
    Array.isArray(value.changes)
  );
}

/** Compares two descriptions. File names in the response are relative to `cwd`. */
export async function redoclyDiff(base: string, revision: string, cwd: string): Promise<readonly DiffEntry[]> {
  const args = ['diff', base, revision, '--config', rules, '--format', 'json'];
  const { exitCode, stdout, stderr } = await run(redoclyCli, [...args, '--fail-on', 'none'], { cwd });
  if (exitCode !== 0) throw new Error(`redocly diff failed:\n${stderr}`);
  const report: unknown = JSON.parse(stdout);
  if (!isReport(report)) throw new Error('redocly diff reported in a form that is not known here');
  return report.changes;
}

/** Joins a contract of many files into one, as the published package holds it. */
export async function bundle(source: string, output: string, cwd: string): Promise<void> {
  const { exitCode, stderr } = await run(redoclyCli, ['bundle', source, '--output', output], { cwd });
  if (exitCode !== 0) throw new Error(`redocly bundle failed:\n${stderr}`);
}
