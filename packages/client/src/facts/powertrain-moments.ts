import type { TripColumns } from '../series/columns.js';
import { findMoments, greatest } from './find-moments.js';
import type { Limits, Moment } from './moment.js';

/** Milliseconds before a sample whose highest voltage a dip is measured from. */
const beforeMs = 30_000;

/** Moments of engine and battery. */
export function powertrainMoments(trip: TripColumns<'powertrain'>, limits: Limits): Moment[] {
  const { 'engine.rpm': rpm, 'engine.oilTemperature': oil, 'batteries.hv.voltage': battery } = trip.columns;
  const turns = (index: number) => rpm?.values[index] ?? Number.NaN;
  const celsius = (index: number) => oil?.values[index] ?? Number.NaN;
  const cold = findMoments(
    trip,
    'cold-engine',
    [
      ['engine.rpm', rpm],
      ['engine.oilTemperature', oil],
    ],
    (index) => turns(index) >= limits.coldRpm && celsius(index) < limits.coldOilCelsius,
    (from, to) => ({ highestRpm: greatest(from, to, turns), oilCelsius: celsius(from) }),
  );
  if (!battery?.stepMs) return cold;
  const volts = (index: number) => battery.values[index] ?? Number.NaN;
  const before = Math.max(1, Math.round(beforeMs / battery.stepMs));
  const highest = (index: number) => greatest(Math.max(0, index - before), index + 1, volts);
  const dips = findMoments(
    trip,
    'voltage-dip',
    [['batteries.hv.voltage', battery]],
    (index) => volts(index) <= highest(index) * (1 - limits.dipShare),
    (from, to) => ({ lowestV: -greatest(from, to, (index) => -volts(index)), fromV: highest(from) }),
  );
  return [...cold, ...dips];
}
