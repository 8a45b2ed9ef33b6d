// Not exported: how a call is carried out, and the tables made from the contract; @vehicle-data/openapi has those.

export type { ConsentChanges } from './consents/consent-changes.js';
export type { Consents } from './consents/consents.js';
export { createVehicleDataClient, type TripIterators, type VehicleDataClient } from './create-client.js';
export type { ClientErrorCode, ErrorFacts, RequestFacts, Resolution, ResponseFacts, WindowFacts } from './errors.js';
export {
  AbortedError,
  AccessTokenError,
  ArgumentError,
  ConnectionError,
  ConsentError,
  CredentialsError,
  InvalidRequestError,
  isVehicleDataError,
  MalformedResponseError,
  NoDataError,
  RateLimitError,
  ServiceFailureError,
  TimeoutError,
  VehicleDataError,
} from './errors.js';
export type { CatalogueResolution, ErrorCode } from './generated/errors.js';
// Parameters by their names in the contract, hence a wildcard; so are the schemas below.
export type * from './generated/methods.js';
export type { OperationId } from './generated/operation-ids.js';
export type * from './generated/schemas.js';
export type { components, operations, paths } from './generated/types.js';
export {
  type Attempt,
  type CallEvent,
  type FieldsFirstLogger,
  type Hooks,
  type Logger,
  type LogLevel,
  pinoLogger,
} from './observe.js';
export type {
  CallOptions,
  ClientOverrides,
  Clock,
  HeaderSource,
  HeaderValues,
  RateLimitScope,
  TokenRequest,
  TokenSource,
  Transport,
  TransportInit,
  VehicleDataClientOptions,
} from './options.js';
export type { RawClient, RawFailure, RawResult, RawSuccess } from './raw/raw-client.js';
export type {
  AgedResponse,
  ApiCall,
  ApiResponse,
  ResponseIssue,
  ResponseMeta,
  ResponseValidation,
  ResponseValidator,
} from './responses.js';
export type {
  InvalidTrip,
  SyncedTrip,
  SyncIterator,
  SyncOptions,
  SyncRequest,
  SyncTrips,
  TripIterator,
  TripIteratorOptions,
  TripProgress,
  TripRange,
  VehicleFailure,
  WindowOptions,
} from './trips/trip-iterator.js';
