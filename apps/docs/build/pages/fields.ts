import type { OperationSpec } from '@vehicle-data/openapi';
import { dataOf, type Place } from '@vehicle-data/openapi/model';
import { contract } from '../contract.ts';
import { table } from '../markdown.ts';

/** One value of a response. */
interface Field {
  /** Dotted path below `data`; `[]` follows the name of a list of objects. */
  readonly path: string;
  readonly schema: Place;
  readonly required: boolean;
}

/** Every value below a schema. A list of plain values counts as one field. */
function fieldsOf(place: Place, path = '', required = true): readonly Field[] {
  const schema = place.resolved('schemas');
  const items = schema.optional('items')?.resolved('schemas');
  const properties = schema.optional('properties')?.entries();
  if (!properties) return items?.optional('properties') ? fieldsOf(items, `${path}[]`) : [{ path, schema, required }];
  const always = schema
    .optional('required')
    ?.items()
    .map((name) => name.string());
  return properties.flatMap(([name, property]) =>
    fieldsOf(property, path === '' ? name : `${path}.${name}`, always?.includes(name) ?? false),
  );
}

function typeOf(schema: Place): string {
  const items = schema.optional('items');
  return items
    ? `array of ${typeOf(items.resolved('schemas'))}`
    : [schema.optional('type')?.value ?? 'any'].flat().join(' or ');
}

/** A unit of measurement; empty where there is none. */
function unitOf(schema: Place): string {
  const unit = schema.optional('x-unit');
  if (unit === undefined) return '';
  return typeof unit.value === 'string' ? unit.value : `see \`${unit.child('property').string()}\``;
}

/** Allowed range or values, in words; empty where every value of the type is allowed. */
function allowedIn(schema: Place): string {
  const [minimum, maximum, least, most] = ['minimum', 'maximum', 'minLength', 'maxLength'].map(
    (keyword) => schema.optional(keyword)?.value,
  );
  const values = schema.optional('enum')?.items();
  if (values) return values.map(({ value }) => `\`${value}\``).join(', ');
  if (minimum !== undefined) return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return least !== undefined && least === most ? `${least} characters` : '';
}

/** "Engine speed; unit rpm; range 0 to 16383.5." → "Engine speed." The rest has columns of its own. */
const meaningOf = (schema: Place) =>
  (schema.optional('description')?.string() ?? '').replaceAll(/; (?:unit|range|values) [^;]*?(?=;|\.(?:\s|$))/g, '');

/** Every value of `data` with its meaning, unit and range; empty where `data` has no members. */
export function fieldTable(operation: OperationSpec): string {
  const fields = fieldsOf(dataOf(contract, operation)).filter(({ path }) => path !== '');
  // When all fields belong to the items of one list, the heading names the list once.
  const list = fields[0]?.path.match(/^[^.]+\[\]\./)?.[0] ?? '';
  const shared = fields.every(({ path }) => path.startsWith(list)) ? list : '';
  const rows = fields.map(({ path, schema, required }) => {
    const measured = schema.optional('items')?.resolved('schemas') ?? schema;
    const name = `\`${path.slice(shared.length)}\`${required ? ' *always present*' : ''}`;
    return [name, meaningOf(schema), typeOf(schema), unitOf(measured), allowedIn(measured)];
  });
  const heading = `Field of \`data${shared && `.${shared.slice(0, -1)}`}\``;
  return rows.length === 0 ? '' : table([heading, 'Meaning', 'Type', 'Unit', 'Range or values'], rows);
}

/** Every field of every response, by operation: for the guide of units. */
export function unitTables(operations: readonly OperationSpec[]): string {
  const sections = operations.map((operation) => {
    const [fields, { summary, operationId }] = [fieldTable(operation), operation];
    return fields && `## ${summary}\n\nOperation [\`${operationId}\`](../operations/${operationId}.md).\n\n${fields}`;
  });
  return sections.filter(Boolean).join('\n\n');
}
