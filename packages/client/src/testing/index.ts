// Factories by the names of the contract, hence a wildcard.
export * from '../generated/factories.js';
export { type Fake, type FakeCall, type Fakes, fakeClient, type MswHttp, mswHandlers } from './fake-service.js';
export {
  apiResponse,
  type ClientErrorOptions,
  clientError,
  fakeTrips,
  type ServiceErrorOptions,
  serviceError,
} from './stubs.js';
