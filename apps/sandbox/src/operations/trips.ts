import { operations, type SeriesSpec } from '@vehicle-data/openapi';
import { type Answer, failure, successList } from '../answer.js';
import { dayOfBasicDate, millisecondsPerDay } from '../fleet/calendar.js';
import { isWithinDays } from '../request-zone.js';
import { type AnyCall, type Handler, sharedVehicle } from './call.js';

interface TripRequest {
  readonly path: { readonly vin: string };
  readonly query: { readonly startDate: string; readonly endDate: string; readonly zoneId: string };
}

/** The trips that have ended and that start on a day of the range, counted in the zone of the request. */
function answerTrips(call: AnyCall, request: TripRequest, series: SeriesSpec): Answer {
  const { facts, fleet, successMember } = call;
  const { vin } = request.path;
  const vehicle = sharedVehicle(call, vin);
  if (typeof vehicle === 'string') return failure(facts, vehicle);
  const { startDate, endDate, zoneId } = request.query;
  const [first, last] = [dayOfBasicDate(startDate), dayOfBasicDate(endDate)];
  // The days of two zones lie at most one day apart, and what has not ended by now is not looked for.
  const today = Math.floor(facts.nowMs / millisecondsPerDay);
  const found = fleet
    .tripTexts(vin, series, first - 1, Math.min(last, today) + 1)
    .filter(({ startMs, endMs }) => endMs <= facts.nowMs && isWithinDays(startMs, first, last, zoneId));
  return successList(
    facts,
    series.items,
    found.map(({ json }) => json),
    successMember,
  );
}

export const getPowertrainData: Handler<'getPowertrainData'> = (call) =>
  answerTrips(call, call.request, operations.getPowertrainData.series);

export const getDrivingData: Handler<'getDrivingData'> = (call) =>
  answerTrips(call, call.request, operations.getDrivingData.series);
