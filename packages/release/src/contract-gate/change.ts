import { type Impact, impacts } from '../../../../openapi/build/contract-diff/rate-change.ts';

export type { Impact } from '../../../../openapi/build/contract-diff/rate-change.ts';

/** One change of the contract, rated. */
export interface ContractChange {
  /** JSON Pointer of what changed, with references followed. */
  readonly path: string;
  readonly kind: string;
  /** The member of the changed node, when one member alone changed. */
  readonly property: string | undefined;
  readonly impact: Impact;
  readonly message: string;
  /** The line that caused it, as `file:line`: in the contract, or in the released bundle when something was removed. */
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The bigger one of two impacts. */
export function biggest(all: readonly Impact[]): Impact {
  return impacts[Math.max(0, ...all.map((impact) => impacts.indexOf(impact)))] ?? 'none';
}

export function isBelow(impact: Impact, other: Impact): boolean {
  return impacts.indexOf(impact) < impacts.indexOf(other);
}
