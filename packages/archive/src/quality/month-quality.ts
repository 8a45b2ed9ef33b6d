// The quality of a vehicle's data, month by month: pure functions of what the archive holds. The DuckDB view trip_quality computes the
// same numbers.
import type { WindowEntry } from '../store/state-store.js';
import type { LateTrip, MonthQuality, QualityGap } from './quality-report.js';
import type { HeldTrip } from './read-held-trips.js';

/** Readings of the odometer are rounded to 0.1 km: two of them may differ by that without a kilometer missing. */
export const leastMissingKm = 0.15;

/** What is known of a vehicle. */
export interface HeldVehicle {
  readonly trips: readonly HeldTrip[];
  readonly entries: readonly WindowEntry[];
  readonly windowsMissing: MonthQuality['windowsMissing'];
  /** yyyy-MM-dd of a time, in the zone of the archive. */
  readonly dayOf: (time: number) => string;
  /** Whether an export at a time took a day as complete. */
  readonly isClosed: (day: string, at: number) => boolean;
  readonly lateAfterMs: number;
}

/** The months of a vehicle that have windows, held or missing, the first one first. */
export function monthsOf(held: HeldVehicle): readonly MonthQuality[] {
  const { trips, entries, windowsMissing } = held;
  const months = new Set([...entries, ...windowsMissing].map(({ from }) => from.slice(0, 7)));
  const [gaps, overlapping] = [gapsOf(trips), overlapsOf(trips)];
  const late = lateTrips(held);
  const untimed = new Set(untimedTrips(trips));
  return [...months].sort().map((month) => {
    const own = trips.filter((trip) => trip.month === month);
    const sides = sidesOf(own);
    const tripsByDay = new Array<number>(daysIn(month)).fill(0);
    for (const { start, copies } of sides) {
      if (start === null) continue;
      const [inMonth, day] = [held.dayOf(start).slice(0, 7), Number(held.dayOf(start).slice(8)) - 1];
      if (inMonth === month) tripsByDay[day] = (tripsByDay[day] ?? 0) + copies;
    }
    const monthGaps = gaps.filter((gap) => gap.month === month).map(({ month: _, ...gap }) => gap);
    const isOwn = ({ from }: WindowEntry) => from.startsWith(month);
    return {
      month,
      tripsByDay,
      daysWithTrips: tripsByDay.filter((count) => count > 0).length,
      trips: sides.reduce((sum, { copies }) => sum + copies, 0),
      drivenKm: rounded(own.reduce((sum, { odometer }) => sum + (odometer ? odometer[1] - odometer[0] : 0), 0)),
      missingKm: rounded(monthGaps.reduce((sum, { km }) => sum + km, 0)),
      gaps: monthGaps,
      overlapping: overlapping.filter((one) => one.month === month).map(({ start }) => start),
      oneSided: sides.flatMap(({ start, series, copies, both }) =>
        Array.from({ length: copies - both }, () => ({ start: start === null ? null : iso(start), series })),
      ),
      late: late.filter((one) => one.month === month).map(({ month: _, ...one }) => one),
      changed: [...new Set(entries.filter(isOwn).flatMap(({ changed }) => changed ?? []))]
        .sort((one, other) => one - other)
        .map(iso),
      untimed: own.flatMap((trip) => (untimed.has(trip) && trip.start !== null ? [iso(trip.start)] : [])),
      unknownShare: unknownShareOf(own),
      samplesPerSecond: spreadOf(
        own.flatMap(({ samples, lengthMs }) => (lengthMs ? [samples / (lengthMs / 1000)] : [])),
      ),
      outOfRange: own.reduce((sum, one) => sum + one.outOfRange, 0),
      missing: own.reduce((sum, one) => sum + one.missing, 0),
      members: [...new Set(own.flatMap(({ members }) => members))].sort(),
      windowsMissing: windowsMissing.filter(({ from }) => from.startsWith(month)),
    };
  });
}

/** How many trips begin at each time, and in which series. */
function sidesOf(trips: readonly HeldTrip[]) {
  const starts = new Map<number | null, Map<string, number>>();
  for (const { start, series } of trips) {
    const counts = starts.get(start) ?? new Map<string, number>();
    counts.set(series, (counts.get(series) ?? 0) + 1);
    starts.set(start, counts);
  }
  return [...starts].map(([start, counts]) => {
    const [[series = '', copies = 0] = [], [, other = 0] = []] = [...counts].sort(([, one], [, two]) => two - one);
    return { start, series, copies, both: other };
  });
}

const inOrder = (trips: readonly HeldTrip[], series?: string) =>
  trips
    .filter(
      (trip): trip is HeldTrip & { start: number } => trip.start !== null && trip.series === (series ?? trip.series),
    )
    .sort((one, other) => one.start - other.start || (one.lengthMs ?? 0) - (other.lengthMs ?? 0));

/** Where the odometer of a trip begins further than that of the trip before ended. */
function gapsOf(trips: readonly HeldTrip[]): readonly (QualityGap & { readonly month: string })[] {
  const read = inOrder(trips).flatMap(({ odometer, start, month }) => (odometer ? [{ odometer, start, month }] : []));
  return read.flatMap(({ odometer, start, month }, index) => {
    const before = read[index - 1];
    const km = before ? rounded(odometer[0] - before.odometer[1]) : 0;
    return before && km >= leastMissingKm ? [{ after: iso(before.start), before: iso(start), km, month }] : [];
  });
}

function overlapsOf(trips: readonly HeldTrip[]) {
  return [...new Set(trips.map(({ series }) => series))].flatMap((series) =>
    inOrder(trips, series).flatMap(({ start, month }, index, all) => {
      const before = all[index - 1];
      return before && start < before.start + (before.lengthMs ?? 0) ? [{ start: iso(start), month }] : [];
    }),
  );
}

/** A trip may have one sample more or less than its length says. */
export const mostSamplesOff = 1.5;
/** So many trips of one step make it the usual one. */
export const fewestForStep = 3;

/**
 * Trips whose samples do not fit their length. Files of a week with one or two trips have no usual step, so their trips have no
 * assumed times: what the other trips of the vehicle send a second tells whether they fit.
 */
function untimedTrips(trips: readonly HeldTrip[]): readonly HeldTrip[] {
  return [...new Set(trips.map(({ series }) => series))].flatMap((name) => {
    const own = trips.filter(({ series }) => series === name);
    const rates = own.flatMap(({ sent, timed, samples, lengthMs }) =>
      sent > 0 && timed === sent && lengthMs ? [samples / lengthMs] : [],
    );
    const rate = rates.length > 0 ? rates.reduce((sum, one) => sum + one, 0) / rates.length : null;
    const isUnknown = ({ sent, timed, samples, lengthMs }: HeldTrip) => {
      if (timed === sent) return false;
      if (timed > 0) return true;
      if (rate === null) return own.length >= fewestForStep;
      return lengthMs === null || Math.abs(samples - lengthMs * rate) > mostSamplesOff;
    };
    return own.filter(isUnknown);
  });
}

/** Trips that were missing when an export took their day as complete, though they had been over for longer than that. */
function lateTrips({
  trips,
  entries,
  lateAfterMs,
  dayOf,
  isClosed,
}: HeldVehicle): readonly (LateTrip & { readonly month: string })[] {
  return entries.flatMap(({ series, from, to, arrivals = [] }) =>
    arrivals.flatMap(({ after, at, starts }) => {
      if (after === null) return [];
      const arrived = new Set(starts);
      return trips.flatMap((trip) => {
        const isOwn = trip.series === series && trip.month === from.slice(0, 7) && to.startsWith(trip.month);
        if (!isOwn || trip.start === null || !arrived.has(trip.start)) return [];
        const end = trip.start + (trip.lengthMs ?? 0);
        if (Date.parse(after) - end < lateAfterMs || !isClosed(dayOf(trip.start), Date.parse(after))) return [];
        const latenessMs = Date.parse(at) - end;
        return [{ start: iso(trip.start), series, firstSeenAt: at, latenessMs, month: trip.month }];
      });
    }),
  );
}

function unknownShareOf(trips: readonly HeldTrip[]): number {
  let [unknown, all] = [0, 0];
  for (const { lengthMs, sent, timed } of trips) {
    if (!lengthMs || sent === 0) continue;
    all += lengthMs;
    unknown += (lengthMs * (sent - timed)) / sent;
  }
  return all === 0 ? 0 : unknown / all;
}

function spreadOf(values: readonly number[]): MonthQuality['samplesPerSecond'] {
  const sorted = [...values].sort((one, other) => one - other);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  const median = lower === undefined || upper === undefined ? null : (lower + upper) / 2;
  return { lowest: sorted[0] ?? null, median, highest: sorted.at(-1) ?? null };
}

const daysIn = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
const iso = (time: number) => new Date(time).toISOString();
/** The difference of two readings has digits that neither has. */
const rounded = (km: number) => Number(km.toFixed(3));
