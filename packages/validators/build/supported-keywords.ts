import type { JsonSchemaType } from './schema-model.ts';

/** How the generator treats one keyword: it changes the verdict, or it is only read by people and other generators. */
type Treatment = 'checked' | 'annotation';

/** Keywords that may stand in every schema. */
const everywhere = {
  description: 'annotation',
  examples: 'annotation',
  deprecated: 'annotation',
} as const satisfies Readonly<Record<string, Treatment>>;

/**
 * The JSON Schema keywords (draft 2020-12) that the validators understand, by the type that they apply to. A keyword
 * that is not listed for the type of its schema stops the build. Besides these: `$ref` to a component schema, alone in its
 * schema; `type` with one scalar type or several; and `anyOf` where one branch allows everything, which is the same as
 * a schema without any rule.
 *
 * `format: int64` adds nothing to `type: integer`: a JSON number is read as a double, and every integer it can hold is let through.
 */
const byType = {
  object: { properties: 'checked', required: 'checked' },
  array: { items: 'checked' },
  string: {
    enum: 'checked',
    pattern: 'checked',
    format: 'checked',
    minLength: 'checked',
    maxLength: 'checked',
    default: 'annotation',
  },
  number: { minimum: 'checked', maximum: 'checked', 'x-unit': 'annotation', 'x-range-unstated': 'annotation' },
  integer: { enum: 'checked', minimum: 'checked', maximum: 'checked', format: 'checked', 'x-unit': 'annotation' },
  boolean: { enum: 'checked' },
} as const satisfies Readonly<Record<JsonSchemaType, Readonly<Record<string, Treatment>>>>;

/**
 * The formats that have a check of their own, with the function in `src/formats/` that decides and the words for people. A
 * rule beside the format that forbids nothing more is left out: a length of at least `longest`, the very `pattern`.
 */
export const stringFormats = {
  'date-time': {
    module: 'date-time',
    check: 'isDateTime',
    words: 'a date and time of RFC 3339',
    longest: Infinity,
    pattern: undefined,
  },
  'basic-date': {
    module: 'calendar-date',
    check: 'isBasicDate',
    words: 'a day that exists, in the form yyyyMMdd',
    longest: 8,
    pattern: '^[0-9]{8}$',
  },
  'iana-time-zone': {
    module: 'time-zone',
    check: 'isTimeZone',
    words: 'an IANA time zone identifier',
    longest: 32,
    pattern: undefined,
  },
} as const;

export type StringFormat = keyof typeof stringFormats;

/** Formats of integers; each is already implied by the type. */
export const integerFormats: readonly string[] = ['int64'];

/** Every keyword that may stand beside the given types. */
export function keywordsFor(types: readonly JsonSchemaType[]): ReadonlySet<string> {
  return new Set(['type', ...Object.keys(everywhere), ...types.flatMap((type) => Object.keys(byType[type]))]);
}
