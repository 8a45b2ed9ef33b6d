import type { OperationSpec } from '@vehicle-data/openapi';
import type { ScalarEmitter } from './emit-scalars.ts';
import { type ArraySchema, resolve, type ScalarSchema, type Schema } from './schema-model.ts';

const isGroup = "(findings, value) => void isGroup(findings, value, '')";
const isList = "(findings, value) => void isList(findings, value, '')";

/** Writes what the streaming checker knows about every component schema, and the table of answers. */
export class StreamEmitter {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #scalars: ScalarEmitter;

  constructor(schemas: ReadonlyMap<string, Schema>, scalars: ScalarEmitter) {
    this.#schemas = schemas;
    this.#scalars = scalars;
  }

  emit(operations: readonly OperationSpec[]): string {
    const used = this.#inOrder(operations.flatMap(({ responses }) => Object.values(responses)));
    const nodes = used.map((name) => {
      const schema = this.#schemas.get(name) as Schema;
      return `const node${name}: StreamNode = /*#__PURE__*/ ${this.#node(schema)};`;
    });
    const table = operations.map(
      ({ operationId, responses }) =>
        `  ${operationId}: { ${Object.entries(responses)
          .map(([status, model]) => `${status}: node${model}`)
          .join(', ')} },`,
    );
    return [
      ...nodes,
      '',
      'export const responseNodes: Readonly<Record<string, Readonly<Record<string, StreamNode>>>> = {',
      ...table,
      '};',
    ].join('\n');
  }

  /** Component schemas, each after those that it refers to. */
  #inOrder(roots: readonly string[]): readonly string[] {
    const order = new Set<string>();
    const visit = (name: string): void => {
      for (const reference of references(this.#schemas.get(name) as Schema)) visit(reference);
      order.add(name);
    };
    for (const root of roots) visit(root);
    return [...order];
  }

  #node(schema: Schema): string {
    if (schema.kind === 'ref') return `node${schema.name}`;
    if (schema.kind === 'any') return 'anything';
    if (schema.kind === 'object') {
      const members = schema.properties.map(
        (property) => `[${JSON.stringify(property.name)}, ${property.required}, ${this.#node(property.schema)}]`,
      );
      return `group(${isGroup}, [${members.join(', ')}])`;
    }
    if (schema.kind === 'array') return this.#list(schema);
    const anyText = takesAnyText(schema);
    return `${anyText ? 'anyText' : 'scalar'}(${this.#check(schema)})`;
  }

  #list(schema: ArraySchema): string {
    const target = resolve(schema.items, this.#schemas);
    const items = this.#node(schema.items);
    if (target.kind === 'number') {
      const bounds = [target.minimum, target.maximum].map(String);
      return `numberList(${isList}, ${items}, ${[target.integer, ...bounds].join(', ')})`;
    }
    if (target.kind === 'enum') return `choiceList(${isList}, ${items}, ${this.#scalars.rules(target)[1]})`;
    return `list(${isList}, ${items})`;
  }

  #check(schema: ScalarSchema): string {
    return `(findings, value) => void ${this.#scalars.call(schema, 'value', "''")}`;
  }
}

function takesAnyText(schema: ScalarSchema): boolean {
  if (schema.kind === 'union') return schema.branches.some(takesAnyText);
  return (
    schema.kind === 'string' &&
    [schema.minLength, schema.maxLength, schema.pattern, schema.format].every((rule) => rule === undefined)
  );
}

function references(schema: Schema): readonly string[] {
  if (schema.kind === 'ref') return [schema.name];
  if (schema.kind === 'object') return schema.properties.flatMap((property) => references(property.schema));
  return schema.kind === 'array' ? references(schema.items) : [];
}
