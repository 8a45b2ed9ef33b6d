import { type Answer, failure, success } from '../answer.js';
import { type AnyCall, type Handler, sharedVehicle } from './call.js';

function answerLatest(call: AnyCall, vin: string, latest: () => string | undefined): Answer {
  const vehicle = sharedVehicle(call, vin);
  if (typeof vehicle === 'string') return failure(call.facts, vehicle);
  const report = latest();
  if (report === undefined) return failure(call.facts, '4045');
  return success(call.facts, report, call.successMember);
}

/** The location that the vehicle last reported. */
export const getLocation: Handler<'getLocation'> = (call) => {
  const { vin } = call.request.path;
  return answerLatest(call, vin, () => call.reports.location(vin, call.facts.nowMs));
};

/** The status that the vehicle last reported. */
export const getCurrentStatus: Handler<'getCurrentStatus'> = (call) => {
  const { vin } = call.request.path;
  return answerLatest(call, vin, () => call.reports.status(vin, call.facts.nowMs));
};
