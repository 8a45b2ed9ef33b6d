import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../src/index.js';
import { bundle, isObject, lookUp, places } from './bundle.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv, ['date-time', 'int64']);
ajv.addFormat('basic-date', /^[0-9]{8}$/);
ajv.addFormat('iana-time-zone', (zone) => zone === 'UTC' || zone.includes('/'));
ajv.addVocabulary(['x-unit', 'x-range-unstated', 'components']);
ajv.addSchema({ $id: 'contract', components: bundle['components'] });

const validatorAt = (pointer: string) => {
  const validate = ajv.getSchema(`contract#${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}`);
  if (!validate) throw new Error(`no schema at ${pointer}`);
  return validate;
};

const mediaTypes = [...places()].filter(([pointer]) => pointer.endsWith('/application~1json'));
const schemas = [...places(lookUp(bundle, 'components', 'schemas'), '/components/schemas')].filter(
  ([, value]) => isObject(value) && Array.isArray(value['examples']),
);

test.for(mediaTypes)('the examples of %s are valid', ([, mediaType]) => {
  const ref = isObject(mediaType) && isObject(mediaType['schema']) ? mediaType['schema']['$ref'] : undefined;
  const examples = lookUp(mediaType, 'examples');
  if (typeof ref !== 'string' || !isObject(examples)) throw new Error('a body without schema or examples');
  const validate = validatorAt(ref.slice(1));
  expect(Object.keys(examples).length).toBeGreaterThan(0);
  for (const name of Object.keys(examples)) {
    validate(lookUp(examples, name, 'value'));
    expect(validate.errors, name).toBeNull();
  }
});

test.for(schemas)('the examples of the schema %s are valid', ([pointer, schema]) => {
  const validate = validatorAt(pointer);
  const examples = lookUp(schema, 'examples');
  if (!Array.isArray(examples)) throw new Error('examples are a list');
  for (const example of examples) {
    validate(example);
    expect(validate.errors).toBeNull();
  }
});

test('trip examples hold several samples, and every signal of a trip equally many', () => {
  for (const name of ['PowertrainTrips', 'DrivingTrips']) {
    const trips = lookUp(bundle, 'components', 'examples', name, 'value', 'data', 'trips');
    if (!Array.isArray(trips)) throw new Error('trips are a list');
    for (const trip of trips) {
      const lengths = [...places(trip)].flatMap(([, value]) => (Array.isArray(value) ? [value.length] : []));
      expect(new Set(lengths).size).toBe(1);
      expect(lengths[0]).toBeGreaterThan(3);
    }
  }
});

const responses = lookUp(bundle, 'components', 'responses');
const shown = [...places(responses)].flatMap(([pointer, value]) => {
  const parts = pointer.split('/');
  return parts.at(-1) === 'error' && isObject(value)
    ? [{ response: parts[1] as string, example: parts[5], error: value }]
    : [];
});

test('every error example stands in the catalogue, with its message, under its status', () => {
  expect(shown.length).toBeGreaterThan(0);
  for (const { response, example, error } of shown) {
    const entry = errorCatalogue.find(({ code }) => code === error['code']);
    expect(entry, String(error['code'])).toBeDefined();
    expect(example).toBe(entry?.code);
    expect(error['message']).toBe(entry?.message);
    expect([...statusesOf(response)]).toEqual([String(entry?.status)]);
  }
});

test('every code of the catalogue that an operation can answer has an example', () => {
  const statuses = new Set(shown.flatMap(({ response }) => [...statusesOf(response)]));
  // The path decides about this code before there is an operation that could document it.
  const beforeAnyOperation = ['no-such-operation'];
  const expected = errorCatalogue.filter(
    ({ code, status }) => statuses.has(String(status)) && !beforeAnyOperation.includes(code),
  );
  expect(shown.map(({ error }) => error['code']).toSorted()).toEqual(expected.map(({ code }) => code).toSorted());
});

function statusesOf(response: string): Set<string> {
  const statuses = [...places(lookUp(bundle, 'paths'))].flatMap(([pointer, value]) =>
    isObject(value) && value['$ref'] === `#/components/responses/${response}`
      ? [pointer.split('/').at(-1) as string]
      : [],
  );
  return new Set(statuses);
}
