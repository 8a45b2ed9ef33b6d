import type { ErrorEntry, OperationSpec } from '@vehicle-data/openapi';
import { type Place, schemasOf } from '@vehicle-data/openapi/model';
import { listOf } from './methods.ts';
import { brandHeader, methodNamesOf, ownParameters, type Payloads, parametersTypeOf } from './operation-table.ts';

/** The fakes of the methods in tests, and the texts of the catalogue's errors. */
export function fakeTypes(
  specs: readonly OperationSpec[],
  payloads: Payloads,
  catalogue: readonly ErrorEntry[],
): string {
  const methods = specs.flatMap((operation) => {
    const [narrow, wide] = methodNamesOf(operation);
    const schema = payloads[operation.operationId]?.schema ?? '';
    const type = ownParameters(operation).length ? parametersTypeOf(narrow) : 'NoParameters';
    return [
      { name: narrow, type, schema },
      ...(wide === undefined ? [] : [{ name: wide, type: 'NoParameters', schema }]),
    ];
  });
  const types = methods.map(({ type }) => type).filter((type) => type !== 'NoParameters');
  const brands = specs.flatMap(
    ({ parameters }) => parameters.find(({ name }) => name === brandHeader)?.rule.enum ?? [],
  );
  return `import type { ${listOf(types)} } from './methods.js';
import { ${listOf(methods.map(({ name }) => name))} } from './operations.js';
import type { ${listOf(methods.map(({ schema }) => schema))} } from './schemas.js';

type NoParameters = Record<never, never>;

/** What a fake knows of a call beside its parameters. */
export interface FakeCall {
  readonly brand: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Gives the payload of a call, or throws \`serviceError(code)\`. */
export type Fake<Parameters, Data> = (parameters: Parameters, call: FakeCall) => Data | Promise<Data>;

/** Functions in place of the service, by the methods of the client. */
export interface Fakes {
${methods.map(({ name, type, schema }) => `  readonly ${name}?: Fake<${type}, ${schema}> | undefined;`).join('\n')}
}

export const brands = ${JSON.stringify([...new Set(brands)])} as const;

export const fakedOperations = { ${methods.map(({ name }) => name).join(', ')} } as const;

/** Text and HTTP status of each error of the catalogue. */
export const errorTexts: ReadonlyMap<string, { readonly message: string; readonly status: number }> = new Map([
${catalogue.map(({ code, message, status }) => `  ['${code}', { message: ${JSON.stringify(message)}, status: ${status} }],`).join('\n')}
]);
`;
}

const isObject = (schema: Place) => schema.optional('type')?.value === 'object';

/** A factory for each object of the contract, made from its examples. */
export function factories(contract: Place): string {
  const objects = schemasOf(contract).filter(([, schema]) => isObject(schema));
  const sources = objects.map(
    ([name, schema]) => `/** A \`${name}\` made of the contract's examples, with members of your own. */
export function create${name}(overrides: Partial<${name}> = {}): ${name} {
  return { ...${exampleOf(schema)}, ...overrides };
}`,
  );
  return `import type { ${listOf(objects.map(([name]) => name))} } from './schemas.js';\n\n${sources.join('\n\n')}\n`;
}

/** The source of an example value; of another object of the contract it is a call of its factory. */
function exampleOf(schema: Place): string {
  const name = schema.refName('schemas');
  if (name !== undefined) {
    const target = schema.resolved('schemas');
    return isObject(target) ? `create${name}()` : exampleOf(target);
  }
  const example = schema.optional('examples')?.items()[0];
  if (example) return JSON.stringify(example.value);
  const items = schema.optional('items');
  if (items) return `[${exampleOf(items)}]`;
  const [first] = schema.optional('anyOf')?.items() ?? [];
  if (first) return exampleOf(first);
  if (!isObject(schema)) return schema.fail('has no example to make test data from');
  const members = schema.optional('properties')?.entries() ?? [];
  return `{ ${members.map(([member, one]) => `${JSON.stringify(member)}: ${exampleOf(one)}`).join(', ')} }`;
}
