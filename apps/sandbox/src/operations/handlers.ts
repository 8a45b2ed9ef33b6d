import type { Handlers } from './call.js';
import { listVehicles, stopDataSharing } from './consent.js';
import { getCurrentStatus, getLocation } from './latest.js';
import { getDrivingData, getPowertrainData } from './trips.js';

/** Every operation that the sandbox plays for real. */
export const handlers: Handlers = {
  listVehicles,
  stopDataSharing,
  getPowertrainData,
  getDrivingData,
  getLocation,
  getCurrentStatus,
};
