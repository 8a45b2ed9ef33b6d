// Trips of the sandbox, served night by night with known faults, and what a report must find of them.
import { createVehicleDataClient } from '@vehicle-data/client';
import type { SeriesName } from '@vehicle-data/client/series';
import type { WindowRequest } from '../../src/index.js';
import { createSandbox, demoAccessToken, type SandboxOptions } from '../sandbox.ts';

const msPerDay = 86_400_000;
const msPerHour = 3_600_000;

/** A trip of either series; the samples are in members that are of no interest here. */
type Trip = Readonly<Record<string, unknown>> & { readonly triggerStartTime: string; readonly tripLength: number };
type Trips = ReadonlyMap<string, Readonly<Record<SeriesName, readonly Trip[]>>>;

/** Every how manieth trip has a fault. */
export interface FaultRates {
  /** In no series, ever. */
  readonly lost?: number;
  /** Served three days after its end. */
  readonly late?: number;
  /** Without a stretch of samples. */
  readonly cut?: number;
  /** Another length from the sixth day after its end on. */
  readonly altered?: number;
  /** A second trip begins in the middle of it. */
  readonly doubled?: number;
  /** In the driving series only. */
  readonly oneSided?: number;
}

export interface Faulty {
  readonly served: (window: WindowRequest, now: number) => readonly unknown[];
  /** Starts of the trips that a report must name, each behind its pseudonym. */
  readonly known: (pseudonymOf: (vin: string) => string) => Readonly<Record<keyof FaultRates, readonly string[]>>;
  /** How many lost trips did not move the odometer by a step that its readings show: no kilometer is missing. */
  readonly unmoved: number;
}

/** The trips of some vehicles, as the sandbox sends them. Default its own fleet. */
export async function sandboxTrips(
  vins: readonly string[],
  days: Readonly<Record<'from' | 'to', string>>,
  fleet: Pick<SandboxOptions, 'vehicles'> = {},
): Promise<Trips> {
  const now = new Date(Date.parse(days.to) + 20 * msPerDay);
  const { fetch } = createSandbox({ now, frozen: true, ...fleet });
  const client = createVehicleDataClient({
    baseUrl: 'http://sandbox',
    brand: 'brand_a',
    accessToken: demoAccessToken,
    fetch,
  });
  const [from, to] = [days.from.replaceAll('-', ''), days.to.replaceAll('-', '')];
  const all = new Map<string, Record<SeriesName, readonly Trip[]>>();
  for (const vin of vins) {
    const read = async (series: SeriesName) => {
      const trips: Trip[] = [];
      for await (const trip of client.trips[series]({ vin, from, to })) trips.push(trip as Trip);
      return trips;
    };
    all.set(vin, { driving: await read('driving'), powertrain: await read('powertrain') });
  }
  return all;
}

/** What findings depend on: readings of the odometer, and of the others how many samples they have. Whole trips take three times as long. */
const signals = ['odometer', 'acceleration', 'batteries', 'engine'];

/** The trips without their other signals. */
export function thinned(trips: Trips): Trips {
  const isKept = ([name, member]: readonly [string, unknown]) => typeof member !== 'object' || signals.includes(name);
  const thin = (trip: Trip) => Object.fromEntries(Object.entries(trip).filter(isKept)) as Trip;
  return new Map(
    Array.from(trips, ([vin, { driving, powertrain }]) => [
      vin,
      { driving: driving.map(thin), powertrain: powertrain.map(thin) },
    ]),
  );
}

/** Three o'clock in each night from the second day on, until all windows are settled. */
export function nightsOf({ from, to }: Readonly<Record<'from' | 'to', string>>): readonly number[] {
  const nights: number[] = [];
  for (let day = Date.parse(from) + msPerDay; day <= Date.parse(to) + 6 * msPerDay; day += msPerDay)
    nights.push(day + 3 * msPerHour);
  return nights;
}

/** Readings of the odometer have steps of 0.1 km: what a report takes for a missing kilometer is more than one of them. */
const leastMovedKm = 0.15;
/** How far a trip moved the odometer. */
function movedKm(trip: Trip): number {
  const { value = [] } = trip['odometer'] as { readonly value?: readonly (number | null)[] };
  const read = value.filter((reading) => reading !== null);
  return (read.at(-1) ?? 0) - (read[0] ?? 0);
}

const endOf = ({ triggerStartTime, tripLength }: Trip) => Date.parse(triggerStartTime) + tripLength;
const dayOf = (trip: Trip) => trip.triggerStartTime.slice(0, 10).replaceAll('-', '');

/** Takes a stretch of samples out of the middle of every signal. */
function withoutStretch(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSpliced(value.length >> 1, Math.max(5, value.length >> 3));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutStretch(member)]));
}

/** Faults, each at every so manieth trip of a vehicle; no trip has two, and none beside a lost one has any. */
export function faultsOf(trips: Trips, rates: FaultRates): Faulty {
  const kinds = Object.keys(rates) as (keyof FaultRates)[];
  const faultAt = (index: number) => (index === 0 ? undefined : kinds.find((kind) => index % (rates[kind] ?? 1) === 0));
  const faults = new Map<string, keyof FaultRates>();
  for (const [vin, { driving }] of trips)
    for (const [index, { triggerStartTime }] of driving.entries()) {
      const kind = faultAt(index);
      if (kind !== undefined) faults.set(`${vin} ${triggerStartTime}`, kind);
    }
  const isTraceless = (vin: string, trip: Trip) =>
    faults.get(`${vin} ${trip.triggerStartTime}`) === 'lost' && movedKm(trip) < leastMovedKm;
  const servedTrip = (vin: string, series: string, trip: Trip, now: number): readonly Trip[] => {
    const kind = faults.get(`${vin} ${trip.triggerStartTime}`);
    const age = now - endOf(trip);
    if (age < 0 || kind === 'lost' || (kind === 'late' && age < 3 * msPerDay)) return [];
    if (kind === 'oneSided' && series !== 'driving') return [];
    if (kind === 'cut') return [withoutStretch(trip) as Trip];
    // One millisecond is a different trip, and leaves its times as they are.
    if (kind === 'altered' && age > 4 * msPerDay) return [{ ...trip, tripLength: trip.tripLength + 1 }];
    if (kind !== 'doubled') return [trip];
    const middle = new Date(Date.parse(trip.triggerStartTime) + 1_000 * Math.floor(trip.tripLength / 2_000));
    return [trip, { ...trip, triggerStartTime: middle.toISOString() }];
  };
  return {
    unmoved: [...trips].flatMap(([vin, { driving }]) => driving.filter((trip) => isTraceless(vin, trip))).length,
    served({ vin, series, startDate, endDate }, now) {
      const isAsked = (trip: Trip) => dayOf(trip) >= startDate && dayOf(trip) <= endDate;
      const all = trips.get(vin)?.[series as SeriesName] ?? [];
      return all.filter(isAsked).flatMap((trip) => servedTrip(vin, series, trip, now));
    },
    known(pseudonymOf) {
      const known: Record<keyof FaultRates, string[]> = {
        ...{ lost: [], late: [], cut: [], altered: [], doubled: [], oneSided: [] },
      };
      for (const [vin, { driving }] of trips) {
        const nameOf = (start: string) => `${pseudonymOf(vin)} ${start}`;
        for (const [index, trip] of driving.entries()) {
          const { triggerStartTime, tripLength } = trip;
          const kind = faults.get(`${vin} ${triggerStartTime}`);
          if (kind === undefined || isTraceless(vin, trip)) continue;
          // A lost trip is known by the trip behind it, where the odometer has gone on.
          const behind = driving
            .slice(index + 1)
            .find((next) => faults.get(`${vin} ${next.triggerStartTime}`) !== 'lost');
          const middle = Date.parse(triggerStartTime) + 1_000 * Math.floor(tripLength / 2_000);
          if (kind === 'doubled') {
            known.doubled.push(nameOf(new Date(middle).toISOString()));
            // The second trip is as long as the first, and may end after the next one has begun.
            if (behind && Date.parse(behind.triggerStartTime) < middle + tripLength)
              known.doubled.push(nameOf(behind.triggerStartTime));
          } else if (kind !== 'lost') known[kind].push(nameOf(triggerStartTime));
          else if (behind) known.lost.push(nameOf(behind.triggerStartTime));
        }
      }
      return known;
    },
  };
}
