// The speed of a trip. The API does not send one: it follows from acceleration, and the odometer says whether to believe it.
import type { EnumerationColumn, NumberColumn, TripColumns } from '../series/columns.js';

/** Standard gravity in m/s²: https://physics.nist.gov/cgi-bin/cuu/Value?gn */
export const gravity = 9.80665;
/** The step of an odometer's readings in km. */
export const odometerStepKm = 0.1;

/** Options of what is derived from acceleration. */
export interface SpeedOptions {
  /**
   * How far a derived speed may be off, in km/h. Default 0.5, which holds for every sample of the sandbox; real sensors may need
   * more.
   */
  readonly speedErrorKmh?: number | undefined;
}

/** The speed at each sample of the longitudinal acceleration. */
export interface DerivedSpeed {
  /** In km/h, negative backwards; `NaN` where a sample without a value leaves it unknown. */
  readonly values: Float64Array;
  /** Milliseconds from one sample to the next. Their times are assumed. */
  readonly stepMs: number;
  /** How far a value may be off, in km/h. */
  readonly errorKmh: number;
}

/** Column of a trip that is measured in numbers. */
export function numbersAt(trip: TripColumns<'driving'> | null, path: string): NumberColumn | undefined {
  const column = columnAt(trip, path);
  return column?.kind === 'number' ? column : undefined;
}

/** Column of a trip with a fixed set of values. */
export function textsAt(trip: TripColumns<'driving'> | null, path: string): EnumerationColumn | undefined {
  const column = columnAt(trip, path);
  return column?.kind === 'enumeration' ? column : undefined;
}

function columnAt(trip: TripColumns<'driving'> | null, path: string) {
  const columns: Readonly<Record<string, NumberColumn | EnumerationColumn | undefined>> = trip?.columns ?? {};
  return columns[path];
}

/**
 * The speed of a trip, summed up from its acceleration. A trip is assumed to begin at a standstill, and a sample to hold the mean
 * acceleration since the one before. After a sample without a value the speed is unknown until the gear is `p`.
 *
 * `null` where it cannot be trusted: without acceleration, odometer or assumed times, or where the distance that follows from the
 * speed is not what the odometer shows.
 */
export function speedOf(
  driving: TripColumns<'driving'> | null,
  { speedErrorKmh = 0.5 }: SpeedOptions = {},
): DerivedSpeed | null {
  const acceleration = numbersAt(driving, 'acceleration.longitudinal');
  const odometer = numbersAt(driving, 'odometer.value');
  const stepMs = acceleration?.stepMs;
  if (!acceleration || !odometer || !stepMs || odometer.stepMs !== stepMs) return null;
  const gear = textsAt(driving, 'transmission.gear')?.values;
  const values = new Float64Array(acceleration.values.length);
  const kmhPerG = gravity * 3.6 * (stepMs / 1000);
  let speed = 0;
  // What the odometer should show since it was last in step with the speed.
  let [driven, from] = [0, Number.NaN];
  for (let index = 0; index < values.length; index += 1) {
    const before = speed;
    speed += (acceleration.values[index] ?? Number.NaN) * kmhPerG;
    if (Number.isNaN(speed) && gear?.[index] === 'p') speed = 0;
    values[index] = speed;
    driven += (Math.abs(before + speed) / 2) * (stepMs / 3_600_000);
    const reading = odometer.values[index] ?? Number.NaN;
    if (Number.isNaN(driven) || Number.isNaN(from)) [driven, from] = [0, reading];
    else if (Math.abs(reading - from - driven) > 1.5 * odometerStepKm + 0.02 * driven) return null;
  }
  return { values, stepMs, errorKmh: speedErrorKmh };
}
