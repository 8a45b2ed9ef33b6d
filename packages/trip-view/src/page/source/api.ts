import { brands, contractFacts, tokenErrors } from '../../generated/contract-facts.js';
import type { PageSource } from '../../page-config.js';
import { addDays, dayOf } from '../../trip/calendar.js';
import { memberAt } from '../../trip/member.js';
import type { TripRecord } from '../../trip/trip.js';
import { SourceError, type TripSource } from './source.js';

const deadlineMs = 60_000;

/** The API on the origin of the page. It reads, and never calls anything that changes consent. */
export function apiSource(base: string, options: Extract<PageSource, { kind: 'api' }>): TripSource {
  const { brandHeader, listPath, locationPath, series } = contractFacts;
  let token = options.accessToken;
  const started = Date.now();
  const now = options.now ?? started;

  async function call(path: string, brand: string): Promise<unknown> {
    if (token === undefined && options.authenticated !== true)
      throw new SourceError('An access token is needed to read trips.', true);
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(base + path, {
        headers: { [brandHeader]: brand, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(deadlineMs),
      });
    } catch {
      throw new SourceError('The API did not respond. Check that the server still runs, then try again.');
    }
    try {
      body = await response.json();
    } catch {
      throw new SourceError(`The API responded with status ${response.status} and a body that is not JSON.`);
    }
    const error = memberAt(body, 'error');
    if (error !== undefined || !response.ok) {
      const code = String(memberAt(error, 'code') ?? response.status);
      const message = String(memberAt(error, 'message') ?? 'the request failed');
      throw new SourceError(`The API returned error ${code}: ${message}.`, tokenErrors.includes(code));
    }
    return memberAt(body, 'data');
  }

  return {
    brands: options.brands ?? brands,
    now,
    async vehicles(brand) {
      const list = memberAt(await call(listPath, brand), 'vehicles');
      const found = (Array.isArray(list) ? list : []).filter((entry) => typeof memberAt(entry, 'vin') === 'string');
      return {
        vehicles: found.map((entry, index) => ({
          key: String(memberAt(entry, 'vin')),
          name: String(memberAt(entry, 'nickname') ?? `Vehicle ${index + 1}`),
          detail: [memberAt(entry, 'sellname'), memberAt(entry, 'type')]
            .filter((text) => typeof text === 'string')
            .join(' · '),
        })),
        problems: [],
      };
    },
    index: async () => undefined,
    async read(vehicle, brand, day, zone) {
      const today = dayOf(now, zone);
      const span = Math.min(...series.map(({ maxDays }) => maxDays));
      // Windows end today and before it, so that each day lies in one of them only.
      const age = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
      const last = addDays(today, -Math.floor(age / (span + 1)) * (span + 1));
      const first = addDays(last, -span);
      const basic = (date: string) => date.replaceAll('-', '');
      const problems: string[] = [];
      const records: TripRecord[] = [];
      const results = await Promise.allSettled(
        series.map(async ({ name, path, items, startTime, start, end, zone: zoneParameter }) => {
          const query = new URLSearchParams({ [start]: basic(first), [end]: basic(last), [zoneParameter]: zone });
          const data = await call(`${path.replace(/\{[^}]+\}/, encodeURIComponent(vehicle.key))}?${query}`, brand);
          const trips = memberAt(data, items);
          if (!Array.isArray(trips)) throw new SourceError(`The API returned no list of ${name} trips.`);
          for (const trip of trips) {
            const begun = Date.parse(String(memberAt(trip, startTime)));
            // The day is not over, so that the trip may still grow.
            const provisional = Number.isFinite(begun) && dayOf(begun, zone) >= today;
            records.push({ vehicle: vehicle.name, series: name, trip, provisional });
          }
        }),
      );
      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason);
      if (failures.length === series.length) throw failures[0];
      for (const failure of failures) problems.push(failure instanceof Error ? failure.message : 'A series failed.');
      return { first, last, records, problems };
    },
    location: (vehicle, brand) => call(locationPath.replace(/\{[^}]+\}/, encodeURIComponent(vehicle.key)), brand),
    setToken(text) {
      token = text;
    },
  };
}
