import { expect, test } from 'vitest';
import { copyContract } from './contract-copy.ts';

const schema = (name: string) => `components/schemas/${name}.yaml`;
const locations = 'paths/v1_vehicles_vin_locations.yaml';
const driving = 'paths/v1_vehicles_vin_driving_data.yaml';
const consent = 'paths/v1_vehicles_consent.yaml';
const endDate = 'components/parameters/EndDate.yaml';

const marked = 'deprecated: true\n    description: Old. Nickname the user';
const dated = 'description: Deprecated since 2026-11-21, stays until 2027-11-21 at least; use another. Text for';
const long = `summary: ${'Get the location '.repeat(4)}`;
const belt = 'x-vss:\n            path: Vehicle.Cabin.Seat.Row1.DriverSide';
const [vehicle, meta] = [schema('Vehicle'), schema('Meta')];
const mistakes: readonly (readonly [story: string, rule: string, file: string, from: string, to: string])[] = [
  ['a path in a file of another name', 'path-file-name', 'openapi.yaml', '/{vin}/locations:', '/{vin}/places:'],
  ['a component in a file of another name', 'component-file-name', vehicle, 'VehicleType.yaml', 'vehicle.yaml'],
  ['a measured number without a unit', 'measured-signal', schema('PowertrainTrip'), '              x-unit: V\n', ''],
  ['a measured number without a range', 'measured-signal', schema('DrivingTrip'), 'minimum: -4.177', 'title: Any'],
  ['a range that no words tell', 'measured-signal', schema('LocationRecord'), 'range -90 to 90', 'a small range'],
  ['a date range that no words tell', 'date-range-in-words', endDate, 'at most', 'not more than'],
  ['a property without words', 'described-property', vehicle, 'description: Sales model name.', 'title: Name'],
  ['a property without an example', 'described-property', meta, 'examples: [Success]', 'title: Text'],
  ['an extension that nothing explains', 'documented-extension', locations, '  x-measured-at:', '  x-freshness:'],
  ['a rule that no one stated', 'sourced-keyword', schema('Vin'), '  pattern: "assumed: ', '  $comment: "assumed: '],
  ['a length that follows from a pattern', 'bounded-text', schema('TripStartTime'), 'maxLength: 24\n', '\n'],
  ['a source that is no source', 'sourced-keyword', schema('UtcTime'), 'format: "assumed: ', 'format: "guessed: '],
  [
    'a signal without a name of the field',
    'named-signal',
    schema('DrivingTrip'),
    belt,
    belt.replace('x-vss', '$comment'),
  ],
  ['a name that no catalogue has', 'named-signal', schema('PowertrainTrip'), 'CombustionEngine.Speed', 'Engine.Speed'],
  ['another unit than that of the name', 'named-signal', schema('TripLength'), 'unit: s', 'unit: min'],
  ['a value that its name does not have', 'named-signal', schema('DrivingTrip'), 'p: 126', 'p: 128'],
  ['a long summary', 'operation-summary-length', locations, 'summary: Get', long],
  ['an operation without errors', 'operation-responses', locations, '    default:\n', '    "400":\n'],
  ['a response without an example', 'response-examples', consent, '          examples:\n', '          x-examples:\n'],
  ['a deprecation without dates', 'dated-deprecation', vehicle, 'description: Nickname the user', marked],
  ['dates of a deprecation without its mark', 'dated-deprecation', meta, 'description: Text for', dated],
  ['a wrong example', 'no-invalid-media-type-examples', 'components/examples/Location.yaml', '52.5163', '152.5163'],
  ['a wrong example of a schema', 'no-invalid-schema-examples', schema('Vin'), '[SANDB0XA000000001]', '[SHORT]'],
];

test('every mistake fails the lint, in its file and by its rule', async () => {
  const copy = await copyContract();
  for (const [, , file, from, to] of mistakes) await copy.edit(file, from, to);
  await copy.edit(driving, 'examples/DrivingTripsEmpty.yaml', 'examples/DrivingTrips.yaml');
  const { exitCode, output } = await copy.lint('--format', 'json', '--max-problems', '1000');
  const { problems }: Report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  const found = problems.map(
    ({ ruleId, location: [at] }) => `${ruleId.replace(/^(contract|rule)\//, '')} in ${at?.source.ref}`,
  );
  const unused = problems.filter(({ ruleId }) => ruleId === 'contract/used-component-file');
  expect
    .soft(unused.map(({ message }) => message))
    .toContain('nothing refers to components/examples/DrivingTripsEmpty.yaml');
  for (const [story, rule, file] of mistakes) expect.soft(found, story).toContain(`${rule} in ${file}`);
  expect(exitCode).toBe(1);
});

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly source: { readonly ref: string } }[];
  }[];
}
