// An independent implementation of JSON Schema that the checks are compared with: ajv in strict mode, draft 2020-12.
import type { OperationSpec } from '@vehicle-data/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import tzdata from 'tzdata' with { type: 'json' };
import { contract } from '../contract-examples.ts';

/** Whether a value is valid and, where it is not, every place that ajv complains about. */
type Reference = (value: unknown) => { readonly valid: boolean; readonly places: ReadonlySet<string> };

const zones = new Set(Object.keys(tzdata.zones));

function isBasicDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}T`);
}

// ajv-formats takes a space for the T, and offsets without a colon or minutes; the grammar of RFC 3339 does not.
const rfc3339 = /^\S{10}t\S+(z|[+-]\d\d:\d\d)$/i;
const dateTime = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => rfc3339.test(text) && dateTime.validate(text),
  'basic-date': isBasicDate,
  'iana-time-zone': (text) => zones.has(text),
};

/** Compiles a schema. With `ownMembers`, inherited members do not count. */
export function ajvOf(schema: object, ownMembers = false): Reference {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, ownProperties: ownMembers });
  addFormats.default(ajv);
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });
  ajv.addVocabulary(['x-unit', 'x-range-unstated', 'x-source', 'x-vss', 'components']);
  const compiled = ajv.compile(schema);
  return (value) => {
    const valid = compiled(value) as boolean;
    const places = (compiled.errors ?? []).map(({ instancePath, params }) => {
      const { missingProperty: missing, additionalProperty: unknown = missing } = params as Record<string, string>;
      if (unknown === undefined) return instancePath;
      return `${instancePath}/${unknown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    });
    return { valid, places: new Set(places) };
  };
}

const components = { schemas: contract.child('components').child('schemas').object() };

export function ajvReference(name: string): Reference {
  return ajvOf({ $ref: `#/components/schemas/${name}`, components });
}

/** The parameters of an operation as one schema: an object with path, query and headers. */
export function ajvRequestReference(operation: OperationSpec): Reference {
  const part = (where: 'path' | 'query' | 'header') => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === where);
    const properties = parameters.map(({ name, schema }) => [name, { $ref: `#/components/schemas/${schema}` }]);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: where !== 'query',
    };
  };
  const properties = { path: part('path'), query: part('query'), headers: part('header') };
  return ajvOf({ type: 'object', properties, components });
}
