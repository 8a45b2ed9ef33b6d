import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Place } from '../build/place.ts';
import { type OperationSpec, operations } from '../src/index.js';
import { isOfDeployment, placeAt } from './contract.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

// What the interface document says, written down a second time on purpose: the contract is compared with it.
const number = (unit: string, minimum: number, maximum: number) => {
  return { type: 'number', 'x-unit': unit, minimum, maximum };
};
const values = (...list: readonly string[]) => ({ type: 'string', enum: list });

const samples: readonly { readonly schema: string; readonly path: string; readonly items: object }[] = [
  { schema: 'PowertrainTrip', path: 'batteries.hv.voltage', items: number('V', 0, 6553) },
  { schema: 'PowertrainTrip', path: 'engine.oilTemperature', items: number('°C', 0, 150.5) },
  { schema: 'PowertrainTrip', path: 'engine.rpm', items: number('rpm', 0, 16383.5) },
  { schema: 'DrivingTrip', path: 'ignition.status', items: values('on', 'off') },
  { schema: 'DrivingTrip', path: 'odometer.value', items: number('km', 0, 1677721.4) },
  { schema: 'DrivingTrip', path: 'acceleration.longitudinal', items: number('g', -4.177, 4.177) },
  { schema: 'DrivingTrip', path: 'angularVelocity.yaw', items: number('°/s', -40.95, 40.95) },
  { schema: 'DrivingTrip', path: 'isla.optionUsm', items: values('none', 'off', 'warning', 'assist', 'invalid') },
  {
    schema: 'DrivingTrip',
    path: 'isla.optionUsm2',
    items: values('none', 'off', 'information', 'warning', 'assist', 'invalid'),
  },
  { schema: 'DrivingTrip', path: 'seatbelt.assistance', items: values('belted', 'unbelted') },
  { schema: 'DrivingTrip', path: 'seatbelt.driver', items: values('belted', 'unbelted') },
  { schema: 'DrivingTrip', path: 'steeringWheel.angle', items: number('°', -3276.8, 3276.7) },
  { schema: 'DrivingTrip', path: 'steeringWheel.rotationSpeed', items: number('°/s', 0, 1016) },
  { schema: 'DrivingTrip', path: 'transmission.gear', items: values('p', 'r', 'n', 'd') },
];

const text = { type: 'string' };
const second = '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}';
const time = (rest: string) => ({ type: 'string', format: 'date-time', pattern: `^${second}${rest}$` });
const utc = time('(\\.[0-9]+)?(Z|[+-]00:00)');
const toTheMillisecond = time('\\.[0-9]{3}Z');
const milliseconds = { type: 'integer', format: 'int64', 'x-unit': 'ms' };

const single: readonly { readonly schema: string; readonly paths: string; readonly rule: object }[] = [
  { schema: 'Vehicle', paths: 'vin', rule: { type: 'string', minLength: 17, maxLength: 17 } },
  { schema: 'Vehicle', paths: 'type', rule: values('GN', 'EV', 'HV', 'PE', 'FV', 'UNKNOWN') },
  { schema: 'Vehicle', paths: 'nickname name sellname', rule: text },
  { schema: 'Meta', paths: 'code', rule: { type: 'integer' } },
  { schema: 'Meta', paths: 'message requestId', rule: text },
  { schema: 'Meta', paths: 'timestamp', rule: utc },
  { schema: 'ServiceError', paths: 'code message requestId', rule: text },
  { schema: 'ServiceError', paths: 'details', rule: { type: 'array' } },
  { schema: 'ServiceError', paths: 'timestamp', rule: utc },
  { schema: 'PowertrainTrip', paths: 'triggerStartTime', rule: toTheMillisecond },
  { schema: 'PowertrainTrip', paths: 'tripLength', rule: milliseconds },
  { schema: 'DrivingTrip', paths: 'triggerStartTime', rule: toTheMillisecond },
  { schema: 'DrivingTrip', paths: 'tripLength', rule: milliseconds },
  { schema: 'LocationRecord', paths: 'location.latitude', rule: number('°', -90, 90) },
  { schema: 'LocationRecord', paths: 'location.longitude', rule: number('°', -180, 180) },
  { schema: 'LocationRecord', paths: 'location.altitude', rule: number('m', -100, 10000) },
  { schema: 'LocationRecord', paths: 'location.heading', rule: number('°', 0, 359) },
  { schema: 'LocationRecord', paths: 'location.speed.value', rule: { type: 'number', minimum: 0, maximum: 1000 } },
  { schema: 'LocationRecord', paths: 'location.speed.unit', rule: values('kph', 'mph', 'mps', 'invalid') },
  { schema: 'LocationRecord', paths: 'location.type', rule: { type: 'integer', enum: [0, 1, 2] } },
  { schema: 'LocationRecord', paths: 'timestamp', rule: time('Z') },
  { schema: 'CurrentStatus', paths: 'ignition.status sleepMode odometer.unit', rule: text },
  {
    schema: 'CurrentStatus',
    paths: 'ignition.ignitionDetails',
    rule: { type: 'array', items: { properties: { type: text, status: text } } },
  },
  { schema: 'CurrentStatus', paths: 'odometer.value', rule: { type: 'number' } },
  { schema: 'CurrentStatus', paths: 'transmission.parkingPosition', rule: { type: 'boolean' } },
  { schema: 'CurrentStatus', paths: 'timestamp', rule: utc },
];

function field(schema: string, path: string): Place {
  return placeAt('components', 'schemas', schema, ...path.split('.').flatMap((name) => ['properties', name]));
}

test.for(samples)('a time series is as the interface states it: $schema $path', ({ schema, path, items }) => {
  expect(field(schema, path).value).toMatchObject({ type: 'array' });
  // What another specification calls the signal is not of the interface.
  const { 'x-vss': _, ...stated } = field(schema, path).child('items').object();
  expect(stated).toEqual(items);
});

test.for(single)('a value is as the interface states it: $schema $paths', ({ schema, paths, rule }) => {
  for (const path of paths.split(' ')) expect(field(schema, path).value).toMatchObject(rule);
});

test('both forms of meta.success are allowed, and nothing that is not a success', () => {
  expect(field('Meta', 'success').child('anyOf').value).toEqual([
    { type: 'string', enum: ['true'] },
    { type: 'boolean', enum: [true] },
  ]);
});

test('only what the envelopes and the identity of a thing need is required', () => {
  const required = (name: string) => placeAt('components', 'schemas', name, 'required').value;
  expect(required('VehicleListResponse')).toEqual(['data', 'meta']);
  expect(required('VehicleList')).toEqual(['vehicles']);
  expect(required('Vehicle')).toEqual(['vin']);
  expect(required('DrivingTrip')).toEqual(['triggerStartTime', 'tripLength']);
  expect(required('PowertrainTrip')).toEqual(['triggerStartTime', 'tripLength']);
  expect(required('LocationRecord')).toEqual(['location']);
  expect(required('ServiceError')).toEqual(['code', 'message', 'details', 'timestamp', 'requestId']);
  expect(() => required('CurrentStatus')).toThrow();
});

test.skipIf(isOfDeployment)(
  'the contract has the six operations of the interface, with their method, path, parameters and security',
  () => {
    const table = Object.entries(operations).map(
      ([id, { description, method, path, bearer, parameters, dateRange }]) => [
        id,
        `${method} ${path}`,
        bearer,
        parameters.map((parameter) => `${parameter.in} ${parameter.name}${parameter.required ? '' : '?'}`).join(', ') +
          (description.includes('You may send `Content-Type: application/json`') ? ', type?' : ''),
        dateRange === null ? 'no range' : `${dateRange.start} to ${dateRange.end}, ${dateRange.maxDays} days`,
      ],
    );
    const range = 'header Brand, path vin, query startDate, query endDate, query zoneId?';
    const stated = [
      ['listVehicles', 'GET /v1/vehicles/consent', 'optional', 'header Brand, type?', 'no range'],
      ['stopDataSharing', 'DELETE /v1/vehicles/consent', 'required', 'header Brand, query vin?, type?', 'no range'],
      [
        'getPowertrainData',
        'GET /v1/vehicles/{vin}/powertrains/data',
        'required',
        range,
        'startDate to endDate, 7 days',
      ],
      ['getDrivingData', 'GET /v1/vehicles/{vin}/driving/data', 'required', range, 'startDate to endDate, 7 days'],
      ['getLocation', 'GET /v1/vehicles/{vin}/locations', 'required', 'header Brand, path vin', 'no range'],
      ['getCurrentStatus', 'GET /v1/vehicles/{vin}/batteries', 'required', 'header Brand, path vin, type?', 'no range'],
    ];
    for (const operation of stated) expect(table).toContainEqual(operation);
  },
);

test('the defaults and rules of parameters are those of the interface', () => {
  const { parameters }: OperationSpec = operations.getDrivingData;
  const rules = Object.fromEntries(parameters.map(({ name, rule }) => [name, rule]));
  expect(rules['zoneId']).toMatchObject({ default: 'UTC' });
  expect(rules['vin']).toMatchObject({ minLength: 17, maxLength: 17 });
  expect(rules['startDate']).toMatchObject({ pattern: '^[0-9]{8}$', format: 'basic-date' });
  expect(rules['Brand']?.enum).toHaveLength(3);
});

test('4002 is the only error that the contract says the interface states', () => {
  const catalogue = placeAt('x-error-catalogue').items();
  const stated = catalogue.filter((entry) => entry.child('origin').value === 'interface');
  expect(stated.map(({ value }) => value)).toMatchObject([{ code: '4002', message: 'Invalid request parameters' }]);
});

test('what the interface leaves open about trips is called an assumption', () => {
  const open = /belongs to the (calendar )?day|that start within|identif\w+ (a|the) trip|between two samples|evenly/i;
  const files = globSync(['{paths,components}/**/*.yaml', 'guides/*.md'], { cwd: folder }).sort();
  const sentences = files.flatMap((file) =>
    readFileSync(`${folder}/${file}`, 'utf8').replaceAll(/\s+/g, ' ').split('. '),
  );
  const about = sentences.filter((sentence) => open.test(sentence));
  expect(about.length).toBeGreaterThan(0);
  expect(about.filter((sentence) => !/assume|not specif/.test(sentence))).toEqual([]);
});
