import { addDays, daysFrom } from '#kit/calendar.js';
import { brands, contractFacts, noDataErrors, tokenErrors } from '../../generated/contract-facts.js';
import type { PageSource } from '../../page-html.js';
import { dayOf } from '../../trip/calendar.js';
import { memberAt } from '../../trip/read.js';
import type { TripRecord } from '../../trip/trip.js';
import { freshMs, SourceError, type TripSource, type VehicleEntry, type Window } from './source.js';

const deadlineMs = 60_000;
const { brandHeader, listPath, locationPath, series } = contractFacts;
/** Windows are as long as every series allows. */
const span = Math.min(...series.map(({ maxDays }) => maxDays));

/** A day as the API writes it: `yyyymmdd`. */
const dateOf = (day: string) => day.replaceAll('-', '');

/** The API on the origin of the page. It reads, and never calls anything that changes consent. */
export function apiSource(base: string, options: Extract<PageSource, { kind: 'api' }>): TripSource {
  const aheadMs = options.now === undefined ? 0 : options.now - Date.now();
  const now = () => Date.now() + aheadMs;
  const { accessToken } = options;
  let brand = '';
  const underWay = new Map<string, Promise<Window>>();

  /** Calls the API. `empty` is what it returns where the API has no data, which is an error unless set. */
  async function call(path: string, empty?: unknown): Promise<unknown> {
    const response = await fetch(base + path, {
      headers: { [brandHeader]: brand, ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }) },
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(deadlineMs),
    }).catch(() => {
      throw new SourceError('The API did not respond. Check that the server still runs, then try again.');
    });
    const body: unknown = await response.json().catch(() => {
      throw new SourceError(`The API responded with status ${response.status} and a body that is not JSON.`);
    });
    const error = memberAt(body, 'error');
    if (error !== undefined || !response.ok) {
      const code = String(memberAt(error, 'code') ?? response.status);
      if (empty !== undefined && noDataErrors.includes(code)) return empty;
      const message = String(memberAt(error, 'message') ?? 'the request failed');
      const isOfServer = accessToken === undefined && tokenErrors.includes(code);
      const advice = isOfServer
        ? ' Renew the sign-in of the server of this page, such as vds trips view, then start it again.'
        : '';
      throw new SourceError(`The API returned error ${code}: ${message}.${advice}`);
    }
    return memberAt(body, 'data');
  }

  const callFor = ({ key }: VehicleEntry, path: string, empty?: unknown) =>
    call(path.replace(/\{[^}]+\}/, encodeURIComponent(key)), empty);

  /** Reads the trips of the days that end with one. */
  async function readDays(vehicle: VehicleEntry, last: string, zone: string): Promise<Window> {
    const today = dayOf(now(), zone);
    const first = addDays(last, -span);
    const results = await Promise.allSettled(
      series.map(async ({ name, path, items, startTime, start, end, zone: zoneParameter }) => {
        const query = new URLSearchParams({ [start]: dateOf(first), [end]: dateOf(last), [zoneParameter]: zone });
        const trips = memberAt(await callFor(vehicle, `${path}?${query}`, { [items]: [] }), items);
        if (!Array.isArray(trips)) throw new SourceError(`The API returned no list of ${name} trips.`);
        return trips.map((trip): TripRecord => {
          const begun = Date.parse(String(memberAt(trip, startTime)));
          // The day is not over, so that the trip may still grow.
          const provisional = Number.isFinite(begun) && dayOf(begun, zone) >= today;
          return { vehicle: vehicle.name, series: name, trip, provisional };
        });
      }),
    );
    const failures = series.flatMap(({ name }, index) => {
      const result = results[index];
      return result?.status === 'rejected' ? [{ name, error: result.reason as unknown }] : [];
    });
    if (failures.length === series.length) throw failures[0]?.error;
    const problems = failures.map(
      ({ name, error }) =>
        `The ${name} trips from ${first} to ${last} could not be read: ${memberAt(error, 'message')}`,
    );
    const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    // What is missing is read again after a while, as trips of today are.
    const staleAt = failures.length > 0 || last === today ? now() + freshMs : undefined;
    const failed = failures.map(({ name }) => name);
    return { first, last, records, problems, failed, staleAt };
  }

  return {
    brands: options.brands ?? brands,
    now,
    async vehicles(chosen) {
      brand = chosen;
      const list = memberAt(await call(listPath), 'vehicles');
      const found = (Array.isArray(list) ? list : []).filter((entry) => typeof memberAt(entry, 'vin') === 'string');
      const vehicles = found.map((entry, index) => ({
        key: String(memberAt(entry, 'vin')),
        name: String(memberAt(entry, 'nickname') || `Vehicle ${index + 1}`),
        detail: ['sellname', 'type']
          .map((name) => memberAt(entry, name))
          .filter((text) => typeof text === 'string')
          .join(' · '),
      }));
      const further = (options.furtherVehicles ?? []).filter((one) => one.brand === chosen);
      return {
        vehicles: [...vehicles, ...further.map(({ vin, name }) => ({ key: vin, name, detail: '' }))],
        problems: [],
      };
    },
    read(vehicle, day, zone) {
      const today = dayOf(now(), zone);
      // Windows end today and before it, so that each day lies in one of them only.
      const last = addDays(today, -Math.floor(daysFrom(day, today) / (span + 1)) * (span + 1));
      const key = JSON.stringify([brand, vehicle.key, last, zone]);
      const reading = underWay.get(key) ?? readDays(vehicle, last, zone).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
    location: (vehicle) => callFor(vehicle, locationPath),
  };
}
