// Not exported: how a call is carried out, and the tables made from the contract; @vehicle-data/openapi has those.

export type { TokenRequest, TokenSource } from './access-token.js';
export type { AgedAnswer, Answer, AnswerMeta, ApiCall } from './api-call.js';
export type { CallOptions } from './call-options.js';
export type { Transport, VehicleDataClientOptions } from './client-options.js';
export type { Clock } from './clock.js';
export { createVehicleDataClient, type VehicleDataClient } from './create-client.js';
export type { ClientErrorCode } from './errors.js';
export {
  AbortedError,
  AccessTokenError,
  ArgumentError,
  ConnectionError,
  ConsentError,
  CredentialsError,
  InvalidRequestError,
  isVehicleDataError,
  MalformedAnswerError,
  NoDataError,
  RateLimitError,
  ServiceFailureError,
  TimeoutError,
  VehicleDataError,
} from './errors.js';
export type { ErrorCode, Resolution } from './generated/errors.js';
// Parameters and methods by their names in the contract, hence a wildcard; so are the schemas below.
export type * from './generated/methods.js';
export type { OperationId } from './generated/operations.js';
export type * from './generated/schemas.js';
export type { paths } from './generated/types.js';
export type { CallEvent, Hooks, Logger } from './observe.js';
export type { RawClient } from './raw-client.js';
export type { TripIterator, TripIteratorOptions, TripProgress, TripRange } from './trips/trip-iterator.js';
export type { AnswerIssue, AnswerValidation, AnswerValidator } from './validate-answer.js';
