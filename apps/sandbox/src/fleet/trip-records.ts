import type { operations, SeriesSpec } from '@vehicle-data/openapi';
import { isObject } from '../json-value.js';
import type { Day } from './calendar.js';
import { type DrivingSignals, drivingSignals } from './driving-signals.js';
import type { TripRecord } from './history.js';
import type { PowertrainSignals } from './powertrain.js';
import type { Trip } from './trip.js';

interface Signals {
  readonly driving: () => DrivingSignals;
  readonly powertrain: () => PowertrainSignals | undefined;
}

type SignalPath =
  | keyof typeof operations.getDrivingData.series.signals
  | keyof typeof operations.getPowertrainData.series.signals;

type Read = (signals: Signals) => readonly unknown[] | undefined;

const read: { readonly [Path in SignalPath]: Read } = {
  'ignition.status': ({ driving }) => driving().ignition,
  'odometer.value': ({ driving }) => driving().odometer,
  'acceleration.longitudinal': ({ driving }) => driving().longitudinal,
  'angularVelocity.yaw': ({ driving }) => driving().yaw,
  'isla.optionUsm': ({ driving }) => driving().usm,
  'isla.optionUsm2': ({ driving }) => driving().usm2,
  'seatbelt.assistance': ({ driving }) => driving().passengerBelt,
  'seatbelt.driver': ({ driving }) => driving().driverBelt,
  'steeringWheel.angle': ({ driving }) => driving().steeringAngle,
  'steeringWheel.rotationSpeed': ({ driving }) => driving().rotationSpeed,
  'transmission.gear': ({ driving }) => driving().gear,
  'batteries.hv.voltage': ({ powertrain }) => powertrain()?.voltage,
  'engine.oilTemperature': ({ powertrain }) => powertrain()?.oilTemperature,
  'engine.rpm': ({ powertrain }) => powertrain()?.rpm,
};

const readers: ReadonlyMap<string, Read> = new Map(Object.entries(read));

/** The trips of one day as the API returns them in a series. A signal that no vehicle of the fleet has is left out. */
export function* tripRecords(
  trips: readonly Trip[],
  day: Day,
  series: SeriesSpec,
  seed: number,
  sensorNoise: boolean,
): Generator<TripRecord> {
  const powertrains = once(() => trips[0]?.car.powertrain(day, trips, sensorNoise) ?? []);
  for (const [index, trip] of trips.entries()) {
    const signals: Signals = {
      driving: once(() => drivingSignals(trip, seed, sensorNoise)),
      powertrain: () => powertrains()[index],
    };
    const record: Record<string, unknown> = {
      [series.startTime]: new Date(trip.startMs).toISOString(),
      [series.duration]: trip.endMs - trip.startMs,
    };
    for (const path of Object.keys(series.signals)) {
      const samples = readers.get(path)?.(signals);
      if (samples !== undefined) place(record, path.split('.'), samples);
    }
    yield { startMs: trip.startMs, endMs: trip.endMs, record };
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Puts a value at a path of an object, making the objects on the way. */
function place(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = { ...(isObject(into[name]) ? into[name] : {}) };
  place(inner, rest, value);
  into[name] = inner;
}
