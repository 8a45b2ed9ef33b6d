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
    const statement = this.#value(schema, 'value', '');
    return `findings: Findings, value: unknown): void {\n${statement}\n}\n`;
  }

  /** One statement that checks the value of a variable; `suffix` is where it stands below the current place. */
  #value(schema: Schema, variable: string, suffix: string): string {
    const target = resolve(schema, this.#schemas);
    const text = JSON.stringify(suffix);
    if (target.kind === 'any') return '';
    if (target.kind !== 'object' && target.kind !== 'array') return `${this.#scalars.call(target, variable, text)};`;
    if (schema.kind === 'ref') {
      return suffix === ''
        ? `check${schema.name}(findings, ${variable});`
        : `within(findings, ${variable}, ${text}, check${schema.name});`;
    }
    return target.kind === 'array'
      ? this.#array(target, variable, suffix)
      : `if (isGroup(findings, ${variable}, ${text})) {\n${this.#members(target, variable, suffix)}}`;
  }

  #members(schema: ObjectSchema, variable: string, suffix: string): string {
    return schema.properties
      .map(({ name, required, schema: property }) => {
        const key = JSON.stringify(name);
        const below = `${suffix}/${escapeToken(name)}`;
        const read = inherited.has(name)
          ? `(Object.hasOwn(${variable}, ${key}) ? ${variable}[${key}] : undefined)`
          : `${variable}[${key}]`;
        const target = resolve(property, this.#schemas);
        if (target.kind === 'any' && !required) return '';
        // A value that is looked at more than once is kept in a variable.
        const isSeenOnce = !required && property.kind !== 'object' && target.kind !== 'union';
        const member = isSeenOnce ? read : `m${this.#count++}`;
        return [
          ...(isSeenOnce ? [] : [`const ${member} = ${read};`]),
          ...(required ? [`isThere(findings, ${member}, ${JSON.stringify(below)});`] : []),
          `${this.#value(property, member, below)}\n`,
        ].join('\n');
      })
      .join('');
  }

  #array(schema: ArraySchema, variable: string, suffix: string): string {
    const target = resolve(schema.items, this.#schemas);
    const text = JSON.stringify(suffix);
    if (target.kind === 'any') return `isList(findings, ${variable}, ${text});`;
    if (target.kind === 'number' || target.kind === 'enum') {
      return `items(findings, ${variable}, ${text}, ${this.#scan(target)}, ${this.#scalars.rules(target).join(', ')});`;
    }
    let check = schema.items.kind === 'ref' ? `check${schema.items.name}` : undefined;
    if (check === undefined) {
      check = `item${this.#count++}`;
      this.#functions.push(`function ${check}(${this.#body(schema.items)}`);
    }
    return `each(findings, ${variable}, ${text}, ${check});`;
  }

  /**
   * A scan over one list of numbers or choices. No two lists share a loop: V8 then sees one kind of element in each,
   * which is two to four times faster.
   */
  #scan(schema: NumberSchema | EnumSchema): string {
    const name = `scan${this.#count++}`;
    this.#functions.push(
      [
        `function ${name}(items: readonly unknown[], index: number): number {`,
        ...(schema.kind === 'number' ? numberScan(schema) : choiceScan(schema)),
        'return index;\n}\n',
      ].join('\n'),
    );
    return name;
  }
}

function numberScan(schema: NumberSchema): readonly string[] {
  return [
    'for (const { length } = items; index < length; index++) {',
    'const item = items[index];',
    `if (!(${numberTest(schema, 'item')})) break;`,
    '}',
  ];
}

/** Choices come in long runs: comparing an item with the one before it is cheaper than with every choice. */
function choiceScan({ values }: EnumSchema): readonly string[] {
  return [
    'for (const { length } = items; index < length; ) {',
    'const item = items[index];',
    `if (!(${values.map((value) => `item === ${JSON.stringify(value)}`).join(' || ')})) break;`,
    'while (++index < length && items[index] === item);',
    '}',
  ];
}
