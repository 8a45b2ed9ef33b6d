import { type ObjectSchema, type Place, readSchemas, type Schema, schemasOf } from '@vehicle-data/openapi/model';
import { docComment } from './docstrings.ts';

/** Every component schema as a named type: objects as interfaces, so that editors show `DrivingTrip` and not its shape. */
export function schemaInterfaces(contract: Place): string {
  const schemas = readSchemas(contract);
  const types = schemasOf(contract).map(([name, place]) => {
    const schema = schemas.get(name) ?? { kind: 'any' };
    const comment = describe(place.optional('description')?.string(), 0);
    const type = typeOf(schema, 0);
    if (schema.kind === 'object' && schema.properties.length > 0) return `${comment}export interface ${name} ${type}`;
    // A component of which nothing else is said is an empty object.
    return `${comment}export type ${name} = ${type === 'Record<string, unknown>' ? 'Record<string, never>' : type};`;
  });
  return `${types.join('\n\n')}\n`;
}

function typeOf(schema: Schema, indent: number): string {
  switch (schema.kind) {
    case 'ref':
      return schema.name;
    case 'any':
      return 'unknown';
    case 'string':
    case 'number':
    case 'boolean':
      return schema.kind;
    case 'enum':
      return schema.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'nullable':
      return `${typeOf(schema.schema, indent)} | null`;
    case 'object':
      return objectType(schema, indent);
    case 'array': {
      const item = typeOf(schema.items, indent);
      return schema.items.kind === 'nullable' || schema.items.kind === 'enum' ? `(${item})[]` : `${item}[]`;
    }
  }
}

function objectType({ properties, additional }: ObjectSchema, indent: number): string {
  const members = properties.map(({ name, required, schema, description }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(schema, indent + 2);
    return `${describe(description, indent + 2)}${' '.repeat(indent + 2)}${key}${required ? '' : '?'}: ${type};`;
  });
  if (members.length === 0) return `Record<string, ${additional ? typeOf(additional, indent) : 'never'}>`;
  return `{\n${members.join('\n')}\n${' '.repeat(indent)}}`;
}

function describe(description: string | undefined, indent: number): string {
  return description === undefined ? '' : `${docComment(indent, [description])}\n`;
}
