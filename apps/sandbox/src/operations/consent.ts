import type { Vehicle } from '@vehicle-data/openapi';
import { failure, success } from '../answer.js';
import { type Handler, sharedVehicle } from './call.js';

/** The vehicles of the owner and the brand that share their data. */
export const listVehicles: Handler<'listVehicles'> = ({ facts, owner, brandPosition, consents, successMember }) => {
  const vehicles = consents
    .shared(owner, brandPosition)
    .map(({ vin, type, nickname, name, sellname }): Vehicle => ({ vin, type, nickname, name, sellname }));
  return success(facts, JSON.stringify({ vehicles }), successMember);
};

/** Withdraws one vehicle, or without a VIN every shared vehicle of the owner and the brand. */
export const stopDataSharing: Handler<'stopDataSharing'> = async (call) => {
  const { facts, request, owner, brandPosition, consents, save, successMember } = call;
  const { vin } = request.query;
  if (vin === undefined) {
    for (const vehicle of consents.shared(owner, brandPosition)) consents.set(vehicle.vin, 'withdrawn');
  } else {
    const vehicle = sharedVehicle(call, vin);
    if (typeof vehicle === 'string') return failure(facts, vehicle);
    consents.set(vin, 'withdrawn');
  }
  await save();
  return success(facts, '{}', successMember);
};
