import type { Place } from './reader.ts';

/** The formats that the generators know. `basic-date` and `iana-time-zone` are explained in guides/contract-extensions.md. */
const formats = ['date-time', 'int64', 'basic-date', 'iana-time-zone'] as const;

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;

const annotations = { description: 'optional', examples: 'optional', deprecated: 'optional' } as const;

/** The JSON Schema keywords understood for each type. A keyword outside its list stops the build. */
const keywords = {
  object: ['properties', 'required'],
  array: ['items'],
  string: ['enum', 'pattern', 'format', 'minLength', 'maxLength', 'default'],
  number: ['minimum', 'maximum', 'x-unit', 'x-range-unstated'],
  integer: ['enum', 'minimum', 'maximum', 'format', 'x-unit'],
  boolean: ['enum'],
} as const;

/** Walks one schema and stops at the first construct that no generator understands. */
export function checkSchema(schema: Place): void {
  if (schema.refName('schemas') !== undefined) {
    schema.shaped({ $ref: 'required' });
    return;
  }
  if (schema.optional('anyOf')) {
    schema.shaped({ ...annotations, anyOf: 'required' });
    for (const branch of schema.child('anyOf').items()) checkSchema(branch);
    return;
  }
  const typePlace = schema.optional('type');
  if (typePlace === undefined) {
    schema.shaped(annotations);
    return;
  }
  const named = Array.isArray(typePlace.value)
    ? typePlace.items().map((item) => item.oneOf(types))
    : [typePlace.oneOf(types)];
  const allowed = named.flatMap((type): readonly string[] => keywords[type]);
  schema.shaped({
    ...annotations,
    type: 'required',
    ...Object.fromEntries(allowed.map((keyword) => [keyword, 'optional' as const])),
  });
  schema.optional('format')?.oneOf(formats);
  const pattern = schema.optional('pattern');
  if (pattern) checkPattern(pattern);
  const properties = schema.optional('properties');
  for (const [, property] of properties?.entries() ?? []) checkSchema(property);
  for (const name of schema.optional('required')?.items() ?? []) {
    if (properties?.optional(name.string()) === undefined) name.fail('a required member must stand in properties');
  }
  const items = schema.optional('items');
  if (items) checkSchema(items);
}

function checkPattern(pattern: Place): void {
  const source = pattern.string();
  if (!source.startsWith('^') || !source.endsWith('$')) pattern.fail('a pattern must be anchored with ^ and $');
  try {
    new RegExp(source, 'u');
  } catch {
    pattern.fail('is not a regular expression of ECMAScript with the u flag');
  }
}
