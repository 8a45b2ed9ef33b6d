import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openContract } from '../build/model.ts';
import { vssLines } from '../build/vss-names.ts';
import { operations, vssNames } from '../src/index.js';

const overlay: Readonly<Record<string, Readonly<Record<string, unknown>>>> = parse(
  readFileSync(new URL('../vehicle-data.vspec', import.meta.url), 'utf8'),
);
const contract = await openContract();
const lines = vssLines(contract);
const memberOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(3)
    .filter((step) => step !== 'properties' && step !== 'items')
    .join('.');

// Where the signals go, written down a second time on purpose.
const targets: Readonly<Record<string, string>> = {
  'PowertrainTrip.batteries.hv.voltage': 'Powertrain.TractionBattery.CurrentVoltage V',
  'PowertrainTrip.engine.oilTemperature': 'Powertrain.CombustionEngine.EngineOil.Temperature Celsius',
  'PowertrainTrip.engine.rpm': 'Powertrain.CombustionEngine.Speed rpm',
  'DrivingTrip.ignition.status': 'LowVoltageSystemState',
  'DrivingTrip.odometer.value': 'TraveledDistance m',
  'DrivingTrip.acceleration.longitudinal': 'Acceleration.Longitudinal m/s^2',
  'DrivingTrip.angularVelocity.yaw': 'AngularVelocity.Yaw degrees/s',
  'DrivingTrip.isla.optionUsm': 'ADAS.IntelligentSpeedAssist.OptionUsm',
  'DrivingTrip.isla.optionUsm2': 'ADAS.IntelligentSpeedAssist.OptionUsm2',
  'DrivingTrip.seatbelt.driver': 'Cabin.Seat.Row1.DriverSide.IsBelted',
  'DrivingTrip.seatbelt.assistance': 'Cabin.Seat.Row1.PassengerSide.IsBelted',
  'DrivingTrip.steeringWheel.angle': 'Chassis.SteeringWheel.Angle degrees',
  'DrivingTrip.steeringWheel.rotationSpeed': 'Chassis.SteeringWheel.RotationSpeed degrees/s',
  'DrivingTrip.transmission.gear': 'Powertrain.Transmission.SelectedGear',
  'LocationRecord.location.latitude': 'CurrentLocation.Latitude degrees',
  'LocationRecord.location.longitude': 'CurrentLocation.Longitude degrees',
  'LocationRecord.location.altitude': 'CurrentLocation.Altitude m',
  'LocationRecord.location.heading': 'CurrentLocation.Heading degrees',
  'LocationRecord.location.speed.value': 'Speed km/h',
  'LocationRecord.timestamp': 'CurrentLocation.Timestamp iso8601',
  'CurrentStatus.ignition.status': 'LowVoltageSystemState',
  'CurrentStatus.sleepMode': 'IsInSleepMode',
  'CurrentStatus.odometer.value': 'TraveledDistance m',
  'CurrentStatus.transmission.parkingPosition': 'Powertrain.Transmission.IsInParkPosition',
  TripStartTime: 'StartTime iso8601',
  TripLength: 'TripDuration s',
  Vin: 'VehicleIdentification.VIN',
  VehicleType: 'Powertrain.Type',
};

test('every value has the name and unit that VSS 6.0 has for it', () => {
  const found = lines.map(({ place, path, unit }) => [
    memberOf(place.pointer),
    [path.replace('Vehicle.', ''), unit].filter(Boolean).join(' '),
  ]);
  expect(Object.fromEntries(found)).toEqual(targets);
  expect(vssNames.catalogue).toBe('6.0');
});

test('every signal of every series has a name of its own', () => {
  for (const { series } of Object.values(operations)) {
    if (series === null) continue;
    const names = Object.entries(vssNames.series[series.name]);
    expect(names.map(([path]) => path)).toEqual(Object.keys(series.signals));
    expect(new Set(names.map(([, { path }]) => path)).size).toBe(names.length);
  }
});

test('the list of names of the catalogue has those that are used, and the overlay those that it lacks', () => {
  const used = (isOwn: boolean) =>
    [...new Set(lines.flatMap((line) => (line.isOwn === isOwn ? line.path : [])))].toSorted();
  expect(Object.keys(contract.child('x-vss-catalogue').child('names').object()).toSorted()).toEqual(used(false));
  const leaves = Object.entries(overlay).flatMap(([name, { type }]) => (type === 'branch' ? [] : name));
  expect(leaves.toSorted()).toEqual(used(true));
});

test('the overlay is in the form of VSS', () => {
  for (const [name, node] of Object.entries(overlay)) {
    expect(name).toMatch(/^Vehicle(\.[A-Z][A-Za-z0-9]*)+$/);
    expect(['branch', 'sensor'], name).toContain(node['type']);
    expect(String(node['description']), name).toMatch(/\.$/);
    const isBranch = node['type'] === 'branch';
    const known = isBranch
      ? ['type', 'description']
      : ['type', 'datatype', 'description', 'unit', 'allowed', 'min', 'max'];
    expect(known, name).toEqual(expect.arrayContaining(Object.keys(node)));
    expect(node['datatype'] === undefined, name).toBe(isBranch);
  }
});
