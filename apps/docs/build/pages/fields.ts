import type { OperationSpec } from '@vehicle-data/openapi';
import { type Contract, type Schema, successOf } from '../contract.ts';
import { table } from '../markdown.ts';

/** One value of a response. */
interface Field {
  /** Dotted path below `data`; `[]` follows the name of a list of objects. */
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Every value below a schema. A list of plain values counts as one field. */
function fieldsOf(schema: Schema, path = '', required = true): readonly Field[] {
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, property]) =>
      fieldsOf(property, path === '' ? name : `${path}.${name}`, schema.required?.includes(name) ?? false),
    );
  return schema.items?.properties ? fieldsOf(schema.items, `${path}[]`, required) : [{ path, schema, required }];
}

function typeOf({ type, items }: Schema): string {
  return items ? `array of ${typeOf(items)}` : [type ?? 'any'].flat().join(' or ');
}

/** A unit of measurement; empty where there is none. */
function unitOf({ 'x-unit': unit = '' }: Schema): string {
  return typeof unit === 'object' ? `see \`${unit.property}\`` : unit;
}

/** Allowed range or values, in words; empty where every value of the type is allowed. */
function allowedIn({ enum: values, minimum, maximum, minLength, maxLength }: Schema): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (minimum !== undefined) return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return minLength !== undefined && minLength === maxLength ? `${minLength} characters` : '';
}

/** "Engine speed; unit rpm; range 0 to 16383.5." → "Engine speed." The rest has columns of its own. */
const meaningOf = ({ description = '' }: Schema) =>
  description.replaceAll(/; (?:unit|range|values) [^;]*?(?=;|\.(?:\s|$))/g, '');

/** Every value of `data` with its meaning, unit and range; empty where `data` has no members. */
export function fieldTable(envelope: Schema): string {
  const fields = fieldsOf(envelope.properties?.['data'] ?? {}).filter(({ path }) => path !== '');
  if (fields.length === 0) return '';
  // When all fields belong to the items of one list, the heading names the list once.
  const list = fields[0]?.path.match(/^[^.]+\[\]\./)?.[0] ?? '';
  const shared = fields.every(({ path }) => path.startsWith(list)) ? list : '';
  return table(
    [`Field of \`data${shared && `.${shared.slice(0, -1)}`}\``, 'Meaning', 'Type', 'Unit', 'Range or values'],
    fields.map(({ path, schema, required }) => [
      `\`${path.slice(shared.length)}\`${required ? ' *always present*' : ''}`,
      meaningOf(schema),
      typeOf(schema),
      unitOf(schema.items ?? schema),
      allowedIn(schema.items ?? schema),
    ]),
  );
}

/** Every field of every response, by operation: for the guide of units. */
export function unitTables(operations: readonly OperationSpec[], contract: Contract): string {
  const sections = operations.map((operation) => {
    const fields = fieldTable(successOf(contract, operation).schema);
    const { summary, operationId } = operation;
    return fields && `## ${summary}\n\nOperation [\`${operationId}\`](../operations/${operationId}.md).\n\n${fields}`;
  });
  return sections.filter(Boolean).join('\n\n');
}
