import { patternLengths, patternWords, type StringFormat, type StringSchema } from '@vehicle-data/openapi/model';

/** The formats of strings: the function in `src/formats.ts` that checks each, the words for people, and the greatest length. */
const stringFormats: Readonly<Record<StringFormat, readonly [check: string, words: string, longest: number]>> = {
  'date-time': ['isDateTime', 'a date and time of RFC 3339', Infinity],
  'basic-date': ['isBasicDate', 'a day that exists, in the form yyyyMMdd', 8],
  'iana-time-zone': ['isTimeZone', 'an IANA time zone identifier', 32],
};

/** The rules of a string beyond its type, those that say most about it first. A length that they imply is left out. */
export function emitTextRules(schema: StringSchema): string | undefined {
  const { minLength, maxLength, pattern, format } = schema;
  const words = JSON.stringify(stringWords(schema));
  const [shortest, most] = (pattern !== undefined && patternLengths(pattern)) || [0, Infinity];
  const [check, formatWords, ofFormat = Infinity] = format === undefined ? [] : stringFormats[format];
  const longest = Math.min(most, ofFormat);
  const rules = [
    check && `['format', ${JSON.stringify(formatWords)}, formats.${check}]`,
    pattern !== undefined && `['pattern', ${words}, (value) => ${String(new RegExp(pattern, 'u'))}.test(value)]`,
    minLength !== undefined &&
      minLength > shortest &&
      `['minLength', ${words}, (value) => formats.isAtLeast(value, ${minLength})]`,
    maxLength !== undefined &&
      maxLength < longest &&
      `['maxLength', ${words}, (value) => formats.isAtMost(value, ${maxLength})]`,
  ].filter(Boolean);
  return rules.length === 0 ? undefined : `[${rules.join(', ')}]`;
}

/** What a string must look like, in words a person can act on. */
export function stringWords(schema: StringSchema): string {
  const { pattern, example, minLength, maxLength } = schema;
  const such = example === undefined ? '' : `, such as ${example}`;
  if (pattern !== undefined) {
    const words = patternWords(pattern);
    if (words !== undefined) return `${words}${such}`;
    return example === undefined ? `text that matches ${pattern}` : `of the form ${example}`;
  }
  const bounds = [
    minLength !== undefined && `at least ${minLength}`,
    maxLength !== undefined && `at most ${maxLength}`,
  ];
  return `${bounds.filter(Boolean).join(' and ')} characters long`;
}
