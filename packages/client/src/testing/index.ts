// Factories by the names of the contract, hence a wildcard.
export * from '../generated/factories.js';
export type { Fake, FakeCall, Fakes } from '../generated/fakes.js';
export { apiResponse } from './api-response.js';
export { fakeClient } from './fake-client.js';
export { fakeTrips } from './fake-trips.js';
export { type MswHttp, mswHandlers } from './msw-handlers.js';
export { type ServiceErrorOptions, serviceError } from './service-error.js';
