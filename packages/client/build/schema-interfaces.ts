import { type ObjectSchema, type Place, readSchemas, type Schema, schemasOf } from '@vehicle-data/openapi/model';
import { docComment } from './methods.ts';

/** Every component schema as a named type: objects as interfaces, so that editors show `DrivingTrip` and not its shape. */
export function schemaInterfaces(contract: Place): string {
  const schemas = readSchemas(contract);
  const types = schemasOf(contract).map(([name, place]) => {
    const schema = schemas.get(name) ?? { kind: 'any' };
    const comment = describe(place.optional('description')?.string(), 0);
    if (schema.kind !== 'object') return `${comment}export type ${name} = ${typeOf(schema, 0)};`;
    if (schema.properties.length === 0) return `${comment}export type ${name} = Record<string, never>;`;
    return `${comment}export interface ${name} ${objectType(schema, 0)}`;
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
      return schema.values.map(literal).join(' | ');
    case 'nullable':
      return `${typeOf(schema.schema, indent)} | null`;
    case 'object':
      return objectType(schema, indent);
    case 'array': {
      const item = typeOf(schema.items, indent);
      return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
  }
}

function objectType({ properties }: ObjectSchema, indent: number): string {
  const members = properties.map(({ name, required, schema, description }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(schema, indent + 2);
    return `${describe(description, indent + 2)}${' '.repeat(indent + 2)}${key}${required ? '' : '?'}: ${type};`;
  });
  return members.length ? `{\n${members.join('\n')}\n${' '.repeat(indent)}}` : 'Record<string, unknown>';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function describe(description: string | undefined, indent: number): string {
  return description === undefined ? '' : `${docComment(indent, [description])}\n`;
}
