import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ContractCopy } from './contract-copy.ts';

const schema = (name: string) => `components/schemas/${name}.yaml`;
const locations = 'paths/v1_vehicles_{vin}_locations.yaml';

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

const mistakes: readonly (readonly [story: string, rule: string, file: string, from: string, to: string])[] = [
  [
    'a path whose file has another name',
    'path-file-name',
    'openapi.yaml',
    '/v1/vehicles/{vin}/locations:',
    '/v1/vehicles/{vin}/places:',
  ],
  ['a measured number without a unit', 'measured-signal', schema('PowertrainTrip'), '              x-unit: V\n', ''],
  [
    'a measured number without a range',
    'measured-signal',
    schema('PowertrainTrip'),
    '              maximum: 6553\n',
    '',
  ],
  [
    'a range that the description leaves out',
    'measured-signal',
    schema('DrivingTrip'),
    'range -4.177 to 4.177',
    'a small range',
  ],
  [
    'a date range whose limit the end parameter does not say',
    'date-range-in-words',
    'components/dateRanges/TripDays.yaml',
    'maxDays: ',
    'maxDays: 9',
  ],
  [
    'a property without a description',
    'described-property',
    schema('Vehicle'),
    '    description: Sales model name.\n',
    '',
  ],
  ['a property without an example', 'described-property', schema('Vehicle'), '    examples: [Model 5]\n', ''],
  [
    'an extension that nothing explains',
    'documented-extension',
    locations,
    '  x-measured-at: timestamp',
    '  x-freshness: timestamp',
  ],
  [
    'a summary of more than 60 characters',
    'operation-summary-length',
    locations,
    'summary: Get location',
    `summary: ${'Get the location of a vehicle '.repeat(3)}`,
  ],
  [
    'an operation without the template of its error responses',
    'response-examples',
    locations,
    '    default:\n      $ref: ../components/responses/Error.yaml\n',
    '',
  ],
  [
    'a response without an example',
    'response-examples',
    locations,
    '          examples:\n            Location:\n              $ref: ../components/examples/Location.yaml\n',
    '',
  ],
  [
    'an example that the schema rejects',
    'no-invalid-media-type-examples',
    'components/examples/Location.yaml',
    'latitude: 52.5163',
    'latitude: 152.5163',
  ],
  [
    'an example of a schema that the schema rejects',
    'no-invalid-schema-examples',
    schema('Vin'),
    'examples: [SANDB0XA000000001]',
    'examples: [SHORT]',
  ],
];

test.for(mistakes)('%s fails the lint', async ([, rule, file, from, to]) => {
  const copy = await ContractCopy.create();
  await copy.edit(file, from, to);
  const { exitCode, output } = await copy.lint();
  expect(output).toContain(rule);
  expect(exitCode).toBe(1);
});

test('a component whose file has no component name fails the lint', async () => {
  const copy = await ContractCopy.create();
  await copy.add(schema('vehicle-kind'), 'type: string\ndescription: Kind.\nexamples: [EV]\n');
  await copy.edit(schema('Vehicle'), '$ref: VehicleType.yaml', '$ref: vehicle-kind.yaml');
  const { exitCode, output } = await copy.lint();
  expect(output).toContain('component-file-name');
  expect(exitCode).toBe(1);
});
