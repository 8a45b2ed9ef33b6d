// Two independent implementations of JSON Schema that the compiled checks are compared with, built from the same bundle.
import { format, type Schema as InterpretedSchema, Validator as Interpreter } from '@cfworker/json-schema';
import type { OperationSpec } from '@vehicle-data/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import tzdata from 'tzdata' with { type: 'json' };
import { contract } from '../contract-examples.ts';

/** Whether a value is valid and, where it is not, every place that an implementation complains about. */
export interface ReferenceVerdict {
  readonly valid: boolean;
  readonly places: ReadonlySet<string>;
}
export type Reference = (value: unknown) => ReferenceVerdict;

const zones = new Set(Object.keys(tzdata.zones));

function isBasicDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}T`);
}

// Both take a space for the T, and ajv-formats offsets without a colon or minutes; the grammar of RFC 3339 does not.
const rfc3339 = /^\S{10}t\S+(z|[+-]\d\d:\d\d)$/i;
const dateTime = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
(addFormats as unknown as (into: Ajv2020) => void)(ajv);
ajv.addFormat('date-time', {
  type: 'string',
  validate: (text: string) => rfc3339.test(text) && dateTime.validate(text),
});
const interpretedDateTime = format['date-time'] as (text: string) => boolean;
format['date-time'] = (text) => rfc3339.test(text) && interpretedDateTime(text);
format['basic-date'] = isBasicDate;
format['iana-time-zone'] = (text) => zones.has(text);
ajv.addFormat('basic-date', { type: 'string', validate: isBasicDate });
ajv.addFormat('iana-time-zone', { type: 'string', validate: (text: string) => zones.has(text) });
ajv.addVocabulary(['x-unit', 'x-range-unstated', 'components']);

function rooted(name: string) {
  const schemas = structuredClone(contract['components']?.['schemas'] ?? {});
  return { $id: `https://contract.invalid/${name}`, $ref: `#/components/schemas/${name}`, components: { schemas } };
}

/** ajv in strict mode, draft 2020-12. */
export function ajvReference(name: string): Reference {
  return ajvOf(rooted(name));
}

/** The parameters of an operation as one schema: an object with path, query and headers. */
export function ajvRequestReference(operation: OperationSpec): Reference {
  const part = (where: 'path' | 'query' | 'header') => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === where);
    return {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, schema }) => [name, { $ref: `#/components/schemas/${schema}` }]),
      ),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: where !== 'query',
    };
  };
  return ajvOf({
    $id: `https://contract.invalid/requests/${operation.operationId}`,
    type: 'object',
    properties: { path: part('path'), query: part('query'), headers: part('header') },
    components: { schemas: structuredClone(contract['components']?.['schemas'] ?? {}) },
  });
}

function ajvOf(schema: object): Reference {
  const validate = ajv.compile(schema);
  return (value) => {
    const valid = validate(value) as boolean;
    const places = (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
      keyword === 'required'
        ? `${instancePath}/${(params as { missingProperty: string }).missingProperty}`
        : instancePath,
    );
    return { valid, places: new Set(places) };
  };
}

/** The interpreter of @cfworker/json-schema. */
export function interpreterReference(name: string): Reference {
  const interpreter = new Interpreter(rooted(name) as unknown as InterpretedSchema, '2020-12', false);
  return (value) => {
    const { valid, errors } = interpreter.validate(value);
    const places = errors.map(({ instanceLocation, keyword, error }) => {
      const at = instanceLocation.slice(1);
      const [, member] = /required property "(.*)"/.exec(error) ?? [];
      return keyword === 'required' ? `${at}/${member}` : at;
    });
    return { valid, places: new Set(places) };
  };
}
