import { type Place, schemasOf } from '@vehicle-data/openapi/model';

/** A factory for each object of the contract, made from its examples. */
export function factories(contract: Place): string {
  const objects = schemasOf(contract).filter(([, schema]) => isObject(schema));
  return `import type { ${objects
    .map(([name]) => name)
    .toSorted()
    .join(', ')} } from './schemas.js';

${objects
  .map(
    ([name, schema]) => `/** A \`${name}\` made of the contract's examples, with members of your own. */
export function create${name}(overrides: Partial<${name}> = {}): ${name} {
  return { ...${exampleOf(schema)}, ...overrides };
}`,
  )
  .join('\n\n')}
`;
}

const isObject = (schema: Place) => schema.optional('type')?.value === 'object';

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
