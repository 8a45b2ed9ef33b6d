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
  readonly infoVersions: { readonly base: string };
  readonly changes: readonly ReportedDifference[];
}

/** Compares two descriptions below the folder of the contract, and rates every difference. */
export async function diffContracts(folder: string, older: string, newer: string): Promise<Report> {
  const config = ['--config', `${folder}/build/contract-diff/rules.yaml`];
  const output = await redocly(folder, 'diff', older, newer, ...config, '--format', 'json', '--fail-on', 'none');
  const { infoVersions, changes } = JSON.parse(output) as Report;
  const rated = changes.map((change) => {
    const { path, kind, property, impact, base, revision } = change;
    const values = { before: base?.value, after: revision?.value };
    return { ...change, impact: rateChange({ path, kind, property, impact, ...values }) };
  });
  return { infoVersions, changes: rated };
}

/** What two bundles of the contract differ in, short enough to be committed. */
interface Comparison {
  /** The version of the older one. */
  readonly since: string;
  readonly differences: readonly (Pick<ReportedDifference, 'path' | 'kind' | 'property' | 'impact'> & {
    /** The values of that member, where they are short. */
    readonly before: Scalar | undefined;
    readonly after: Scalar | undefined;
  })[];
}

type Scalar = string | number | boolean;

/** Compares bundle with bundle, since what bundling does is no change. The version is not compared: it always differs. */
export async function compareContracts(folder: string, older: string, newer: string): Promise<Comparison> {
  const { infoVersions, changes } = await diffContracts(folder, older, newer);
  const differences = changes
    .filter(({ path, property }) => !(path === '#/info' && property === 'version'))
    .map(({ path, kind, property, impact, base, revision }) => {
      const [before, after] = [base?.value, revision?.value];
      const change = before === undefined ? 'added' : after === undefined ? 'removed' : kind;
      const ends = { before: shortScalar(before), after: shortScalar(after) };
      return { path, kind: property === undefined ? kind : change, ...(property && { property }), impact, ...ends };
    });
  return { since: infoVersions.base, differences };
}

function shortScalar(value: unknown): Scalar | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= 40 && !value.includes('\n') ? value : undefined;
}
