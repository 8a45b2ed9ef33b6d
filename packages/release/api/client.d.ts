// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { TokenRequest, TokenSource } from './access-token.js';
export type { AgedAnswer, Answer, AnswerMeta, ApiCall } from './api-call.js';
export type { CallOptions } from './call-options.js';
export type { Transport, VehicleDataClientOptions } from './client-options.js';
export type { Clock } from './clock.js';
export { createVehicleDataClient, type VehicleDataClient } from './create-client.js';
export type { ClientErrorCode } from './errors.js';
export { AbortedError, AccessTokenError, ArgumentError, ConnectionError, ConsentError, CredentialsError, InvalidRequestError, isVehicleDataError, MalformedAnswerError, NoDataError, RateLimitError, ServiceFailureError, TimeoutError, VehicleDataError, } from './errors.js';
export type { ErrorCode, Resolution } from './generated/errors.js';
export type * from './generated/methods.js';
export type { OperationId } from './generated/operations.js';
export type * from './generated/schemas.js';
export type { paths } from './generated/types.js';
export type { CallEvent, Hooks, Logger } from './observe.js';
export type { RawClient } from './raw-client.js';
export type { TripIterator, TripIteratorOptions, TripProgress, TripRange } from './trips/trip-iterator.js';
export type { AnswerIssue, AnswerValidation, AnswerValidator } from './validate-answer.js';

// dist/access-token.d.ts
export interface TokenRequest {
    readonly refresh: boolean;
}
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);
export type AccessTokens = (refused?: string) => Promise<string | undefined>;
export declare function createAccessTokens(source: TokenSource | undefined): AccessTokens;

// dist/api-call.d.ts
import type { Meta } from './generated/schemas.js';
export type AnswerMeta = Omit<Meta, 'success'> & {
    success: boolean;
};
export interface Answer<Data> {
    readonly data: Data;
    readonly meta: AnswerMeta;
    readonly status: number;
    readonly headers: Headers;
    readonly requestId: string | undefined;
}
export interface AgedAnswer<Data> extends Answer<Data> {
    readonly dataAgeMs: number | null;
}
export declare class ApiCall<Data, Full extends Answer<Data> = Answer<Data>> implements Promise<Data> {
    #private;
    readonly [Symbol.toStringTag] = "ApiCall";
    constructor(answer: Promise<Full>);
    withResponse(): Promise<Full>;
    then<Result = Data, Failure = never>(onFulfilled?: ((value: Data) => Result | PromiseLike<Result>) | null, onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null): Promise<Result | Failure>;
    catch<Failure = never>(onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null): Promise<Data | Failure>;
    finally(onFinally?: (() => void) | null): Promise<Data>;
}

// dist/generated/schemas.d.ts
import type { components } from './types.js';
export type Brand = components['schemas']['Brand'];
export type Vin = components['schemas']['Vin'];
export type VehicleType = components['schemas']['VehicleType'];
export type Vehicle = components['schemas']['Vehicle'];
export type VehicleList = components['schemas']['VehicleList'];
export type Meta = components['schemas']['Meta'];
export type VehicleListResponse = components['schemas']['VehicleListResponse'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ServiceError = components['schemas']['ServiceError'];
export type ErrorEnvelope = components['schemas']['ErrorEnvelope'];
export type EmptyData = components['schemas']['EmptyData'];
export type StopDataSharingResponse = components['schemas']['StopDataSharingResponse'];
export type BasicDate = components['schemas']['BasicDate'];
export type ZoneId = components['schemas']['ZoneId'];
export type TripStartTime = components['schemas']['TripStartTime'];
export type TripLength = components['schemas']['TripLength'];
export type PowertrainTrip = components['schemas']['PowertrainTrip'];
export type PowertrainTripList = components['schemas']['PowertrainTripList'];
export type PowertrainTripsResponse = components['schemas']['PowertrainTripsResponse'];
export type DrivingTrip = components['schemas']['DrivingTrip'];
export type DrivingTripList = components['schemas']['DrivingTripList'];
export type DrivingTripsResponse = components['schemas']['DrivingTripsResponse'];
export type LocationRecord = components['schemas']['LocationRecord'];
export type LocationResponse = components['schemas']['LocationResponse'];
export type CurrentStatus = components['schemas']['CurrentStatus'];
export type CurrentStatusResponse = components['schemas']['CurrentStatusResponse'];

// dist/generated/types.d.ts
// The same as @vehicle-data/openapi/dist/generated/types.d.ts.

// dist/call-options.d.ts
import type { Brand } from './generated/schemas.js';
export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
    readonly maxRetries?: number | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly brand?: Brand | undefined;
}

// dist/client-options.d.ts
import type { TokenSource } from './access-token.js';
import type { Clock } from './clock.js';
import type { Brand } from './generated/schemas.js';
import type { Hooks, Logger } from './observe.js';
import type { AnswerValidation } from './validate-answer.js';
export type Transport = (request: Request, init: {
    readonly signal?: AbortSignal;
}) => Promise<Response>;
export interface VehicleDataClientOptions {
    readonly baseUrl: string | URL;
    readonly brand?: Brand | undefined;
    readonly accessToken?: TokenSource | undefined;
    readonly fetch?: Transport | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly timeoutMs?: number | undefined;
    readonly maxRetries?: number | undefined;
    readonly maxRetryDelayMs?: number | undefined;
    readonly maxAnswerBytes?: number | undefined;
    readonly validate?: AnswerValidation | undefined;
    readonly hooks?: Hooks | undefined;
    readonly logger?: Logger | undefined;
    readonly docsUrl?: string | undefined;
    readonly clock?: Clock | undefined;
}

// dist/clock.d.ts
export interface Clock {
    now(): number;
    after(delayMs: number, run: () => void): () => void;
    random(): number;
}
export declare const systemClock: Clock;

// dist/observe.d.ts
import type { Call } from './call.js';
import type { VehicleDataError } from './errors.js';
import type { OperationId } from './generated/operations.js';
import type { AnswerIssue } from './validate-answer.js';
export interface CallEvent {
    readonly operation: OperationId;
    readonly method: string;
    readonly route: string;
    readonly attempt: number;
    readonly durationMs: number;
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
    readonly code?: string | undefined;
    readonly delayMs?: number | undefined;
}
export interface Hooks {
    readonly onRequest?: ((event: CallEvent) => void) | undefined;
    readonly onResponse?: ((event: CallEvent) => void) | undefined;
    readonly onRetry?: ((event: CallEvent, error: VehicleDataError) => void) | undefined;
    readonly onError?: ((event: CallEvent, error: VehicleDataError) => void) | undefined;
    readonly onInvalidAnswer?: ((event: CallEvent, issues: readonly AnswerIssue[]) => void) | undefined;
}
export interface Logger {
    debug(message: string, fields: CallEvent): void;
    warn(message: string, fields: CallEvent): void;
    error(message: string, fields: CallEvent): void;
}
type Outcome = Pick<CallEvent, 'status' | 'requestId' | 'code' | 'delayMs'>;
export declare function report<Step extends keyof Hooks>(call: Call, step: Step, { status, requestId, code, delayMs }?: Outcome, subject?: unknown): void;
export declare function quietly(observe: () => void): void;
export {};

// dist/call.d.ts
import type { AccessTokens } from './access-token.js';
import type { AnswerMeta } from './api-call.js';
import type { CallOptions } from './call-options.js';
import type { Transport } from './client-options.js';
import type { Clock } from './clock.js';
import type { Hooks, Logger } from './observe.js';
import type { Operation } from './operation.js';
import type { AnswerValidation } from './validate-answer.js';
export interface Settings {
    readonly baseUrl: string;
    readonly docsUrl: string;
    readonly brand?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly tokens: AccessTokens;
    readonly fetch: Transport;
    readonly timeoutMs: number;
    readonly maxRetries: number;
    readonly maxRetryDelayMs: number;
    readonly maxAnswerBytes: number;
    readonly validate?: AnswerValidation | undefined;
    readonly hooks?: Hooks | undefined;
    readonly logger?: Logger | undefined;
    readonly clock: Clock;
}
export interface Call {
    readonly operation: Operation;
    readonly settings: Settings;
    readonly options: CallOptions;
    readonly signal: AbortSignal;
    readonly init: {
        readonly signal?: AbortSignal;
    };
    readonly startedAt: number;
    readonly deadlineAt: number;
    readonly secrets: string[];
    attempt: number;
    sent: boolean;
}
export interface ReadAnswer {
    readonly body: unknown;
    readonly data: Readonly<Record<string, unknown>>;
    readonly meta: AnswerMeta;
    readonly response: Response;
    readonly requestId: string | undefined;
}

// dist/operation.d.ts
import type { OperationId } from './generated/operations.js';
export interface Rule {
    readonly values?: readonly string[];
    readonly pattern?: RegExp;
    readonly maxLength?: number;
    readonly format?: 'basic-date' | 'iana-time-zone';
}
export interface Operation {
    readonly id: OperationId;
    readonly method: 'GET' | 'DELETE';
    readonly path: string;
    readonly parameters: Readonly<Record<string, readonly ['path' | 'query', Rule, true?]>>;
    readonly isOpen?: true;
    readonly needs?: readonly string[];
    readonly range?: readonly [string, string, number];
    readonly series?: readonly [string, string, string];
    readonly wide?: readonly [string, string, string];
    readonly measuredAt?: string;
}

// dist/generated/operations.d.ts
import type { Operation, Rule } from '../operation.js';
export type OperationId = 'listVehicles' | 'stopDataSharing' | 'getPowertrainData' | 'getDrivingData' | 'getLocation' | 'getCurrentStatus';
declare const brandRule: Rule;
export { brandRule as brandRule };
export declare const personal: RegExp;
export declare const operations: readonly Operation[];

// dist/validate-answer.d.ts
import type { OperationId } from './generated/operations.js';
export interface AnswerIssue {
    readonly kind: string;
    readonly in: string;
    readonly name: string;
    readonly pointer: string;
    readonly rule: string;
    readonly message: string;
}
export type AnswerValidator = (operation: OperationId, status: number, body: unknown) => {
    readonly ok: true;
} | {
    readonly ok: false;
    readonly issues: readonly AnswerIssue[];
};
export interface AnswerValidation {
    readonly responses: AnswerValidator;
    readonly mode?: 'off' | 'report' | 'enforce' | undefined;
}

// dist/errors.d.ts
import type { ErrorCode, Resolution } from './generated/errors.js';
import type { OperationId } from './generated/operations.js';
export type ClientErrorCode =
'invalid-argument'
 | 'no-access-token'
 | 'access-token-unavailable'
 | 'connection-failed'
 | 'timeout'
 | 'aborted'
 | 'malformed-answer'
 | 'redirect-refused'
 | 'answer-too-large'
 | 'invalid-answer';
export interface ErrorFacts {
    readonly code: string;
    readonly resolution: Resolution;
    readonly isTemporary: boolean;
    readonly mayHaveTakenEffect: boolean;
    readonly operation?: OperationId | undefined;
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
    readonly retryAfterMs?: number | undefined;
    readonly details?: readonly unknown[];
    readonly docsUrl?: string | undefined;
    readonly cause?: unknown;
}
declare const mark: unique symbol;
export declare class VehicleDataError extends Error {
    get name(): string;
    get [mark](): true;
    readonly code: ErrorCode | ClientErrorCode | (string & Record<never, never>);
    readonly resolution: Resolution;
    readonly isTemporary: boolean;
    readonly mayHaveTakenEffect: boolean;
    readonly operation: OperationId | undefined;
    readonly status: number | undefined;
    readonly requestId: string | undefined;
    readonly retryAfterMs: number | undefined;
    readonly details: readonly unknown[];
    readonly docsUrl: string | undefined;
    constructor(message: string, { cause, ...facts }: ErrorFacts);
}
export declare class InvalidRequestError extends VehicleDataError {
    get name(): string;
}
export declare class CredentialsError extends VehicleDataError {
    get name(): string;
}
export declare class AccessTokenError extends VehicleDataError {
    get name(): string;
}
export declare class ConsentError extends VehicleDataError {
    get name(): string;
}
export declare class NoDataError extends VehicleDataError {
    get name(): string;
}
export declare class RateLimitError extends VehicleDataError {
    get name(): string;
}
export declare class ServiceFailureError extends VehicleDataError {
    get name(): string;
}
export declare class ArgumentError extends VehicleDataError {
    get name(): string;
}
export declare class ConnectionError extends VehicleDataError {
    get name(): string;
}
export declare class TimeoutError extends VehicleDataError {
    get name(): string;
}
export declare class AbortedError extends VehicleDataError {
    get name(): string;
}
export declare class MalformedAnswerError extends VehicleDataError {
    get name(): string;
}
export declare function isVehicleDataError(value: unknown): value is VehicleDataError;
export {};

// dist/generated/errors.d.ts
export type Resolution = 'fix-request' | 'fix-credentials' | 'refresh-token' | 'ask-consent' | 'no-data' | 'retry';
export type ErrorCode =
'4002'
 | '401'
 | '403'
 | '404'
 | '4011'
 | '40002'
 | '5006'
 | '4045'
 | '4101'
 | '5001'
 | '429'
 | 'malformed-request'
 | 'missing-bearer-token'
 | 'invalid-caller-credentials'
 | 'operation-not-allowed'
 | 'stop-all-not-allowed'
 | 'no-such-operation'
 | 'method-not-allowed'
 | 'request-timeout'
 | 'body-not-allowed'
 | 'target-too-long'
 | 'headers-too-large'
 | 'rate-limited'
 | 'internal-error'
 | 'upstream-unreachable'
 | 'upstream-invalid-answer'
 | 'upstream-credentials-unavailable'
 | 'overloaded'
 | 'shutting-down'
 | 'upstream-timeout';
export declare const errorFacts: readonly (readonly [Resolution, boolean, boolean, string])[];

// dist/create-client.d.ts
import type { VehicleDataClientOptions } from './client-options.js';
import type { OperationMethods, TripIterators } from './generated/methods.js';
import { type RawClient } from './raw-client.js';
export interface VehicleDataClient extends OperationMethods {
    readonly raw: RawClient;
    readonly trips: TripIterators;
}
export declare function createVehicleDataClient(options: VehicleDataClientOptions): VehicleDataClient;

// dist/generated/methods.d.ts
import type { AgedAnswer, Answer, ApiCall } from '../api-call.js';
import type { CallOptions } from '../call-options.js';
import type { TripIterator, TripIteratorOptions, TripRange } from '../trips/trip-iterator.js';
import type { Brand, CurrentStatus, DrivingTripList, EmptyData, LocationRecord, PowertrainTripList, VehicleList, DrivingTrip, PowertrainTrip } from './schemas.js';
export interface StopSharingParameters {
    vin: string;
}
export interface GetPowertrainDataParameters {
    vin: string;
    startDate: string;
    endDate: string;
    zoneId?: string | undefined;
}
export interface GetDrivingDataParameters {
    vin: string;
    startDate: string;
    endDate: string;
    zoneId?: string | undefined;
}
export interface GetLocationParameters {
    vin: string;
}
export interface GetCurrentStatusParameters {
    vin: string;
}
export interface OperationMethods {
    listVehicles(options?: CallOptions): ApiCall<VehicleList, Answer<VehicleList>>;
    stopSharing(parameters: StopSharingParameters, options?: CallOptions): ApiCall<EmptyData, Answer<EmptyData>>;
    stopSharingForAllVehicles(confirmation: {
        brand: Brand;
    }, options?: CallOptions): ApiCall<EmptyData, Answer<EmptyData>>;
    getPowertrainData(parameters: GetPowertrainDataParameters, options?: CallOptions): ApiCall<PowertrainTripList, Answer<PowertrainTripList>>;
    getDrivingData(parameters: GetDrivingDataParameters, options?: CallOptions): ApiCall<DrivingTripList, Answer<DrivingTripList>>;
    getLocation(parameters: GetLocationParameters, options?: CallOptions): ApiCall<LocationRecord, AgedAnswer<LocationRecord>>;
    getCurrentStatus(parameters: GetCurrentStatusParameters, options?: CallOptions): ApiCall<CurrentStatus, AgedAnswer<CurrentStatus>>;
}
export interface TripIterators {
    powertrain(range: {
        vin: string;
        zoneId?: string | undefined;
    } & TripRange, options?: TripIteratorOptions): TripIterator<PowertrainTrip>;
    driving(range: {
        vin: string;
        zoneId?: string | undefined;
    } & TripRange, options?: TripIteratorOptions): TripIterator<DrivingTrip>;
}

// dist/trips/trip-iterator.d.ts
import type { CallOptions } from '../call-options.js';
export interface TripRange {
    readonly from: string;
    readonly to: string;
}
export interface TripProgress {
    readonly from: string;
    readonly to: string;
    readonly trips: number;
    readonly windowsRead: number;
    readonly windowsTotal: number;
}
export interface TripIteratorOptions extends CallOptions {
    readonly concurrency?: number | undefined;
    readonly windowDays?: number | undefined;
    readonly cursor?: string | undefined;
    readonly onProgress?: ((progress: TripProgress) => void) | undefined;
}
export interface TripIterator<Trip> extends AsyncIterableIterator<Trip, undefined> {
    readonly cursor: string | undefined;
    return(): Promise<IteratorResult<Trip, undefined>>;
}

// dist/raw-client.d.ts
import type { FetchResponse, ParamsOption } from 'openapi-fetch';
import type { CallOptions } from './call-options.js';
import type { paths } from './generated/types.js';
import type { Perform } from './perform.js';
type Methods = 'get' | 'delete';
type WithoutHeaders<T> = T extends {
    parameters: infer Parameters;
} ? Omit<T, 'parameters'> & {
    parameters: Omit<Parameters, 'header'>;
} : T;
type PathsWith<Method extends Methods> = {
    [Path in keyof paths]: paths[Path] extends Record<Method, {
        responses: unknown;
    }> ? Path : never;
}[keyof paths];
type Init<T> = ParamsOption<T> & CallOptions;
type RawMethod<Method extends Methods> = <Path extends PathsWith<Method>>(path: Path, ...init: Record<never, never> extends Init<WithoutHeaders<paths[Path][Method]>> ? [init?: Init<WithoutHeaders<paths[Path][Method]>>] : [init: Init<WithoutHeaders<paths[Path][Method]>>]) => Promise<FetchResponse<paths[Path][Method] & Record<string, unknown>, Record<never, never>, 'application/json'>>;
export interface RawClient {
    readonly GET: RawMethod<'get'>;
    readonly DELETE: RawMethod<'delete'>;
}
export declare function createRawClient(perform: Perform): RawClient;
export {};

// dist/perform.d.ts
import type { ReadAnswer, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { type Params } from './check-arguments.js';
import type { Operation } from './operation.js';
export type Perform = (operation: Operation, params: Params, options: CallOptions) => Promise<ReadAnswer>;
export declare function createPerform(settings: Settings): Perform;

// dist/check-arguments.d.ts
import type { Operation, Rule } from './operation.js';
export type Params = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>;
export declare function checkArguments(operation: Operation, given: unknown, wide?: boolean): Params;
export declare function checkValue(operation: Operation, name: string, rule: Rule, value: unknown): string;
export declare function checkSignal(operation: Operation, signal: AbortSignal | null | undefined): void;
export declare function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined;

// dist/series/index.d.ts
export type { ColumnOptions, ColumnsOf, EnumerationColumn, NumberColumn, SampleCounts, TripColumns, } from './columns.js';
export { timesOf, toColumns } from './columns.js';
export type { Row } from './rows.js';
export { fromRows, toRows } from './rows.js';
export { sampleTimes } from './sample-times.js';
export type { EnumerationPath, NumberPath, SeriesName, SignalPath, SignalRule, TripOf, ValueOf, } from './signal-rules.js';
export { signalsOf } from './signal-rules.js';

// dist/series/columns.d.ts
import { type EnumerationPath, type NumberPath, type SeriesName, type SignalPath, type TripOf, type ValueOf } from './signal-rules.js';
export interface SampleCounts {
    readonly samples: number;
    readonly outOfRange: number;
    readonly sentinels: number;
    readonly missing: number;
}
export interface NumberColumn {
    readonly kind: 'number';
    readonly unit: string;
    readonly values: Float64Array;
    readonly counts: SampleCounts;
}
export interface EnumerationColumn<Value extends string = string> {
    readonly kind: 'enumeration';
    readonly values: readonly (Value | null)[];
    readonly counts: SampleCounts;
}
export type ColumnsOf<Name extends SeriesName> = {
    readonly [Path in SignalPath<Name>]?: Path extends NumberPath<Name> ? NumberColumn : EnumerationColumn<Extract<ValueOf<Name, Path>, string>>;
};
export interface TripColumns<Name extends SeriesName> {
    readonly series: Name;
    readonly startTime: number;
    readonly durationMs: number;
    readonly columns: ColumnsOf<Name>;
    readonly length: number;
    readonly unequalLengths: Readonly<Record<string, number>>;
}
export interface ColumnOptions<Name extends SeriesName> {
    readonly sentinels?: {
        readonly [Path in NumberPath<Name>]?: readonly number[];
    } | undefined;
}
export declare function toColumns<Name extends SeriesName>(series: Name, trip: TripOf<Name>, options?: ColumnOptions<Name>): TripColumns<Name>;
export declare function timesOf<Name extends SeriesName>(trip: TripColumns<Name>, path: NumberPath<Name> | EnumerationPath<Name>): Float64Array;

// dist/series/signal-rules.d.ts
import { type SeriesItems, seriesTable } from '../generated/signals.js';
export type SeriesName = keyof SeriesItems;
export type TripOf<Name extends SeriesName> = SeriesItems[Name];
type Signals<Name extends SeriesName> = (typeof seriesTable)[Name]['signals'];
export type SignalPath<Name extends SeriesName> = keyof Signals<Name> & string;
export type NumberPath<Name extends SeriesName> = {
    [Path in keyof Signals<Name>]: Signals<Name>[Path] extends {
        readonly kind: 'number';
    } ? Path : never;
}[keyof Signals<Name>] & string;
export type EnumerationPath<Name extends SeriesName> = Exclude<SignalPath<Name>, NumberPath<Name>>;
export type ValueOf<Name extends SeriesName, Path extends SignalPath<Name>> = Signals<Name>[Path] extends {
    readonly values: readonly (infer Value)[];
} ? Value : number;
export type SignalRule = {
    readonly kind: 'number';
    readonly unit: string;
    readonly minimum: number | null;
    readonly maximum: number | null;
} | {
    readonly kind: 'enumeration';
    readonly values: readonly string[];
};
export declare function signalsOf<Name extends SeriesName>(series: Name): Signals<Name>;
export {};

// dist/generated/signals.d.ts
export declare const seriesTable: {
    readonly powertrain: {
        readonly startTime: "triggerStartTime";
        readonly duration: "tripLength";
        readonly signals: {
            readonly "batteries.hv.voltage": {
                readonly kind: "number";
                readonly unit: "V";
                readonly minimum: 0;
                readonly maximum: 6553;
            };
            readonly "engine.oilTemperature": {
                readonly kind: "number";
                readonly unit: "°C";
                readonly minimum: 0;
                readonly maximum: 150.5;
            };
            readonly "engine.rpm": {
                readonly kind: "number";
                readonly unit: "rpm";
                readonly minimum: 0;
                readonly maximum: 16383.5;
            };
        };
    };
    readonly driving: {
        readonly startTime: "triggerStartTime";
        readonly duration: "tripLength";
        readonly signals: {
            readonly "ignition.status": {
                readonly kind: "enumeration";
                readonly values: readonly ["on", "off"];
            };
            readonly "odometer.value": {
                readonly kind: "number";
                readonly unit: "km";
                readonly minimum: 0;
                readonly maximum: 1677721.4;
            };
            readonly "acceleration.longitudinal": {
                readonly kind: "number";
                readonly unit: "g";
                readonly minimum: -4.177;
                readonly maximum: 4.177;
            };
            readonly "angularVelocity.yaw": {
                readonly kind: "number";
                readonly unit: "°/s";
                readonly minimum: -40.95;
                readonly maximum: 40.95;
            };
            readonly "isla.optionUsm": {
                readonly kind: "enumeration";
                readonly values: readonly ["none", "off", "warning", "assist", "invalid"];
            };
            readonly "isla.optionUsm2": {
                readonly kind: "enumeration";
                readonly values: readonly ["none", "off", "information", "warning", "assist", "invalid"];
            };
            readonly "seatbelt.assistance": {
                readonly kind: "enumeration";
                readonly values: readonly ["belted", "unbelted"];
            };
            readonly "seatbelt.driver": {
                readonly kind: "enumeration";
                readonly values: readonly ["belted", "unbelted"];
            };
            readonly "steeringWheel.angle": {
                readonly kind: "number";
                readonly unit: "°";
                readonly minimum: -3276.8;
                readonly maximum: 3276.7;
            };
            readonly "steeringWheel.rotationSpeed": {
                readonly kind: "number";
                readonly unit: "°/s";
                readonly minimum: 0;
                readonly maximum: 1016;
            };
            readonly "transmission.gear": {
                readonly kind: "enumeration";
                readonly values: readonly ["p", "r", "n", "d"];
            };
        };
    };
};
export interface SeriesItems {
    "powertrain": import('./schemas.js').PowertrainTrip;
    "driving": import('./schemas.js').DrivingTrip;
}

// dist/series/rows.d.ts
import type { TripColumns } from './columns.js';
import { type NumberPath, type SeriesName, type SignalPath, type TripOf, type ValueOf } from './signal-rules.js';
export type Row<Name extends SeriesName> = {
    readonly time: number;
} & {
    readonly [Path in SignalPath<Name>]?: (Path extends NumberPath<Name> ? number : ValueOf<Name, Path>) | null;
};
export declare function toRows<Name extends SeriesName>(trip: TripColumns<Name>): Row<Name>[];
export declare function fromRows<Name extends SeriesName>(series: Name, rows: readonly Row<Name>[], durationMs: number): TripOf<Name>;

// dist/series/sample-times.d.ts
export declare function sampleTimes(startTime: number, durationMs: number, count: number): Float64Array;
