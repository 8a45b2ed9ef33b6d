// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { OperationId, RequestOf, RequestOptions, ResponseOf } from './generated/operation-types.js';
export * from './generated/operations.js';
export * from './generated/schemas.js';
export type { RequestParts, RequestValidator } from './request-validator.js';
export type { StandardResult, StandardSchema } from './standard-schema.js';
export { validateRequest } from './validate-request.js';
export { validateResponse } from './validate-response.js';
export type { Checked, IssueKind, IssuePlace, ValidationIssue, ValidationOptions, ValidationResult, } from './validation-result.js';
export type { Validator } from './validator.js';

// dist/generated/operation-types.d.ts
import type { ValidationOptions } from '../validation-result.js';
import type { Brand, Vin, BasicDate, ZoneId, VehicleListResponse, ErrorEnvelope, StopDataSharingResponse, PowertrainTripsResponse, DrivingTripsResponse, LocationResponse, CurrentStatusResponse } from './schemas.js';
interface Requests {
    readonly listVehicles: {
        readonly path: {};
        readonly query: {};
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
    readonly stopDataSharing: {
        readonly path: {};
        readonly query: {
            readonly "vin"?: Vin;
        };
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
    readonly getPowertrainData: {
        readonly path: {
            readonly "vin": Vin;
        };
        readonly query: {
            readonly "startDate": BasicDate;
            readonly "endDate": BasicDate;
            readonly "zoneId": ZoneId;
        };
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
    readonly getDrivingData: {
        readonly path: {
            readonly "vin": Vin;
        };
        readonly query: {
            readonly "startDate": BasicDate;
            readonly "endDate": BasicDate;
            readonly "zoneId": ZoneId;
        };
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
    readonly getLocation: {
        readonly path: {
            readonly "vin": Vin;
        };
        readonly query: {};
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
    readonly getCurrentStatus: {
        readonly path: {
            readonly "vin": Vin;
        };
        readonly query: {};
        readonly headers: {
            readonly "Brand": Brand;
        };
    };
}
interface Responses {
    readonly listVehicles: {
        readonly 200: VehicleListResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
    readonly stopDataSharing: {
        readonly 200: StopDataSharingResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 410: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
    readonly getPowertrainData: {
        readonly 200: PowertrainTripsResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 404: ErrorEnvelope;
        readonly 410: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
    readonly getDrivingData: {
        readonly 200: DrivingTripsResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 404: ErrorEnvelope;
        readonly 410: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
    readonly getLocation: {
        readonly 200: LocationResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 404: ErrorEnvelope;
        readonly 410: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
    readonly getCurrentStatus: {
        readonly 200: CurrentStatusResponse;
        readonly 400: ErrorEnvelope;
        readonly 401: ErrorEnvelope;
        readonly 403: ErrorEnvelope;
        readonly 404: ErrorEnvelope;
        readonly 410: ErrorEnvelope;
        readonly 429: ErrorEnvelope;
        readonly 500: ErrorEnvelope;
        readonly 502: ErrorEnvelope;
        readonly 503: ErrorEnvelope;
        readonly 504: ErrorEnvelope;
    };
}
export type OperationId = keyof Requests;
export type RequestOf<Id extends OperationId> = Requests[Id];
export type ResponseOf<Id extends OperationId, Status extends number> = Status extends keyof Responses[Id] ? Responses[Id][Status] : unknown;
export interface RequestOptions extends ValidationOptions {
    readonly brands?: readonly string[] | undefined;
}
export {};

// dist/validation-result.d.ts
export type IssueKind =
'shape'
 | 'range'
 | 'enumeration'
 | 'request';
export type IssuePlace = 'path' | 'query' | 'header' | 'body' | 'request';
export interface ValidationIssue {
    readonly kind: IssueKind;
    readonly in: IssuePlace;
    readonly name: string;
    readonly pointer: string;
    readonly rule: string;
    readonly message: string;
}
export type ValidationResult<T> = {
    readonly ok: true;
    readonly value: T;
} | {
    readonly ok: false;
    readonly issues: readonly [ValidationIssue, ...ValidationIssue[]];
};
export interface ValidationOptions {
    readonly maxIssues?: number | undefined;
}
declare const checked: unique symbol;
export type Checked<Name extends string> = string & {
    readonly [checked]: Name;
};
export {};

// dist/generated/schemas.d.ts
import type { components } from './types.js';
import type { Checked } from '../validation-result.js';
import { type Validator } from '../validator.js';
export type Brand = components['schemas']['Brand'];
export declare const Brand: Validator<Brand>;
export declare function isBrand(value: unknown): value is Brand;
export type Vin = Checked<'Vin'>;
export declare const Vin: Validator<Vin>;
export declare function isVin(value: unknown): value is Vin;
export type VehicleType = components['schemas']['VehicleType'];
export declare const VehicleType: Validator<VehicleType>;
export declare function isVehicleType(value: unknown): value is VehicleType;
export type Vehicle = components['schemas']['Vehicle'];
export declare const Vehicle: Validator<Vehicle>;
export declare function isVehicle(value: unknown): value is Vehicle;
export type VehicleList = components['schemas']['VehicleList'];
export declare const VehicleList: Validator<VehicleList>;
export declare function isVehicleList(value: unknown): value is VehicleList;
export type Meta = components['schemas']['Meta'];
export declare const Meta: Validator<Meta>;
export declare function isMeta(value: unknown): value is Meta;
export type VehicleListResponse = components['schemas']['VehicleListResponse'];
export declare const VehicleListResponse: Validator<VehicleListResponse>;
export declare function isVehicleListResponse(value: unknown): value is VehicleListResponse;
export type ErrorDetail = components['schemas']['ErrorDetail'];
export declare const ErrorDetail: Validator<ErrorDetail>;
export declare function isErrorDetail(value: unknown): value is ErrorDetail;
export type ServiceError = components['schemas']['ServiceError'];
export declare const ServiceError: Validator<ServiceError>;
export declare function isServiceError(value: unknown): value is ServiceError;
export type ErrorEnvelope = components['schemas']['ErrorEnvelope'];
export declare const ErrorEnvelope: Validator<ErrorEnvelope>;
export declare function isErrorEnvelope(value: unknown): value is ErrorEnvelope;
export type EmptyData = components['schemas']['EmptyData'];
export declare const EmptyData: Validator<EmptyData>;
export declare function isEmptyData(value: unknown): value is EmptyData;
export type StopDataSharingResponse = components['schemas']['StopDataSharingResponse'];
export declare const StopDataSharingResponse: Validator<StopDataSharingResponse>;
export declare function isStopDataSharingResponse(value: unknown): value is StopDataSharingResponse;
export type BasicDate = Checked<'BasicDate'>;
export declare const BasicDate: Validator<BasicDate>;
export declare function isBasicDate(value: unknown): value is BasicDate;
export type ZoneId = Checked<'ZoneId'>;
export declare const ZoneId: Validator<ZoneId>;
export declare function isZoneId(value: unknown): value is ZoneId;
export type TripStartTime = Checked<'TripStartTime'>;
export declare const TripStartTime: Validator<TripStartTime>;
export declare function isTripStartTime(value: unknown): value is TripStartTime;
export type TripLength = components['schemas']['TripLength'];
export declare const TripLength: Validator<TripLength>;
export declare function isTripLength(value: unknown): value is TripLength;
export type PowertrainTrip = components['schemas']['PowertrainTrip'];
export declare const PowertrainTrip: Validator<PowertrainTrip>;
export declare function isPowertrainTrip(value: unknown): value is PowertrainTrip;
export type PowertrainTripList = components['schemas']['PowertrainTripList'];
export declare const PowertrainTripList: Validator<PowertrainTripList>;
export declare function isPowertrainTripList(value: unknown): value is PowertrainTripList;
export type PowertrainTripsResponse = components['schemas']['PowertrainTripsResponse'];
export declare const PowertrainTripsResponse: Validator<PowertrainTripsResponse>;
export declare function isPowertrainTripsResponse(value: unknown): value is PowertrainTripsResponse;
export type DrivingTrip = components['schemas']['DrivingTrip'];
export declare const DrivingTrip: Validator<DrivingTrip>;
export declare function isDrivingTrip(value: unknown): value is DrivingTrip;
export type DrivingTripList = components['schemas']['DrivingTripList'];
export declare const DrivingTripList: Validator<DrivingTripList>;
export declare function isDrivingTripList(value: unknown): value is DrivingTripList;
export type DrivingTripsResponse = components['schemas']['DrivingTripsResponse'];
export declare const DrivingTripsResponse: Validator<DrivingTripsResponse>;
export declare function isDrivingTripsResponse(value: unknown): value is DrivingTripsResponse;
export type LocationRecord = components['schemas']['LocationRecord'];
export declare const LocationRecord: Validator<LocationRecord>;
export declare function isLocationRecord(value: unknown): value is LocationRecord;
export type LocationResponse = components['schemas']['LocationResponse'];
export declare const LocationResponse: Validator<LocationResponse>;
export declare function isLocationResponse(value: unknown): value is LocationResponse;
export type CurrentStatus = components['schemas']['CurrentStatus'];
export declare const CurrentStatus: Validator<CurrentStatus>;
export declare function isCurrentStatus(value: unknown): value is CurrentStatus;
export type CurrentStatusResponse = components['schemas']['CurrentStatusResponse'];
export declare const CurrentStatusResponse: Validator<CurrentStatusResponse>;
export declare function isCurrentStatusResponse(value: unknown): value is CurrentStatusResponse;

// dist/generated/types.d.ts
// The same as @vehicle-data/openapi/dist/generated/types.d.ts.

// dist/validator.d.ts
import { type Check } from './findings.js';
import type { StandardSchema } from './standard-schema.js';
import type { ValidationIssue, ValidationOptions, ValidationResult } from './validation-result.js';
export interface Validator<T> extends StandardSchema<T> {
    readonly validate: (value: unknown, options?: ValidationOptions) => ValidationResult<T>;
    readonly is: (value: unknown) => value is T;
}
export declare function passes(check: Check, value: unknown): boolean;
export declare function createValidator<T>(check: Check): Validator<T>;
export declare function standard<T>(validate: (value: unknown) => ValidationResult<T>, pathOf: (issue: ValidationIssue) => readonly PropertyKey[]): StandardSchema<T>['~standard'];

// dist/findings.d.ts
import type { IssueKind, IssuePlace, ValidationIssue, ValidationOptions, ValidationResult } from './validation-result.js';
export interface Findings {
    readonly issues: ValidationIssue[];
    readonly max: number;
    in: IssuePlace;
    name: string;
    at: string;
}
export type Check = (findings: Findings, value: unknown) => void;
export declare function startFindings(place: IssuePlace, options?: ValidationOptions): Findings;
export declare function isFull({ issues, max }: Findings): boolean;
export declare function add(findings: Findings, suffix: string, rule: string, words: string, kind?: IssueKind): void;
export declare function run<T>(place: IssuePlace, options: ValidationOptions | undefined, check: Check, value: unknown, result: T): ValidationResult<T>;

// dist/standard-schema.d.ts
export interface StandardSchema<Output> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: 'vehicle-data';
        readonly validate: (value: unknown) => StandardResult<Output>;
        readonly types?: {
            readonly input: Output;
            readonly output: Output;
        } | undefined;
    };
}
export type StandardResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly {
        readonly message: string;
        readonly path: readonly PropertyKey[];
    }[];
};

// dist/generated/operations.d.ts
import type { RequestOf, RequestOptions, ResponseOf } from './operation-types.js';
import { type RequestValidator } from '../request-validator.js';
import type { Validator } from '../validator.js';
export declare const listVehiclesRequest: RequestValidator<RequestOf<'listVehicles'>, RequestOptions>;
export declare const listVehiclesResponse: Validator<ResponseOf<'listVehicles', 200>>;
export declare const stopDataSharingRequest: RequestValidator<RequestOf<'stopDataSharing'>, RequestOptions>;
export declare const stopDataSharingResponse: Validator<ResponseOf<'stopDataSharing', 200>>;
export declare const getPowertrainDataRequest: RequestValidator<RequestOf<'getPowertrainData'>, RequestOptions>;
export declare const getPowertrainDataResponse: Validator<ResponseOf<'getPowertrainData', 200>>;
export declare const getDrivingDataRequest: RequestValidator<RequestOf<'getDrivingData'>, RequestOptions>;
export declare const getDrivingDataResponse: Validator<ResponseOf<'getDrivingData', 200>>;
export declare const getLocationRequest: RequestValidator<RequestOf<'getLocation'>, RequestOptions>;
export declare const getLocationResponse: Validator<ResponseOf<'getLocation', 200>>;
export declare const getCurrentStatusRequest: RequestValidator<RequestOf<'getCurrentStatus'>, RequestOptions>;
export declare const getCurrentStatusResponse: Validator<ResponseOf<'getCurrentStatus', 200>>;

// dist/request-validator.d.ts
import { type Check, type Findings } from './findings.js';
import type { StandardSchema } from './standard-schema.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';
export interface RequestParts {
    readonly path: Readonly<Record<string, string>>;
    readonly query: string | URLSearchParams | Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly headers: Headers | Readonly<Record<string, string | undefined>>;
}
export interface RequestValidator<T, Options extends ValidationOptions> extends StandardSchema<T> {
    readonly validate: (parts: RequestParts, options?: Options) => ValidationResult<T>;
    readonly is: (parts: RequestParts, options?: Options) => boolean;
}
export interface ParameterCheck {
    readonly name: string;
    readonly check: Check;
    readonly required?: boolean;
    readonly default?: string;
    readonly override?: string;
    readonly narrows?: boolean;
}
export interface RequestModel extends Readonly<Record<Place, readonly ParameterCheck[]>> {
    readonly rules: readonly RequestRule[];
}
type Place = 'header' | 'path' | 'query';
export type RequestRule = (findings: Findings, query: Readonly<Values>, parts: RequestParts) => void;
type Values = Record<string, string>;
export declare function createRequestValidator<T, Options extends ValidationOptions>(makeModel: () => RequestModel): RequestValidator<T, Options>;
export declare function refuse(findings: Findings, rule: string, words: string): void;
export {};

// dist/validate-request.d.ts
import type { OperationId, RequestOf, RequestOptions } from './generated/operation-types.js';
import type { RequestParts } from './request-validator.js';
import type { ValidationResult } from './validation-result.js';
export declare function validateRequest<Id extends OperationId>(operationId: Id, parts: RequestParts, options?: RequestOptions): ValidationResult<RequestOf<Id>>;

// dist/validate-response.d.ts
import type { OperationId, ResponseOf } from './generated/operation-types.js';
import type { ValidationOptions, ValidationResult } from './validation-result.js';
export declare function validateResponse<Id extends OperationId, Status extends number>(operationId: Id, status: Status, body: unknown, options?: ValidationOptions): ValidationResult<ResponseOf<Id, Status>>;

// dist/stream.d.ts
import type { OperationId } from './generated/operation-types.js';
import type { ResponseChecker } from './stream/response-checker.js';
export type { OperationId } from './generated/operation-types.js';
export type { ResponseChecker, StreamVerdict } from './stream/response-checker.js';
export type { IssueKind, IssuePlace, ValidationIssue } from './validation-result.js';
export declare function createResponseChecker(operationId: OperationId, status: number): ResponseChecker;

// dist/stream/response-checker.d.ts
import type { ValidationIssue } from '../validation-result.js';
import { type StreamNode } from './stream-node.js';
export type StreamVerdict = {
    readonly ok: true;
} | {
    readonly ok: false;
    readonly issues: readonly [ValidationIssue];
    readonly byteOffset: number;
};
export interface ResponseChecker {
    write(chunk: Uint8Array): boolean;
    end(): StreamVerdict;
}
export declare class DocumentChecker implements ResponseChecker {
    #private;
    constructor(node: StreamNode, found?: ValidationIssue, leastForKernel?: number);
    write(chunk: Uint8Array): boolean;
    end(): StreamVerdict;
}

// dist/stream/stream-node.d.ts
import type { Check } from '../findings.js';
import { type ChoiceBytes } from './choice-scan.js';
import { type NumberRange } from './number-range.js';
export interface StreamNode {
    readonly check?: Check;
    readonly anyText?: boolean;
    readonly members?: ReadonlyMap<string, StreamMember>;
    readonly inOrder?: readonly StreamMember[];
    readonly items?: StreamNode;
    readonly numbers?: NumberRange;
    readonly choices?: ChoiceBytes;
}
export interface StreamMember {
    readonly name: string;
    readonly written: Uint8Array;
    readonly order: number;
    readonly required: boolean;
    readonly node: StreamNode;
}
export declare const anything: StreamNode;
export declare function scalar(check: Check): StreamNode;
export declare function anyText(check: Check): StreamNode;
export declare function group(check: Check, members: readonly (readonly [name: string, required: boolean, node: StreamNode])[]): StreamNode;
export declare function list(check: Check, items: StreamNode): StreamNode;
export declare function numberList(check: Check, items: StreamNode, integer: boolean, minimum?: number, maximum?: number): StreamNode;
export declare function choiceList(check: Check, items: StreamNode, choices: readonly unknown[]): StreamNode;

// dist/stream/choice-scan.d.ts
import type { Kernel } from './kernel.js';
import type { ScanResult } from './number-scan.js';
export interface ChoiceBytes {
    readonly written: readonly Uint8Array[];
    readonly words: Int32Array;
    readonly masks: Int32Array;
    readonly firstOf: Int8Array;
    readonly nextOf: Int8Array;
}
export declare function choiceBytes(choices: readonly unknown[]): ChoiceBytes;
export declare function scanChoices(bytes: Uint8Array, view: DataView, start: number, end: number, choices: ChoiceBytes, result: ScanResult, kernel?: Kernel | null): void;

// dist/stream/kernel.d.ts
import type { NumberRange } from './number-range.js';
export interface Kernel {
    readonly bytes: Uint8Array;
    readonly view: DataView;
    readonly numbers: (at: number, end: number, range: NumberRange) => number;
    readonly items: () => number;
    readonly repeated: (at: number, end: number, distance: number) => number;
}
export declare const kernelBytes = 65536;
export declare function findKernel(): Kernel | null;

// dist/stream/number-range.d.ts
export interface NumberRange {
    readonly integer: boolean;
    readonly sure: Sure;
    readonly sureNegative: Sure;
    readonly least: Float64Array;
    readonly greatest: Float64Array;
}
interface Sure {
    readonly digits: number;
    readonly first: number;
}
export declare function numberRange(integer: boolean, minimum?: number, maximum?: number): NumberRange;
export declare function isInRange(bytes: Uint8Array, start: number, end: number, negative: boolean, range: NumberRange): boolean;
export {};

// dist/stream/number-scan.d.ts
import { type NumberRange } from './number-range.js';
export interface ScanResult {
    at: number;
    items: number;
    closed: boolean;
}
export declare function scanNumbers(bytes: Uint8Array, view: DataView, start: number, end: number, range: NumberRange, result: ScanResult): void;
