/** How big a release a change asks for, from small to big (Semantic Versioning 2.0.0, https://semver.org). */
export const impacts = ['none', 'patch', 'minor', 'major'] as const;
export type Impact = (typeof impacts)[number];

/** A change as Redocly reports it, as far as its rating depends on it. */
interface Rated {
  readonly path: string;
  readonly kind: string;
  readonly property: string | undefined;
  readonly impact: Impact;
  readonly before: unknown;
  readonly after: unknown;
}

type Rating = (change: Rated) => Impact;

/**
 * Rates what the contract's extensions mean for a client. Redocly takes every change of an extension for a patch.
 * The extensions are explained in openapi/guides/contract-extensions.md.
 */
const ratings: Readonly<Record<string, Rating>> = {
  'x-date-range': ({ kind, property, before, after }) => {
    if (kind === 'removed') return 'minor';
    if (property === 'maxDays' && typeof before === 'number' && typeof after === 'number' && after > before) {
      return 'minor';
    }
    return 'major';
  },
  // Names of SDK methods come from these two.
  'x-wide-effect': () => 'major',
  'x-series': ({ kind }) => (kind === 'added' ? 'minor' : 'major'),
  'x-measured-at': ({ kind }) => (kind === 'added' ? 'minor' : 'major'),
  // The same number in another unit is another value.
  'x-unit': ({ kind }) => (kind === 'added' ? 'patch' : 'major'),
  'x-range-unstated': () => 'patch',
};

/** The impact of a change, with what Redocly does not know taken into account. */
export function rateChange(change: Rated): Impact {
  // https://semver.org/#spec-item-7: a deprecation asks for a minor version.
  if (change.property === 'deprecated') return 'minor';
  const names = [...change.path.split('/'), change.property ?? ''];
  const extension = names.find((name) => Object.hasOwn(ratings, name));
  return extension === undefined ? change.impact : (ratings[extension]?.(change) ?? change.impact);
}
