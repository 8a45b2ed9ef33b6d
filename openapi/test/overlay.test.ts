import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { applyOverlay, readOverlay } from '../build/overlay.ts';
import type { JsonObject } from '../build/place.ts';
import { operations } from '../src/index.js';
import { isOfDeployment } from './contract.ts';
import { copyContract } from './contract-copy.ts';

const overlayOf = (...actions: readonly object[]) =>
  readOverlay(stringify({ overlay: '1.0.0', info: { title: 'Test', version: '1' }, actions }), 'overlay.yaml');
const apply = (document: JsonObject, ...actions: readonly object[]) => applyOverlay(document, overlayOf(...actions));

const pets = {
  info: { title: 'Pets' },
  paths: {
    '/pets': { get: { parameters: [{ name: 'filter', in: 'query' }, { name: 'dummy' }, { name: 'other' }] } },
    '/pets/{id}': { get: { parameters: [{ name: 'dummy' }] }, delete: { 'x-safe': false } },
  },
};

test('an update merges members at every depth and leaves the others', () => {
  const result = apply(pets, { target: '$', update: { info: { version: '2' }, servers: [{ url: '/' }] } });
  expect(result).toEqual({ ...pets, info: { title: 'Pets', version: '2' }, servers: [{ url: '/' }] });
});

test('an update of a list appends one entry, and lists inside of an object are joined', () => {
  expect(apply({ tags: [1] }, { target: '$.tags', update: [2] })).toEqual({ tags: [1, [2]] });
  expect(apply({ tags: [1] }, { target: '$', update: { tags: [2] } })).toEqual({ tags: [1, 2] });
});

test('wildcards and filters of JSONPath select many places', () => {
  expect(apply(pets, { target: '$.paths.*.get', update: { 'x-safe': true } })).toMatchObject({
    paths: { '/pets': { get: { 'x-safe': true } }, '/pets/{id}': { get: { 'x-safe': true } } },
  });
  const target = "$.paths.*.get.parameters[?@.name=='filter' && @.in=='query']";
  expect(apply(pets, { target, update: { required: true } })).toMatchObject({
    paths: { '/pets': { get: { parameters: [{ name: 'filter', required: true }, {}, {}] } } },
  });
});

test('what is selected is removed from its object or list, whatever update says', () => {
  const target = "$.paths.*.get.parameters[?@.name!='filter']";
  expect(apply(pets, { target, remove: true, update: { ignored: true } })).toMatchObject({
    paths: { '/pets': { get: { parameters: [{ name: 'filter' }] } }, '/pets/{id}': { get: { parameters: [] } } },
  });
  expect(apply(pets, { target: "$.paths['/pets']", remove: true })).not.toHaveProperty(['paths', '/pets']);
});

test('actions apply in their order, each to the result of the one before: this is how a list is replaced', () => {
  const replace = [
    { target: '$.a.enum', remove: true, description: 'Placeholders.' },
    { target: '$.a', update: { enum: ['x'] }, 'x-why': 'ours' },
  ];
  expect(apply({ a: { enum: ['p', 'q'] } }, ...replace)).toEqual({ a: { enum: ['x'] } });
});

test('the document that is given stays as it is', () => {
  const before = structuredClone(pets);
  apply(pets, { target: '$.paths.*', remove: true }, { target: '$.info', update: { title: 'x' } });
  expect(pets).toEqual(before);
});

test.for<{ story: string; wrong: object | readonly object[]; message: string }>([
  {
    story: 'a target that selects nothing',
    wrong: [{ target: '$.nothing', remove: true }],
    message: '/actions/0/target: selects nothing',
  },
  {
    story: 'a target that is no JSONPath',
    wrong: [{ target: '$.[', update: {} }],
    message: '/actions/0/target: is no JSONPath of RFC 9535',
  },
  {
    story: 'a plain value',
    wrong: [{ target: '$.info.title', update: {} }],
    message: '/actions/0/target: selects a plain value',
  },
  {
    story: 'an object changed by text',
    wrong: [{ target: '$.info', update: 'x' }],
    message: '/actions/0/target: selects an object, so',
  },
  {
    story: 'the whole document',
    wrong: [{ target: '$', remove: true }],
    message: '/actions/0/target: the whole contract cannot be removed',
  },
  {
    story: 'neither update nor remove',
    wrong: [{ target: '$' }],
    message: '/actions/0: expected "update" or "remove: true"',
  },
  {
    story: 'an unknown member',
    wrong: [{ target: '$', updates: {} }],
    message: '/actions/0/updates: "updates" is not understood here',
  },
  { story: 'no action', wrong: [], message: '/actions: expected at least one action' },
  {
    story: 'a later version',
    wrong: { overlay: '1.1.0' },
    message: '/overlay: is not a version of the Overlay Specification 1.0',
  },
  { story: 'no title', wrong: { info: { version: '1' } }, message: '/info: "title" is missing' },
])('a mistake in an overlay is an error with its place: $story', ({ wrong, message }) => {
  const good = { overlay: '1.0.0', info: { title: 'Test', version: '1' }, actions: [{ target: '$', update: {} }] };
  const overlay = Array.isArray(wrong) ? { ...good, actions: wrong } : { ...good, ...wrong };
  expect(() => applyOverlay(pets, readOverlay(JSON.stringify(overlay), 'overlay.yaml'))).toThrow(
    `overlay.yaml#${message}`,
  );
});

test('a file that is no YAML is an error with its line', () => {
  expect(() => readOverlay('a: [', 'overlay.yaml')).toThrow(/^overlay\.yaml: .*line 1/s);
});

test.skipIf(isOfDeployment)('the overlay of the guide applies to the bundle', async () => {
  const guide = await readFile(new URL('../guides/your-deployment.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];
  const bundle: JsonObject = JSON.parse(await readFile(new URL('../dist/openapi.json', import.meta.url), 'utf8'));
  const drivingData = { get: { 'x-date-range': { start: 'startDate', maxDays: 14 } } };
  // As many names as the contract has: each replaces one of them in samples and tests.
  const enumeration = ['acme', 'zenith', 'orbit'];
  expect(operations.getLocation.parameters[0].rule.enum).toHaveLength(enumeration.length);
  expect(applyOverlay(bundle, readOverlay(yaml, 'deployment.yaml'))).toMatchObject({
    components: { schemas: { Brand: { type: 'string', enum: enumeration } } },
    paths: { '/v1/vehicles/{vin}/driving/data': drivingData, '/v1/vehicles/{vin}/powertrains/data': drivingData },
  });
});

// That overlay.yaml reaches what is made from the contract: build.test.ts.
test('a mistake in overlay.yaml beside the contract stops the build', async () => {
  const copy = await copyContract();
  await copy.overlay({ target: '$.components.schemas.Brand', update: { minLength: 'four' } });
  const stop = 'openapi/overlay.yaml changes #/components/schemas/Brand/minLength: ';
  expect(await copy.build()).toMatchObject({ exitCode: 1, output: expect.stringContaining(stop) });
});
