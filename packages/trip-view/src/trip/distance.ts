// Signals of a trip over the distance in place of the time, so that two trips on one road can be compared.
import { derivedSpeedOf } from './facts.js';
import { defectRuns, type Signal } from './signals.js';
import type { Trip } from './trip.js';

/** Distance from one shown sample to the next in meters. */
export const distanceStepMeters = 10;

/**
 * Each signal that has as many samples as the speed, with one sample every 10 m: the last one up to there. A stop is one place. None
 * where there is no speed.
 */
export function byDistance(trip: Trip): Signal[] {
  const speed = derivedSpeedOf(trip);
  if (speed === null) return [];
  const metersPerKmh = speed.stepMs / 3600;
  const places: number[] = [];
  let meters = 0;
  for (const [index, kmh] of speed.values.entries()) {
    if (Number.isNaN(kmh)) return [];
    meters += Math.abs(kmh) * metersPerKmh;
    const place = Math.floor(meters / distanceStepMeters);
    // At high speed, one sample stands for several places.
    while (places.length < place) places.push(Math.max(0, index - 1));
    places[place] = index;
  }
  return trip.signals
    .filter(({ length, timeBasis }) => length === speed.values.length && timeBasis !== 'unknown')
    .map((signal) => {
      const raw = places.map((index) => signal.raw[index]);
      const values =
        signal.kind === 'number'
          ? Float64Array.from(places, (index) => signal.values[index] ?? Number.NaN)
          : places.map((index) => signal.values[index] ?? null);
      const defects = signal.defects.length > 0 ? defectRuns(values, raw, signal.kind) : [];
      // The values are those of the signal, at other places.
      return { ...signal, values, raw, defects, length: places.length } as Signal;
    });
}
