import { type ErrorCode, type OperationId, operations, type SeriesSpec, type Vehicle } from '@vehicle-data/openapi';
import type { RequestOf } from '@vehicle-data/validators';
import type { Consents } from './consents.js';
import { dayInZone, dayOfBasicDate, millisecondsPerDay } from './fleet/calendar.js';
import type { History } from './fleet/history.js';
import type { FleetVehicle } from './fleet/vehicles.js';
import type { CallFacts } from './reply.js';

/** One checked call, with what a handler needs to respond to it. */
export interface Call<Id extends OperationId> {
  readonly facts: CallFacts;
  /** The checked parameters. */
  readonly request: RequestOf<Id>;
  /** Whose token it carries, or the demo owner where a token is optional and absent. */
  readonly owner: string;
  /** Position of its brand in the list of brands. */
  readonly brandPosition: number;
  /** The vehicle that it names, which its owner shares. */
  readonly vehicle: FleetVehicle | undefined;
  readonly history: History;
  readonly consents: Consents;
  /** Keeps a change of state; to be awaited before the response. */
  readonly save: () => Promise<void>;
}

/** The `data` of the response, or the error that it is instead. */
export type Outcome = object | ErrorCode;

/** The operations that the sandbox plays. Any other operation of the contract gets a response made from its schema. */
export const handlers: { readonly [Id in OperationId]?: (call: Call<Id>) => Outcome | Promise<Outcome> } = {
  listVehicles({ owner, brandPosition, consents }) {
    const listed = ({ vin, type, nickname, name, sellname }: FleetVehicle): Vehicle => ({
      vin,
      type,
      nickname,
      name,
      sellname,
    });
    return { vehicles: Array.from(consents.shared(owner, brandPosition), listed) };
  },
  async stopDataSharing({ owner, brandPosition, vehicle, consents, save }) {
    const stopped = vehicle ? [vehicle] : [...consents.shared(owner, brandPosition)];
    for (const { vin } of stopped) consents.set(vin, 'withdrawn');
    await save();
    return {};
  },
  getPowertrainData: (call) => trips(call, call.request.query, operations.getPowertrainData.series),
  getDrivingData: (call) => trips(call, call.request.query, operations.getDrivingData.series),
  getLocation: ({ vehicle, history, facts }) => (vehicle && history.location(vehicle, facts.nowMs)) ?? '4045',
  getCurrentStatus: ({ vehicle, history, facts }) => (vehicle && history.status(vehicle, facts.nowMs)) ?? '4045',
};

interface DateRange {
  readonly startDate: string;
  readonly endDate: string;
  readonly zoneId: string;
}

/** The trips that have ended and that start on a day of the range, counted in the zone of the request. */
function trips(
  { vehicle, history, facts }: Pick<Call<OperationId>, 'vehicle' | 'history' | 'facts'>,
  { startDate, endDate, zoneId }: DateRange,
  series: SeriesSpec,
): Outcome {
  if (vehicle === undefined) return '4101';
  const [first, last] = [dayOfBasicDate(startDate), dayOfBasicDate(endDate)];
  // The days of two zones are at most one day apart, and what has not ended by now is not looked for.
  const today = Math.floor(facts.nowMs / millisecondsPerDay);
  const found: object[] = [];
  for (const { startMs, endMs, record } of history.tripRecords(vehicle, series, first - 1, Math.min(last, today) + 1)) {
    const day = dayInZone(startMs, zoneId);
    if (endMs <= facts.nowMs && day >= first && day <= last) found.push(record);
  }
  return { [series.items]: found };
}
