// Factories by the names of the contract, hence a wildcard.
export * from '../generated/factories.js';
export type { Fake, FakeCall, Fakes } from '../generated/fakes.js';
export { fakeClient, type MswHttp, mswHandlers } from './fake-service.js';
export { apiResponse, fakeTrips, type ServiceErrorOptions, serviceError } from './stubs.js';
