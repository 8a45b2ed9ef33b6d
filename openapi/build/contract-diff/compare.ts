import { redocly } from '../bundle.ts';
import { type Impact, rateChange } from './rate-change.ts';

/** One difference between two descriptions, as Redocly reports it: https://redocly.com/docs/cli/commands/diff */
export interface ReportedDifference {
  /** JSON Pointer of what differs, with references followed. */
  readonly path: string;
  /** `added`, `removed` or `modified`. */
  readonly kind: string;
  /** The member that differs, where one member alone does. */
  readonly property?: string;
  /** How Redocly's rating and the meaning of our extensions rate it together. */
  readonly impact: Impact;
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string; readonly location?: Side }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** Where a difference stands on one side, with the value there; the file is relative to the folder of the contract. */
interface Side {
  readonly file: string;
  readonly line: number;
  readonly value?: unknown;
}

interface Report {
  readonly changes: readonly ReportedDifference[];
}

/** Compares two descriptions below the folder of the contract, and rates every difference. */
export async function diffContracts(folder: string, older: string, newer: string): Promise<Report> {
  const config = ['--config', `${folder}/build/contract-diff/rules.yaml`];
  const output = await redocly(folder, 'diff', older, newer, ...config, '--format', 'json', '--fail-on', 'none');
  const { changes } = JSON.parse(output) as Report;
  const rated = changes.map((change) => {
    const { path, kind, property, impact, base, revision } = change;
    const values = { before: base?.value, after: revision?.value };
    return { ...change, impact: rateChange({ path, kind, property, impact, ...values }) };
  });
  return { changes: rated };
}
