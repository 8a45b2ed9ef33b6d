import type { OperationId } from '@vehicle-data/openapi';
import { type Answer, failure, success } from '../answer.js';
import type { Car } from '../fleet/car.js';
import type { Whereabouts } from '../fleet/fleet.js';
import { locationReport, statusReport } from '../fleet/report.js';
import { type Call, type Handler, sharedVehicle } from './call.js';

type Parts = Pick<Call<OperationId>, Exclude<keyof Call<OperationId>, 'request'>>;

function answerLatest(
  call: Parts,
  vin: string,
  report: (car: Car, here: Whereabouts, nowMs: number) => unknown,
): Answer {
  const { facts, fleet, successMember } = call;
  const vehicle = sharedVehicle(call, vin);
  if (typeof vehicle === 'string') return failure(facts, vehicle);
  const car = fleet.car(vin);
  const here = fleet.whereabouts(vin, facts.nowMs);
  if (car === undefined || here === undefined) return failure(facts, '4045');
  return success(facts, JSON.stringify(report(car, here, facts.nowMs)), successMember);
}

export const getLocation: Handler<'getLocation'> = (call) => answerLatest(call, call.request.path.vin, locationReport);

export const getCurrentStatus: Handler<'getCurrentStatus'> = (call) =>
  answerLatest(call, call.request.path.vin, (_, here, nowMs) => statusReport(here, nowMs));
