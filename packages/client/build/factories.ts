import { membersOf, schemaNameOf, valueAt } from './document.ts';
import { stopBuild } from './stop-build.ts';

/** A factory for each object of the contract, made from its examples. */
export function factories(document: unknown): string {
  const schemas = Object.entries(membersOf(valueAt(document, '/components/schemas')));
  const objects = schemas.filter(([, schema]) => isObject(schema));
  return `import type { ${objects
    .map(([name]) => name)
    .toSorted()
    .join(', ')} } from './schemas.js';

${objects
  .map(([name, schema]) => {
    const example = exampleOf(document, schema, `/components/schemas/${name}`);
    return `/** A \`${name}\` made of the contract's examples, with members of your own. */
export function create${name}(overrides: Partial<${name}> = {}): ${name} {
  return { ...${example}, ...overrides };
}`;
  })
  .join('\n\n')}
`;
}

const isObject = (schema: unknown) => membersOf(schema)['type'] === 'object';

/** The source of an example value; of another object of the contract it is a call of its factory. */
function exampleOf(document: unknown, schema: unknown, pointer: string): string {
  const { $ref, type, properties, items, examples, anyOf } = membersOf(schema);
  const name = schemaNameOf($ref);
  if (name !== undefined) {
    const target = `/components/schemas/${name}`;
    const referred = valueAt(document, target);
    return isObject(referred) ? `create${name}()` : exampleOf(document, referred, target);
  }
  if (Array.isArray(examples)) return JSON.stringify(examples[0]);
  if (type === 'array') return `[${exampleOf(document, items, `${pointer}/items`)}]`;
  if (Array.isArray(anyOf)) return exampleOf(document, anyOf[0], `${pointer}/anyOf/0`);
  if (type !== 'object') return stopBuild(pointer, 'has no example to make test data from');
  const members = Object.entries(membersOf(properties)).map(
    ([member, one]) => `${JSON.stringify(member)}: ${exampleOf(document, one, `${pointer}/properties/${member}`)}`,
  );
  return `{ ${members.join(', ')} }`;
}
