/** How big a release a change asks for, from small to big (Semantic Versioning 2.0.0, https://semver.org). */
export const impacts = ['none', 'patch', 'minor', 'major'] as const;
export type Impact = (typeof impacts)[number];

/** One difference between two descriptions, as Redocly reports it: https://redocly.com/docs/cli/commands/diff */
export interface Difference {
  /** JSON Pointer of what differs, with references followed. */
  readonly path: string;
  /** What differs, such as `Schema`. */
  readonly typeName: string;
  /** `added`, `removed` or `modified`. */
  readonly kind: string;
  /** The member that differs, where one member alone does. */
  readonly property?: string;
  /** How Redocly rates it. */
  readonly impact: Impact;
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string; readonly location?: Side }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** Where a difference stands on one side, with the value there. */
interface Side {
  readonly file: string;
  readonly line: number;
  readonly value?: unknown;
}

/**
 * Rates what the contract's extensions mean for a client. Redocly takes every change of an extension for a patch.
 * The extensions are explained in openapi/guides/contract-extensions.md.
 */
const ratings: Readonly<Record<string, (change: Difference) => Impact>> = {
  'x-date-range': ({ kind, property, base, revision }) => {
    const [before, after] = [base?.value, revision?.value];
    const isLonger = typeof before === 'number' && typeof after === 'number' && after > before;
    return kind === 'removed' || (property === 'maxDays' && isLonger) ? 'minor' : 'major';
  },
  // Names of SDK methods come from these two.
  'x-wide-effect': () => 'major',
  'x-series': ({ kind }) => (kind === 'added' ? 'minor' : 'major'),
  'x-measured-at': ({ kind }) => (kind === 'added' ? 'minor' : 'major'),
  // The same number in another unit is another value.
  'x-unit': ({ kind }) => (kind === 'added' ? 'patch' : 'major'),
  'x-range-unstated': () => 'patch',
};

/** Rates keywords of schemas where Redocly looks at one direction of a change only. */
function rateKeyword({ property = '', base, revision, impact }: Difference): Impact {
  const [before, after] = [base?.value, revision?.value];
  if (property !== 'enum' || !Array.isArray(before) || !Array.isArray(after))
    return /^default$|imum$/i.test(property) ? 'major' : impact;
  if (before.some((value) => !after.includes(value))) return 'major';
  return after.length > before.length ? 'minor' : impact;
}

/** The impact of a change, with what Redocly does not know taken into account. */
export function rateDifference(change: Difference): Impact {
  // https://semver.org/#spec-item-7: a deprecation asks for a minor version.
  if (change.property === 'deprecated') return 'minor';
  const names = [...change.path.split('/'), change.property ?? ''];
  const extension = names.find((name) => Object.hasOwn(ratings, name));
  return ratings[extension ?? '']?.(change) ?? (change.typeName === 'Schema' ? rateKeyword(change) : change.impact);
}
