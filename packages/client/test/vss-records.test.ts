import type { CurrentStatus, LocationRecord } from '@vehicle-data/openapi';
import { vssNames } from '@vehicle-data/openapi';
import { expect, expectTypeOf, test } from 'vitest';
import { recordToVss, SeriesError, type VssReportName } from '../src/series/index.js';

const place: LocationRecord = {
  location: {
    latitude: 52.5163,
    longitude: 13.3777,
    altitude: 36,
    heading: 271,
    speed: { value: 43, unit: 'kph' },
    type: 0,
  },
  timestamp: '2026-03-09T06:59:48Z',
};
const status: CurrentStatus = {
  ignition: { status: 'on', ignitionDetails: [{ type: 'ign1', status: 'on' }] },
  sleepMode: 'off',
  odometer: { value: 23456.7, unit: 'km' },
  transmission: { parkingPosition: true },
  timestamp: '2026-03-09T06:59:48Z',
};
const measuredAt = Date.parse('2026-03-09T06:59:48Z');
const located = (change: Readonly<Record<string, unknown>>) =>
  valuesOf('getLocation', { ...place, location: { ...place.location, ...change } });

/** The values of a record by their names in VSS, without `Vehicle.`. Records of the service may hold anything. */
function valuesOf(operation: VssReportName, record: object): Readonly<Record<string, unknown>> {
  const { readings } = recordToVss(operation, record as LocationRecord & CurrentStatus);
  const values = Object.entries(readings).map(([path, reading]) => [path.replace('Vehicle.', ''), reading?.value]);
  return Object.fromEntries(values);
}

test('the latest location has the names, units and types of VSS', () => {
  const report = recordToVss('getLocation', place);
  expect(report).toMatchObject({ catalogue: '6.0', measuredAt });
  expect(report.readings['Vehicle.Speed']).toEqual({ datatype: 'float', unit: 'km/h', value: 43 });
  expect(valuesOf('getLocation', place)).toEqual({
    'CurrentLocation.Latitude': 52.5163,
    'CurrentLocation.Longitude': 13.3777,
    'CurrentLocation.Altitude': 36,
    'CurrentLocation.Heading': 271,
    'CurrentLocation.Timestamp': '2026-03-09T06:59:48Z',
    Speed: 43,
  });
});

test('the current status has the names, units and types of VSS', () => {
  const report = recordToVss('getCurrentStatus', status);
  expect(report).toMatchObject({ catalogue: '6.0', measuredAt });
  expect(report.readings['Vehicle.TraveledDistance']).toEqual({ datatype: 'uint32', unit: 'm', value: 23_456_700 });
  expect(valuesOf('getCurrentStatus', status)).toEqual({
    LowVoltageSystemState: 'ON',
    IsInSleepMode: false,
    TraveledDistance: 23_456_700,
    'Powertrain.Transmission.IsInParkPosition': true,
  });
});

test.each([
  { unit: 'mph', value: 62.137119, expected: 100 },
  { unit: 'mps', value: 10, expected: 36 },
  { unit: 'kph', value: 100, expected: 100 },
])('a speed becomes kilometers an hour: $unit', ({ unit, value, expected }) => {
  expect(located({ speed: { value, unit } })['Speed']).toBeCloseTo(expected, 5);
});

test.each([
  { value: 10, unit: 'invalid' },
  { value: 10 },
  { value: 10, unit: 'toString' },
  { value: 1001, unit: 'kph' },
  { value: '10', unit: 'kph' },
  { value: null, unit: 'kph' },
])('a speed has no value: %o', (speed) => {
  expect(located({ speed })).toHaveProperty('Speed', null);
});

test.each([1, 2, undefined, '0'])('a position of the system %s is none in VSS, which has WGS 84 alone', (type) => {
  const values = located({ type });
  for (const name of ['Latitude', 'Longitude', 'Altitude']) expect(values[`CurrentLocation.${name}`]).toBeNull();
  expect(values['CurrentLocation.Heading']).toBe(271);
});

test('what is out of range or unknown has no value, and what is absent no reading', () => {
  expect(located({ latitude: 90.5 })['CurrentLocation.Latitude']).toBeNull();
  expect(valuesOf('getCurrentStatus', { ignition: { status: 'cranking' }, sleepMode: 'on' })).toEqual({
    LowVoltageSystemState: null,
    IsInSleepMode: null,
  });
  expect(valuesOf('getCurrentStatus', { odometer: { value: 10, unit: 'mi' }, transmission: null })).toEqual({
    TraveledDistance: null,
  });
  expect(recordToVss('getCurrentStatus', {})).toEqual({ catalogue: '6.0', measuredAt: null, readings: {} });
});

test('every record with a time has names, each of them typed, and other operations have none', () => {
  expect(Object.keys(vssNames.records)).toEqual(['getLocation', 'getCurrentStatus']);
  expect(() => recordToVss('listVehicles' as 'getLocation', place)).toThrow(SeriesError);
  const { readings } = recordToVss('getCurrentStatus', status);
  expectTypeOf<keyof typeof readings>().toEqualTypeOf<
    | 'Vehicle.LowVoltageSystemState'
    | 'Vehicle.IsInSleepMode'
    | 'Vehicle.TraveledDistance'
    | 'Vehicle.Powertrain.Transmission.IsInParkPosition'
  >();
});
