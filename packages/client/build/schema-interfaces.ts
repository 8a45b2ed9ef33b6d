import { docComment } from './doc-comment.ts';
import { membersOf, schemaNameOf, valueAt } from './document.ts';
import { stopBuild } from './stop-build.ts';

/** Every component schema as a named type: objects as interfaces, so that editors show `DrivingTrip` and not its shape. */
export function schemaInterfaces(document: unknown): string {
  const schemas = membersOf(valueAt(document, '/components/schemas'));
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const pointer = `/components/schemas/${name}`;
      const { properties, type } = membersOf(schema);
      const comment = descriptionOf(schema, 0);
      if (type === 'object' && !properties) return `${comment}export type ${name} = Record<string, never>;`;
      if (type === 'object') return `${comment}export interface ${name} ${objectType(schema, pointer, 0)}`;
      return `${comment}export type ${name} = ${typeOf(schema, pointer, 0)};`;
    })
    .join('\n\n')
    .concat('\n');
}

function typeOf(schema: unknown, pointer: string, indent: number): string {
  const { $ref, anyOf, enum: values, type, items } = membersOf(schema);
  if ($ref !== undefined) return schemaNameOf($ref) ?? stopBuild(`${pointer}/$ref`, 'expected a component schema');
  if (Array.isArray(anyOf)) {
    return union(anyOf.map((one, index) => typeOf(one, `${pointer}/anyOf/${index}`, indent)));
  }
  if (Array.isArray(values)) return union(values.map((value) => literal(value)));
  if (Array.isArray(type))
    return union(type.map((one) => typeOf({ ...membersOf(schema), type: one }, pointer, indent)));
  switch (type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'object':
      return objectType(schema, pointer, indent);
    case 'array': {
      const item = typeOf(items, `${pointer}/items`, indent);
      return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    default:
      return stopBuild(`${pointer}/type`, 'this type is not understood');
  }
}

function objectType(schema: unknown, pointer: string, indent: number): string {
  const { properties, required } = membersOf(schema);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const members = Object.entries(membersOf(properties)).map(([name, member]) => {
    const type = typeOf(member, `${pointer}/properties/${name}`, indent + 2);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${descriptionOf(member, indent + 2)}${' '.repeat(indent + 2)}${key}${isRequired(name) ? '' : '?'}: ${type};`;
  });
  return members.length ? `{\n${members.join('\n')}\n${' '.repeat(indent)}}` : 'Record<string, unknown>';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.includes('unknown') ? 'unknown' : all.join(' | ');
}

function descriptionOf(schema: unknown, indent: number): string {
  const { description } = membersOf(schema);
  return typeof description === 'string' ? `${docComment(indent, [description])}\n` : '';
}
