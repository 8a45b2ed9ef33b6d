import { escapeToken } from './contract-place.ts';
import { numberTest, type ScalarEmitter } from './emit-scalars.ts';
import {
  type ArraySchema,
  type EnumSchema,
  type NumberSchema,
  type ObjectSchema,
  resolve,
  type Schema,
} from './schema-model.ts';

/** Names that every object inherits: they are read as own members only. */
const inherited = new Set(['__proto__', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Writes one check per component schema, and one loop per list of numbers or choices. */
export class CheckEmitter {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #scalars: ScalarEmitter;
  readonly #functions: string[] = [];
  #count = 0;

  constructor(schemas: ReadonlyMap<string, Schema>, scalars: ScalarEmitter) {
    this.#schemas = schemas;
    this.#scalars = scalars;
  }

  /** The source of all check functions. */
  emit(): string {
    for (const [name, schema] of this.#schemas) {
      this.#functions.push(`export function check${name}(${this.#body(schema)}`);
    }
    return this.#functions.join('\n');
  }

  /** The rest of a function that checks one value of a schema. */
  #body(schema: Schema): string {
    const variables = Array.from(
      { length: this.#depth(schema) },
      (_, depth) => `let ${variableAt(depth + 1)}: unknown;\n`,
    );
    return `findings: Findings, value: unknown): void {\n${variables.join('')}${this.#value(schema, 'value', '', true)}\n}\n`;
  }

  /** How many values that are looked at more than once are inside one another. Those side by side share a variable. */
  #depth(schema: Schema): number {
    if (schema.kind !== 'object') return 0;
    const depths = schema.properties.map(({ schema: property }) =>
      this.#isSeenAgain(property) ? 1 + this.#depth(property) : 0,
    );
    return Math.max(0, ...depths);
  }

  #isSeenAgain(schema: Schema): boolean {
    return schema.kind === 'object'
      ? schema.properties.some(
          (property) => property.required || resolve(property.schema, this.#schemas).kind !== 'any',
        )
      : resolve(schema, this.#schemas).kind === 'union';
  }

  /**
   * One statement that checks the value of an expression; `suffix` is where it stands below the current place. A value that is
   * looked at more than once is kept in a variable.
   */
  #value(schema: Schema, value: string, suffix: string, required: boolean, depth = 0): string {
    const target = resolve(schema, this.#schemas);
    const start = ['findings', value, JSON.stringify(suffix)];
    if (target.kind === 'any') return required ? `isThere(${start.join(', ')});` : '';
    if (target.kind !== 'object' && target.kind !== 'array') {
      return `${this.#scalars.call(target, value, JSON.stringify(suffix), required)};`;
    }
    if (schema.kind === 'ref') {
      return suffix === ''
        ? `check${schema.name}(findings, ${value});`
        : `within(${start.join(', ')}, ${required}, check${schema.name});`;
    }
    if (target.kind === 'array') return this.#array(target, start, required);
    const isGroup = `isGroup(${start.join(', ')}${required ? ', true' : ''})`;
    return `if (${isGroup}) {\n${this.#members(target, variableAt(depth), suffix, depth + 1)}}`;
  }

  #members(schema: ObjectSchema, value: string, suffix: string, depth: number): string {
    return schema.properties
      .map(({ name, required, schema: property }) => {
        const key = JSON.stringify(name);
        const below = `${suffix}/${escapeToken(name)}`;
        const member = inherited.has(name)
          ? `(Object.hasOwn(${value}, ${key}) ? ${value}[${key}] : undefined)`
          : `${value}[${key}]`;
        if (!this.#isSeenAgain(property)) return `${this.#value(property, member, below, required)}\n`;
        const variable = variableAt(depth);
        if (property.kind === 'object')
          return `${this.#value(property, `(${variable} = ${member})`, below, required, depth)}\n`;
        return `${variable} = ${member};\n${this.#value(property, variable, below, required)}\n`;
      })
      .join('');
  }

  #array(schema: ArraySchema, start: readonly string[], required: boolean): string {
    const target = resolve(schema.items, this.#schemas);
    if (target.kind === 'any') return `isList(${start.join(', ')}${required ? ', true' : ''});`;
    const list = `items(${start.join(', ')}, ${required}`;
    if (target.kind === 'number' || target.kind === 'enum') {
      return `${list}, ${this.#scan(target)}, ${this.#scalars.rules(target).join(', ')});`;
    }
    let check = schema.items.kind === 'ref' ? `check${schema.items.name}` : undefined;
    if (check === undefined) {
      check = `item${this.#count++}`;
      this.#functions.push(`function ${check}(${this.#body(schema.items)}`);
    }
    return `${list}, everyItem, within, ${check});`;
  }

  /**
   * A scan over one list of numbers or choices. No two lists share a loop: V8 then sees one kind of element in each,
   * which is two to four times faster. The loops are alike to the letter, for compression: what differs they are told.
   */
  #scan(schema: NumberSchema | EnumSchema): string {
    const name = `scan${this.#count++}`;
    this.#functions.push(
      [
        `function ${name}(${schema.kind === 'number' ? numberScan(schema) : choiceScan(schema)}`,
        'return index;\n}\n',
      ].join('\n'),
    );
    return name;
  }
}

function numberScan(schema: NumberSchema): string {
  const least = schema.minimum === undefined ? '_least' : 'least';
  const most = schema.maximum === undefined ? '_most' : 'most';
  return [
    `items: readonly unknown[], index: number, _integer: boolean, ${least}: number, ${most}: number): number {`,
    'for (; index < items.length; index++) {',
    'const item = items[index];',
    `if (!(${numberTest(schema, 'item')})) break;`,
    '}',
  ].join('\n');
}

/** The variable that holds a value which is inside so many others that are looked at more than once. */
function variableAt(depth: number): string {
  return depth === 0 ? 'value' : `m${depth}`;
}

/** Choices come in long runs: comparing an item with the one before it is cheaper than with every choice. */
function choiceScan({ values }: EnumSchema): string {
  return [
    'items: readonly unknown[], index: number, choices: readonly unknown[]): number {',
    'while (index < items.length) {',
    'const item = items[index];',
    `if (!(${values.map((_, index) => `item === choices[${index}]`).join(' || ')})) break;`,
    'while (++index < items.length && items[index] === item);',
    '}',
  ].join('\n');
}
