import type { OperationSpec } from '@vehicle-data/openapi';
import { dataOf, type Place } from '@vehicle-data/openapi/model';
import { contract } from '../contract.ts';
import { firstSentence, table } from '../markdown.ts';

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

/** The fields of `data`, and the list that all of them belong to, if any: the heading of a table then names it once. */
function fieldsOfData(operation: OperationSpec) {
  const fields = fieldsOf(dataOf(contract, operation)).filter(({ path }) => path !== '');
  const list = fields[0]?.path.match(/^[^.]+\[\]\./)?.[0] ?? '';
  const shared = fields.every(({ path }) => path.startsWith(list)) ? list : '';
  const named = fields.map(({ path, schema, required }) => ({
    name: `\`${path.slice(shared.length)}\``,
    schema,
    required,
    measured: schema.optional('items')?.resolved('schemas') ?? schema,
  }));
  return { heading: `Field of \`data${shared && `.${shared.slice(0, -1)}`}\``, fields: named };
}

/** Every value of `data` with its meaning, unit and range; empty where `data` has no members. */
export function fieldTable(operation: OperationSpec): string {
  const { heading, fields } = fieldsOfData(operation);
  const rows = fields.map(({ name, schema, required, measured }) => {
    const always = required ? ' *always present*' : '';
    return [name + always, meaningOf(schema), typeOf(schema), unitOf(measured), allowedIn(measured)];
  });
  return rows.length === 0 ? '' : table([heading, 'Meaning', 'Type', 'Unit', 'Range or values'], rows);
}

/** Every field that has a unit, a range or a set of values, by operation: for the guide of units. The page of the operation has the rest. */
export function unitTables(operations: readonly OperationSpec[]): string {
  const sections = operations.map((operation) => {
    const { heading, fields } = fieldsOfData(operation);
    const rows = fields
      .map(({ name, schema, measured }) => [
        name,
        firstSentence(meaningOf(schema)),
        unitOf(measured),
        allowedIn(measured),
      ])
      .filter(([, , unit, allowed = '']) => unit !== '' || !/^$| characters$/.test(allowed));
    const { summary, operationId } = operation;
    const link = `Operation [\`${operationId}\`](../operations/${operationId}.md).`;
    return rows.length === 0
      ? ''
      : `## ${summary}\n\n${link}\n\n${table([heading, 'Meaning', 'Unit', 'Range or values'], rows)}`;
  });
  return sections.filter(Boolean).join('\n\n');
}
