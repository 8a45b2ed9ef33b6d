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
    if (schema.kind === 'array') return isScanned(resolve(schema.items, this.#schemas));
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
    if (isScanned(target)) {
      const rules = this.#scalars.rules(target);
      const scan = target.kind === 'number' ? this.#scan(target) : `areChoices, ${rules[1]}`;
      return `if (!isListOf(${start[1]}, ${scan})) ${list}, ${rules.join(', ')});`;
    }
    let check = schema.items.kind === 'ref' ? `check${schema.items.name}` : undefined;
    if (check === undefined) {
      check = `item${this.#count++}`;
      this.#functions.push(`function ${check}(${this.#body(schema.items)}`);
    }
    return `${list}, within, ${check});`;
  }

  /**
   * A loop over one list of numbers. No two lists share a loop: V8 then sees one kind of element in each, which is two to four times
   * faster. Each starts at a literal 0, so that V8 knows the index for a small whole number.
   */
  #scan(schema: NumberSchema): string {
    const name = `areValid${this.#count++}`;
    this.#functions.push(
      [
        `function ${name}(items: readonly unknown[]): boolean {`,
        'for (let index = 0; index < items.length; index++) {',
        'const item = items[index];',
        `if (!(${numberTest(schema, 'item')})) return false;`,
        '}',
        'return true;\n}\n',
      ].join('\n'),
    );
    return name;
  }
}

/** Whether a list of such items is looked at as a whole first. */
function isScanned(items: Schema): items is NumberSchema | EnumSchema {
  return items.kind === 'number' || items.kind === 'enum';
}

/** The variable that holds a value which is inside so many others that are looked at more than once. */
function variableAt(depth: number): string {
  return depth === 0 ? 'value' : `m${depth}`;
}
