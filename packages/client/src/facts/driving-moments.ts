import type { TripColumns } from '../series/columns.js';
import { findMoments, greatest, rounded } from './find-moments.js';
import type { Limits, Moment } from './moment.js';
import { gravity, numbersAt, speedOf, textsAt } from './speed.js';

/** Moments of acceleration, turns, belts, gear and ignition. Those that need a speed are left out where it is unknown. */
export function drivingMoments(trip: TripColumns<'driving'>, limits: Limits): Moment[] {
  const speed = speedOf(trip, limits);
  const acceleration = numbersAt(trip, 'acceleration.longitudinal');
  const forward = ['acceleration.longitudinal', acceleration] as const;
  const forwardG = acceleration?.values ?? new Float64Array();
  const g = (index: number) => forwardG[index] ?? Number.NaN;
  const kmh = (index: number) => Math.abs(speed?.values[index] ?? Number.NaN);
  /** From which speed to which one, where it is known. */
  const span = (from: number, to: number) => {
    const [before, after] = [kmh(Math.max(0, from - 1)), kmh(to - 1)];
    return Number.isNaN(before + after) ? {} : { fromKmh: rounded(before, 0), toKmh: rounded(after, 0) };
  };
  const all = [
    ...findMoments(
      trip,
      'hard-braking',
      [forward],
      (index) => (forwardG[index] ?? Number.NaN) <= -limits.brakingG,
      (from, to) => ({
        lowestG: -rounded(
          greatest(from, to, (index) => -g(index)),
          3,
        ),
        ...span(from, to),
      }),
    ),
    ...findMoments(
      trip,
      'hard-acceleration',
      [forward],
      (index) => (forwardG[index] ?? Number.NaN) >= limits.accelerationG,
      (from, to) => ({ highestG: rounded(greatest(from, to, g), 3), ...span(from, to) }),
    ),
  ];
  if (speed === null) return all;
  const yaw = numbersAt(trip, 'angularVelocity.yaw');
  const belt = textsAt(trip, 'seatbelt.driver');
  const gear = textsAt(trip, 'transmission.gear');
  const ignition = textsAt(trip, 'ignition.status');
  /** Sideways acceleration in g: speed times turn. */
  const sideways = (index: number) =>
    Math.abs((kmh(index) / 3.6) * (((yaw?.values[index] ?? Number.NaN) * Math.PI) / 180)) / gravity;
  const highest = (from: number, to: number) => ({ highestKmh: rounded(greatest(from, to, kmh), 1) });
  const isMoving = (index: number) => kmh(index) >= limits.contradictionKmh;
  const isForward = (index: number) => isMoving(index) && (speed.values[index] ?? 0) > 0;
  const contradictions = [
    ['transmission.gear', gear, 'p', isMoving],
    ['transmission.gear', gear, 'r', isForward],
    ['ignition.status', ignition, 'off', isMoving],
  ] as const;
  return [
    ...all,
    ...findMoments(
      trip,
      'sharp-turn',
      [['angularVelocity.yaw', yaw], forward],
      (index) => sideways(index) >= limits.turnG,
      (from, to) => ({ sidewaysG: rounded(greatest(from, to, sideways), 2), ...highest(from, to) }),
    ),
    ...findMoments(
      trip,
      'unbelted',
      [['seatbelt.driver', belt], forward],
      // One moment for as long as the belt is open: a halt does not end it.
      (index) => belt?.values[index] === 'unbelted' && !Number.isNaN(kmh(index)),
      highest,
    ).filter(({ values }) => Number(values['highestKmh']) >= limits.unbeltedKmh),
    ...contradictions.flatMap(([path, column, is, contradicts]) =>
      findMoments(
        trip,
        'contradiction',
        [[path, column], forward],
        (index) => column?.values[index] === is && contradicts(index),
        (from, to) => ({ is, ...highest(from, to) }),
      ),
    ),
  ];
}
