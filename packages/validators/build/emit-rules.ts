import { type EnumSchema, type NumberSchema, referencesOf, resolve, type Schema } from '@vehicle-data/openapi/model';
import { emitTextRules } from './string-rules.ts';

type Schemas = ReadonlyMap<string, Schema>;

/** Writes one rule for each component schema. */
export function emitRules(schemas: Schemas): string {
  const all = inOrder(schemas).map((name) => {
    const schema = schemas.get(name) ?? { kind: 'any' };
    return `export const ${ruleName(name)}: rules.ValueRule = ${emitRule(schema, schemas)};`;
  });
  return [`import * as formats from '../formats.js';`, `import * as rules from '../value-rules.js';`, ...all].join(
    '\n',
  );
}

/** The name of the rule of a component schema. */
export function ruleName(schema: string): string {
  return `rule${schema}`;
}

/** The names of component schemas, each behind those that it refers to. */
function inOrder(schemas: Schemas): readonly string[] {
  const order = new Set<string>();
  const visit = (name: string): void => {
    referencesOf(schemas.get(name) ?? { kind: 'any' }).forEach(visit);
    order.add(name);
  };
  [...schemas.keys()].forEach(visit);
  return [...order];
}

/** A call that bundlers may leave out. */
function call(name: string, ...args: readonly (string | undefined)[]): string {
  const given = args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1);
  return `/*#__PURE__*/ rules.${name}(${given.map((arg) => arg ?? 'undefined').join(', ')})`;
}

function emitRule(schema: Schema, schemas: Schemas): string {
  switch (schema.kind) {
    case 'any':
      return 'rules.anything';
    case 'ref':
      return ruleName(schema.name);
    case 'nullable':
      return call('nullable', emitRule(schema.schema, schemas));
    case 'boolean':
      return call('boolean');
    case 'enum':
      return call('enumeration', JSON.stringify(schema.values));
    case 'number':
      return call('number', emitFields(rangeOf(schema)));
    case 'string':
      return call('text', emitTextRules(schema));
    case 'array':
      return emitList(schema, schemas);
    case 'object': {
      const members = schema.properties.map(
        (property) => `[${JSON.stringify(property.name)}, ${property.required}, ${emitRule(property.schema, schemas)}]`,
      );
      const others = schema.additional === undefined ? 'null' : emitRule(schema.additional, schemas);
      return call('object', `[${members.join(', ')}]`, others === 'rules.anything' ? undefined : others);
    }
  }
}

function emitList(schema: Extract<Schema, { kind: 'array' }>, schemas: Schemas): string {
  const items = emitRule(schema.items, schemas);
  const limits = emitFields({ minItems: schema.minItems, maxItems: schema.maxItems });
  const target = resolve(schema.items, schemas);
  const item = target.kind === 'nullable' ? resolve(target.schema, schemas) : target;
  if (item.kind === 'number') {
    const range = emitFields(rangeOf(item)) ?? '{}';
    return call('numberList', items, range, emitNumberScan(item, target.kind === 'nullable'), limits);
  }
  if (item.kind === 'enum') {
    const values: EnumSchema['values'] = target.kind === 'nullable' ? [...item.values, null] : item.values;
    return call('enumerationList', items, JSON.stringify(values), limits);
  }
  return call('list', items, limits);
}

/** A loop over one list of numbers; `typeof` comes first, so that engines know the rest is about numbers. */
function emitNumberScan(schema: NumberSchema, isNullable: boolean): string {
  const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isBounded = (minimum ?? exclusiveMinimum) !== undefined && (maximum ?? exclusiveMaximum) !== undefined;
  const tests = [
    `typeof item === 'number'`,
    integer && 'Number.isInteger(item)',
    !integer && !isBounded && 'Number.isFinite(item)',
    minimum !== undefined && `item >= ${minimum}`,
    maximum !== undefined && `item <= ${maximum}`,
    exclusiveMinimum !== undefined && `item > ${exclusiveMinimum}`,
    exclusiveMaximum !== undefined && `item < ${exclusiveMaximum}`,
  ].filter((test) => test !== false);
  return [
    '(items) => {',
    'for (let index = 0; index < items.length; index++) {',
    'const item = items[index];',
    `if (!(${isNullable ? `item === null || (${tests.join(' && ')})` : tests.join(' && ')})) return false;`,
    '}',
    'return true;',
    '}',
  ].join('\n');
}

function rangeOf({ integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberSchema) {
  return { integer: integer || undefined, minimum, maximum, exclusiveMinimum, exclusiveMaximum };
}

/** An object with the fields that have a value, or undefined where none has. */
function emitFields(fields: Readonly<Record<string, number | boolean | undefined>>): string | undefined {
  const stated = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return stated.length === 0 ? undefined : `{ ${stated.join(', ')} }`;
}
