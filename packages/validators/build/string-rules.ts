import type { StringFormat, StringSchema } from '@vehicle-data/openapi/model';

interface FormatChecks {
  readonly check: string;
  readonly words: string;
  readonly longest?: number;
  readonly pattern?: string;
}

/**
 * The formats of strings, with the function in `src/formats.ts` that checks each and the words for people. A rule beside the format
 * that restricts nothing more is left out: a length of at least `longest`, the very `pattern`.
 */
const stringFormats: Readonly<Record<StringFormat, FormatChecks>> = {
  'date-time': { check: 'isDateTime', words: 'a date and time of RFC 3339' },
  'basic-date': {
    check: 'isBasicDate',
    words: 'a day that exists, in the form yyyyMMdd',
    longest: 8,
    pattern: '^[0-9]{8}$',
  },
  'iana-time-zone': { check: 'isTimeZone', words: 'an IANA time zone identifier', longest: 32 },
};

/** The rules of a string beyond its type. A rule that restricts nothing more than another is left out. */
export function emitTextRules(schema: StringSchema): string | undefined {
  const { minLength, maxLength, pattern, format } = schema;
  const words = JSON.stringify(stringWords(schema));
  const known = format === undefined ? undefined : stringFormats[format];
  const fixed = Number(/^\^\[[^\]\\^]+\]\{([0-9]+)\}\$$/.exec(pattern ?? '')?.[1]);
  const rules = [
    minLength !== undefined &&
      minLength !== fixed &&
      `['minLength', ${words}, (value) => formats.isAtLeast(value, ${minLength})]`,
    maxLength !== undefined &&
      maxLength !== fixed &&
      maxLength < (known?.longest ?? Infinity) &&
      `['maxLength', ${words}, (value) => formats.isAtMost(value, ${maxLength})]`,
    pattern !== undefined &&
      pattern !== known?.pattern &&
      `['pattern', ${words}, (value) => ${String(new RegExp(pattern, 'u'))}.test(value)]`,
    known && `['format', ${JSON.stringify(known.words)}, formats.${known.check}]`,
  ].filter(Boolean);
  return rules.length === 0 ? undefined : `[${rules.join(', ')}]`;
}

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
    minLength !== undefined && `at least ${minLength}`,
    maxLength !== undefined && `at most ${maxLength}`,
  ];
  return `${bounds.filter(Boolean).join(' and ')} characters long`;
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
