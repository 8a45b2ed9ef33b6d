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
  // Where a rule comes from changes nothing about the rule, whatever it stands in.
  'x-source': () => 'patch',
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
  // Names of another specification change nothing about the values that the service sends.
  'x-vss': () => 'patch',
  'x-vss-catalogue': () => 'patch',
};

/**
 * Rates ranges, values and defaults of schemas, by direction: a client that accepts more than it receives is safe, and one that
 * sends more than is accepted is not. Redocly tells the directions apart as well, but rates a new value of a response as major,
 * which asks for a minor version here: clients read values that they do not know.
 */
function rateKeyword(change: Difference): Impact {
  const { property = '', impact } = change;
  if (property === 'default') return 'major';
  if (/imum$/i.test(property)) return isNarrower(change) && isOfResponse(change) ? 'minor' : 'major';
  return property === 'enum' ? rateValues(change) : impact;
}

const isOfResponse = ({ path }: Difference) => path.split('/').includes('responses');

/** Whether a bound that was there lets less pass than before. A new bound may be news to a response, and is not judged. */
function isNarrower({ property = '', base, revision }: Difference): boolean {
  const [before, after] = [base?.value, revision?.value];
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  return /min/i.test(property) ? after > before : after < before;
}

function rateValues(change: Difference): Impact {
  const [before, after] = [change.base?.value, change.revision?.value];
  if (!Array.isArray(before) || !Array.isArray(after)) return change.impact;
  if (before.some((value) => !after.includes(value))) return isOfResponse(change) ? 'minor' : 'major';
  return after.length > before.length ? 'minor' : change.impact;
}

/** The impact of a change, with what Redocly does not know taken into account. */
export function rateDifference(change: Difference): Impact {
  // https://semver.org/#spec-item-7: a deprecation asks for a minor version.
  if (change.property === 'deprecated') return 'minor';
  const names = [...change.path.split('/'), change.property ?? ''];
  const extension = names.includes('x-source') ? 'x-source' : names.find((name) => Object.hasOwn(ratings, name));
  return ratings[extension ?? '']?.(change) ?? (change.typeName === 'Schema' ? rateKeyword(change) : change.impact);
}
