import { redocly } from '../bundle.ts';
import { type Impact, rateChange } from './rate-change.ts';

/** One difference between two bundles of the contract. */
export interface Difference {
  /** JSON Pointer of what differs, with references followed. */
  readonly path: string;
  /** `added`, `removed` or `modified`. */
  readonly kind: string;
  /** The member that differs, where one member alone does. */
  readonly property: string | undefined;
  readonly impact: Impact;
  /** The values of that member, where they are short. */
  readonly before: Scalar | undefined;
  readonly after: Scalar | undefined;
}

type Scalar = string | number | boolean;

/** What two bundles of the contract differ in. */
export interface Comparison {
  /** The version of the older one. */
  readonly since: string;
  readonly differences: readonly Difference[];
}

/** The JSON report of `redocly diff`, https://redocly.com/docs/cli/commands/diff */
interface Report {
  readonly infoVersions: { readonly base: string };
  readonly changes: readonly {
    readonly path: string;
    readonly kind: string;
    readonly property?: string;
    readonly impact: Impact;
    readonly base?: { readonly value?: unknown };
    readonly revision?: { readonly value?: unknown };
  }[];
}

/** Compares bundle with bundle, since what bundling does is no change. The version is not compared: it always differs. */
export async function compareContracts(folder: string, older: string, newer: string): Promise<Comparison> {
  const config = ['--config', `${folder}/build/contract-diff/rules.yaml`];
  const output = await redocly(folder, 'diff', older, newer, ...config, '--format', 'json', '--fail-on', 'none');
  const { infoVersions, changes } = JSON.parse(output) as Report;
  const differences = changes
    .filter(({ path, property }) => !(path === '#/info' && property === 'version'))
    .map(({ path, kind, property, impact, base, revision }): Difference => {
      const [before, after] = [base?.value, revision?.value];
      return {
        path,
        kind: property === undefined ? kind : before === undefined ? 'added' : after === undefined ? 'removed' : kind,
        property,
        impact: rateChange({ path, kind, property, impact, before, after }),
        before: shortScalar(before),
        after: shortScalar(after),
      };
    });
  return { since: infoVersions.base, differences };
}

function shortScalar(value: unknown): Scalar | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= 40 && !value.includes('\n') ? value : undefined;
}
