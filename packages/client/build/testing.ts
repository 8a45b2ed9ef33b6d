import type { ErrorEntry, OperationSpec } from '@vehicle-data/openapi';
import { type Place, schemasOf } from '@vehicle-data/openapi/model';
import { listOf } from './methods.ts';
import { brandHeader } from './operation-table.ts';

/** What fakes in tests take from the contract beside the methods: the brands, and the texts of the catalogue's errors. */
export function fakeData(specs: readonly OperationSpec[], catalogue: readonly ErrorEntry[]): string {
  const brands = specs.flatMap(
    ({ parameters }) => parameters.find(({ name }) => name === brandHeader)?.rule.enum ?? [],
  );
  return `export const brands = ${JSON.stringify([...new Set(brands)])} as const;

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
