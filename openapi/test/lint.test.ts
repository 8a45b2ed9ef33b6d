import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ContractCopy } from './contract-copy.ts';

const schema = (name: string) => `components/schemas/${name}.yaml`;
const locations = 'paths/v1_vehicles_{vin}_locations.yaml';
const powertrain = schema('PowertrainTrip');
const tripDays = 'components/dateRanges/TripDays.yaml';

test('the contract passes the lint without a warning', async () => {
  const { exitCode, output } = await (await ContractCopy.create()).lint();
  expect(output).toContain('Your API description is valid');
  expect(output).not.toContain('warning');
  expect(exitCode).toBe(0);
});

test('the bundle passes the lint', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)('node_modules/.bin/redocly', ['lint', 'dist/openapi.yaml'], {
    cwd,
  });
  expect(`${stdout}${stderr}`).toContain('Your API description is valid');
});

const marked = 'deprecated: true\n    description: Old. Nickname the user';
const dated =
  'description: Deprecated since 2026-11-21, stays until 2027-11-21 at least; use another. Nickname the user';
const mistakes: readonly (readonly [story: string, rule: string, file: string, from: string, to: string])[] = [
  ['a path in a file of another name', 'path-file-name', 'openapi.yaml', '/{vin}/locations:', '/{vin}/places:'],
  [
    'a component in a file of another name',
    'component-file-name',
    schema('Vehicle'),
    'VehicleType.yaml',
    'vehicle.yaml',
  ],
  ['a measured number without a unit', 'measured-signal', powertrain, '              x-unit: V\n', ''],
  ['a measured number without a range', 'measured-signal', powertrain, '              maximum: 6553\n', ''],
  ['a range that no words tell', 'measured-signal', powertrain, 'range 0 to 6553', 'a small range'],
  ['a date range that no words tell', 'date-range-in-words', tripDays, 'maxDays: ', 'maxDays: 9'],
  [
    'a property without words',
    'described-property',
    schema('Vehicle'),
    'description: Sales model name.',
    'title: Name',
  ],
  ['a property without an example', 'described-property', schema('Vehicle'), '    examples: [Model 5]\n', ''],
  ['an extension that nothing explains', 'documented-extension', locations, '  x-measured-at:', '  x-freshness:'],
  [
    'a long summary',
    'operation-summary-length',
    locations,
    'summary: Get',
    `summary: ${'Get the location '.repeat(4)}`,
  ],
  ['an operation without errors', 'response-examples', locations, '    default:\n', '    "400":\n'],
  ['a response without an example', 'response-examples', locations, '          examples:\n', '          x-examples:\n'],
  ['a deprecation without dates', 'dated-deprecation', schema('Vehicle'), 'description: Nickname the user', marked],
  [
    'dates of a deprecation without its mark',
    'dated-deprecation',
    schema('Vehicle'),
    'description: Nickname the user',
    dated,
  ],
  ['a wrong example', 'no-invalid-media-type-examples', 'components/examples/Location.yaml', '52.5163', '152.5163'],
  ['a wrong example of a schema', 'no-invalid-schema-examples', schema('Vin'), '[SANDB0XA000000001]', '[SHORT]'],
];

test.for(mistakes)('%s fails the lint', async ([, rule, file, from, to]) => {
  const copy = await ContractCopy.create();
  await copy.edit(file, from, to);
  const { exitCode, output } = await copy.lint();
  expect(output).toContain(rule);
  expect(exitCode).toBe(1);
});
