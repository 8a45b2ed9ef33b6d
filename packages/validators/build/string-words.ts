import type { StringSchema } from '@vehicle-data/openapi/model';

/** What a string must look like, in words a person can act on. */
export function stringWords(schema: StringSchema): string {
  const { pattern, example, minLength, maxLength } = schema;
  const such = example === undefined ? '' : `, such as ${example}`;
  if (pattern !== undefined) {
    const words = classWords(pattern);
    if (words !== undefined) return `${words}${such}`;
    return example === undefined ? `text that matches ${pattern}` : `of the form ${example}`;
  }
  const bounds = [
    ...(minLength === undefined ? [] : [`at least ${minLength}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength}`]),
  ];
  return `${bounds.join(' and ')} characters long`;
}

/** `^[0-9A-Za-z]{17}$` in words: one class of plain ranges, a fixed number of times. */
function classWords(pattern: string): string | undefined {
  const match = /^\^\[((?:[0-9A-Za-z]-[0-9A-Za-z])+)\]\{([0-9]+)\}\$$/.exec(pattern);
  if (match === null) return undefined;
  const [, ranges = '', count] = match;
  const names: Readonly<Record<string, string>> = { '0-9': 'digits', 'A-Z': 'capital letters', 'a-z': 'small letters' };
  const parts = [...ranges.matchAll(/.../g)].map(([range]) => names[range] ?? range);
  const both = parts.includes('capital letters') && parts.includes('small letters');
  const shown = both ? [...parts.filter((part) => !part.endsWith('letters')), 'letters'] : parts;
  return `${count} ASCII ${shown.join(' or ')}`;
}
