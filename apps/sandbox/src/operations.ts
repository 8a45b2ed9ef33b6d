import { type OperationId, operations } from '@vehicle-data/openapi';
import { msPerDay } from '#kit/calendar.js';
import { fail, type ServiceContext } from './call.js';
import { dayInZone } from './fleet/calendar.js';
import { Random } from './fleet/random.js';
import { locationOn, statusOn } from './fleet/report.js';
import type { Trip } from './fleet/trips.js';
import type { FleetVehicle } from './fleet/vehicles.js';
import type { Schema } from './generated/responses.js';
import type { World } from './world.js';

/** One checked call, with what a handler needs to respond to it. */
export interface Call {
  readonly c: ServiceContext;
  readonly world: World;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whose token it carries, or the demo owner where a token is optional and absent. */
  readonly owner: string;
  readonly brand: string;
  /** The vehicle that it names, which its owner shares. */
  readonly vehicle: FleetVehicle | undefined;
}

/** The `data` of the responses of the operations that the sandbox plays. Any other operation of the contract gets a response made from its schema. */
export const handlers: { readonly [Id in OperationId]?: (call: Call) => object | Promise<object> } = {
  listVehicles({ world, owner, brand }) {
    const listed = ({ vin, type, nickname, name, sellname }: FleetVehicle) => ({ vin, type, nickname, name, sellname });
    return { vehicles: world.consents.shared(owner, brand).map(listed) };
  },
  async stopDataSharing({ world, owner, brand, vehicle }) {
    await world.consents.setAll(vehicle ? [vehicle] : world.consents.shared(owner, brand), 'withdrawn');
    return {};
  },
  getPowertrainData: (call) => trips(call, 'powertrain', operations.getPowertrainData.series.items),
  getDrivingData: (call) => trips(call, 'driving', operations.getDrivingData.series.items),
  getLocation: (call) => latest(call, locationOn),
  getCurrentStatus: (call) => latest(call, statusOn),
};

function latest({ c, world, vehicle }: Call, report: (trip: Trip, nowMs: number) => object): object {
  const nowMs = c.get('nowMs');
  const trip = vehicle && world.car(vehicle).lastTrip(nowMs);
  return trip ? report(trip, nowMs) : fail(c, '4045');
}

/** The trips that have ended and that start on a day of the range, counted in the zone of the request. */
function trips({ c, world, vehicle, query }: Call, data: 'driving' | 'powertrain', items: string): object {
  if (vehicle === undefined) return fail(c, '4101');
  const car = world.car(vehicle);
  const nowMs = c.get('nowMs');
  const { startDate, endDate, zoneId = 'UTC' } = query;
  const dayOf = (date: unknown) => Date.parse(String(date).replace(/(....)(..)(..)/, '$1-$2-$3')) / msPerDay;
  const [first, last] = [dayOf(startDate), dayOf(endDate)];
  // The days of two zones are at most two days apart (-12 and +14 hours), and what has not ended by now is not looked for.
  const today = Math.floor(nowMs / msPerDay);
  const isWanted = ({ startMs, endMs }: Trip) => {
    const day = dayInZone(startMs, String(zoneId));
    return endMs <= nowMs && day >= first && day <= last;
  };
  const found: object[] = [];
  for (let day = first - 2; day <= Math.min(last + 2, today + 1); day++) {
    const wanted = car.trips(day).map(isWanted);
    if (wanted.includes(true)) found.push(...car[data](day).filter((_, index) => wanted[index]));
  }
  return { [items]: found };
}

/** Data made from a schema, the same for the same seed parts. Times are before `nowMs`, an hour apart. */
export function sampleData(whole: Schema, nowMs: number, ...seed: readonly (string | number)[]): object {
  const random = new Random(...seed);
  let timeMs = nowMs;
  const objectOf = ({ properties = {} }: Schema): object =>
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sample(member)]));
  const sample = (schema: Schema): unknown => {
    const { kind, values, example, items, minItems = 0, maxItems = 8 } = schema;
    if (example !== undefined) return example;
    if (values) return random.pick(values);
    if (kind === 'object') return objectOf(schema);
    if (kind === 'array') {
      const length = Math.max(Math.min(items?.kind === 'object' ? 2 : 8, maxItems), minItems);
      return Array.from({ length }, () => items && sample(items));
    }
    if (kind === 'boolean') return random.chance(0.5);
    if (kind === 'number') {
      const { minimum = Math.min(0, (schema.maximum ?? 100) - 100), maximum = minimum + 100 } = schema;
      const value = random.between(minimum, maximum);
      return schema.integer ? Math.floor(value) : Math.max(minimum, Math.floor(value * 10) / 10);
    }
    if (schema.format !== 'date-time') return 'sample';
    timeMs -= 3_600_000;
    const time = new Date(timeMs).toISOString();
    return schema.pattern && !new RegExp(schema.pattern).test(time) ? `${time.slice(0, 19)}Z` : time;
  };
  return objectOf(whole);
}
