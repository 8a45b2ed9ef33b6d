import type { Place } from './place.ts';

/** The JSON types: https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.1 */
export const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The formats with a check of their own. `basic-date` and `iana-time-zone` are explained in guides/contract-extensions.md. */
export const stringFormats = ['date-time', 'basic-date', 'iana-time-zone'] as const;
export type StringFormat = (typeof stringFormats)[number];

export function readUnit(place: Place): string | { readonly property: string } {
  if (typeof place.value === 'string') return place.value;
  return { property: place.shaped('property').child('property').string() };
}

export function readPattern(place: Place): string {
  const source = place.string();
  if (!source.startsWith('^') || !source.endsWith('$')) place.fail('a pattern must be anchored with ^ and $');
  try {
    new RegExp(source, 'u');
  } catch {
    place.fail('is not a regular expression of ECMAScript with the u flag');
  }
  return source;
}

/** `^[0-9A-Za-z]{17}$` in words: one class of plain ranges, a fixed number of times. */
export function patternWords(pattern: string): string | undefined {
  const match = /^\^\[((?:[0-9A-Za-z]-[0-9A-Za-z])+)\]\{([0-9]+)\}\$$/.exec(pattern);
  if (match === null) return undefined;
  const [, ranges = '', count] = match;
  const names: Readonly<Record<string, string>> = { '0-9': 'digits', 'A-Z': 'capital letters', 'a-z': 'small letters' };
  const parts = [...ranges.matchAll(/.../g)].map(([range]) => names[range] ?? range);
  const both = parts.includes('capital letters') && parts.includes('small letters');
  const shown = both ? [...parts.filter((part) => !part.endsWith('letters')), 'letters'] : parts;
  return `${count} ASCII ${shown.join(' or ')}`;
}
