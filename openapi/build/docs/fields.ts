import type { Place } from '../reader.ts';

/** One value of an answer, as a reader of tables wants it. */
export interface Field {
  /** Dotted path below `data`; `[]` stands behind the name of a list of objects. */
  readonly path: string;
  readonly type: string;
  /** Unit, or the sibling field that holds it; empty where there is none. */
  readonly unit: string;
  /** Range or values, in words; empty where any value of the type is allowed. */
  readonly allowed: string;
  readonly required: boolean;
  /** The description without the parts that stand in columns of their own. */
  readonly meaning: string;
}

/** Every value below a schema. Objects are walked through and lists of plain values count as one field. */
export function fieldsOf(schema: Place, path = '', required = true): readonly Field[] {
  const place = schema.resolved('schemas');
  const properties = place.optional('properties');
  if (properties) {
    const needed = place.optional('required')?.value;
    return properties
      .entries()
      .flatMap(([name, property]) =>
        fieldsOf(property, path === '' ? name : `${path}.${name}`, Array.isArray(needed) && needed.includes(name)),
      );
  }
  const items = place.optional('items')?.resolved('schemas');
  if (items?.optional('properties')) return fieldsOf(items, `${path}[]`, required);
  if (path === '') return [];
  const value = items ?? place;
  return [
    {
      path,
      type: `${items ? 'list of ' : ''}${typeName(value)}`,
      unit: unitOf(value),
      allowed: allowedOf(value),
      required,
      meaning: meaningOf(place),
    },
  ];
}

function typeName(place: Place): string {
  const type = place.optional('type')?.value;
  return typeof type === 'string' ? type : Array.isArray(type) ? type.join(' or ') : 'any';
}

function unitOf(place: Place): string {
  const unit = place.optional('x-unit')?.value;
  if (unit === undefined) return '';
  return typeof unit === 'string' ? unit : `see \`${new Map(Object.entries(unit as object)).get('property')}\``;
}

function allowedOf(place: Place): string {
  const values = place.optional('enum')?.value;
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  const [minimum, maximum] = [place.optional('minimum')?.number(), place.optional('maximum')?.number()];
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${minimum} or more`;
  if (place.optional('x-range-unstated')) return 'not stated';
  const [shortest, longest] = [place.optional('minLength')?.number(), place.optional('maxLength')?.number()];
  if (shortest !== undefined && shortest === longest) return `${shortest} characters`;
  return '';
}

/** "Engine speed; unit rpm; range 0 to 16383.5." → "Engine speed." */
function meaningOf(place: Place): string {
  const text = place.optional('description')?.string() ?? '';
  return text.replaceAll(/; (?:unit|range|values) [^;]*?(?=;|\.(?:\s|$))/g, '');
}
