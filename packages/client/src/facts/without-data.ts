import { type Column, columnsOf, jumpsIn } from '../series/columns.js';
import { type AnyTrip, isValue, momentOf, rounded, runsOf } from './find-moments.js';
import type { Moment } from './moment.js';

/** A step for samples whose time is unknown. */
const someStepMs = 1000;

/** Stretches without a value, signals that share one together, and jumps of the odometer. "No value" that was sent is a value. */
export function stretchesWithoutData(trip: AnyTrip, noDataMs: number): Moment[] {
  const stretches = new Map<
    string,
    { readonly from: number; to: number; column: Column; readonly signals: string[] }
  >();
  for (const [path, column] of columnsOf(trip)) {
    const { values, stepMs, counts } = column;
    if (counts.sentinels > 0 || counts.missing + counts.outOfRange === 0) continue;
    const least = Math.max(2, noDataMs / (stepMs ?? someStepMs));
    for (const [from, to] of runsOf(values.length, (index) => !isValue(values[index]))) {
      if (to - from < least) continue;
      const key = `${from} ${to} ${values.length}`;
      const known = stretches.get(key) ?? { from, to, column, signals: [] };
      known.signals.push(path);
      stretches.set(key, known);
    }
  }
  const found = [...stretches.values()].map(({ from, to, column, signals }) =>
    momentOf(trip, 'no-data', signals, column.stepMs, from, to, { samples: to - from }),
  );
  return [...found, ...odometerJumps(trip)];
}

function odometerJumps(trip: AnyTrip): Moment[] {
  const odometer = columnsOf(trip).find(([path]) => path === 'odometer.value')?.[1];
  if (odometer === undefined) return [];
  const { values, stepMs } = odometer;
  const step = stepMs ?? (trip.durationMs ?? 0) / values.length;
  return (step ? jumpsIn(values, step) : []).map((to) => {
    let from = to - 1;
    while (!isValue(values[from])) from -= 1;
    const jumpKm = rounded(Number(values[to]) - Number(values[from]), 1);
    // What is missing lies between two samples: when, is unknown.
    return momentOf(trip, 'no-data', ['odometer.value'], null, from, to + 1, { jumpKm });
  });
}
