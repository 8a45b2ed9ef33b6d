// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { DateRangeSpec, EnumerationSignal, ErrorEntry, NumberSignal, OperationSpec, ParameterRule, ParameterSpec, Resolution, SeriesSpec, WideEffectSpec, } from './contract.js';
export { type ErrorCode, errorCatalogue } from './generated/errors.js';
export { contractVersion, type OperationId, operations } from './generated/operations.js';
export type * from './generated/schemas.js';
export type { components, operations as OperationTypes, paths } from './generated/types.js';

// dist/contract.d.ts
export interface ParameterSpec {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    readonly description: string;
    readonly schema: string;
    readonly rule: ParameterRule;
}
export interface ParameterRule {
    readonly type: 'string';
    readonly enum?: readonly string[];
    readonly pattern?: string;
    readonly format?: string;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly default?: string;
}
export interface DateRangeSpec {
    readonly start: string;
    readonly end: string;
    readonly maxDays: number;
}
export interface NumberSignal {
    readonly kind: 'number';
    readonly unit: string;
    readonly minimum: number | null;
    readonly maximum: number | null;
}
export interface EnumerationSignal {
    readonly kind: 'enumeration';
    readonly values: readonly string[];
}
export interface SeriesSpec {
    readonly name: string;
    readonly items: string;
    readonly itemSchema: string;
    readonly startTime: string;
    readonly duration: string;
    readonly signals: Readonly<Record<string, NumberSignal | EnumerationSignal>>;
}
export interface WideEffectSpec {
    readonly parameter: string;
    readonly narrow: string;
    readonly wide: string;
    readonly confirm: string;
}
export interface OperationSpec {
    readonly operationId: string;
    readonly method: 'GET' | 'DELETE';
    readonly path: string;
    readonly tag: string;
    readonly summary: string;
    readonly description: string;
    readonly deprecated: boolean;
    readonly bearer: 'required' | 'optional';
    readonly parameters: readonly ParameterSpec[];
    readonly responses: Readonly<Record<string, string>>;
    readonly dateRange: DateRangeSpec | null;
    readonly series: SeriesSpec | null;
    readonly wideEffect: WideEffectSpec | null;
    readonly measuredAt: string | null;
}
export type Resolution = 'retry' | 'refresh-token' | 'ask-consent' | 'fix-request' | 'fix-credentials' | 'no-data';
export interface ErrorEntry {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly origin: 'interface' | 'observed' | 'proxy';
    readonly resolution: Resolution;
    readonly temporary: boolean;
    readonly mayHaveTakenEffect: boolean;
    readonly audience: 'developer' | 'operator' | 'owner';
    readonly meaning: string;
    readonly remedy: string;
}

// dist/generated/errors.d.ts
export declare const errorCatalogue: readonly [{
    readonly code: "4002";
    readonly message: "Invalid request parameters";
    readonly status: 400;
    readonly origin: "interface";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "401";
    readonly message: "Unauthorized";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "403";
    readonly message: "Forbidden";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "The client has no access to this API.";
    readonly remedy: "…";
}, {
    readonly code: "404";
    readonly message: "NotFound";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "Check the base address and the path.";
}, {
    readonly code: "4011";
    readonly message: "Invalid Authorization header";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "refresh-token";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "40002";
    readonly message: "No Authorization header";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "5006";
    readonly message: "No permission to use data";
    readonly status: 400;
    readonly origin: "observed";
    readonly resolution: "ask-consent";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "owner";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "4045";
    readonly message: "No data";
    readonly status: 404;
    readonly origin: "observed";
    readonly resolution: "no-data";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "4101";
    readonly message: "VIN not registered for sharing";
    readonly status: 410;
    readonly origin: "observed";
    readonly resolution: "ask-consent";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "owner";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "5001";
    readonly message: "Internal server error";
    readonly status: 500;
    readonly origin: "observed";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: true;
    readonly audience: "developer";
    readonly meaning: "The service failed.";
    readonly remedy: "…";
}, {
    readonly code: "429";
    readonly message: "Too many requests";
    readonly status: 429;
    readonly origin: "observed";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "malformed-request";
    readonly message: "…";
    readonly status: 400;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "missing-bearer-token";
    readonly message: "…";
    readonly status: 401;
    readonly origin: "proxy";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "invalid-caller-credentials";
    readonly message: "…";
    readonly status: 401;
    readonly origin: "proxy";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "operation-not-allowed";
    readonly message: "…";
    readonly status: 403;
    readonly origin: "proxy";
    readonly resolution: "fix-credentials";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "stop-all-not-allowed";
    readonly message: "…";
    readonly status: 403;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "no-such-operation";
    readonly message: "…";
    readonly status: 404;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "The path is none of the contract's.";
    readonly remedy: "…";
}, {
    readonly code: "method-not-allowed";
    readonly message: "This path does not have this method";
    readonly status: 405;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "request-timeout";
    readonly message: "The request did not arrive in time";
    readonly status: 408;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "body-not-allowed";
    readonly message: "…";
    readonly status: 413;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "target-too-long";
    readonly message: "The request target is too long";
    readonly status: 414;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "headers-too-large";
    readonly message: "…";
    readonly status: 431;
    readonly origin: "proxy";
    readonly resolution: "fix-request";
    readonly temporary: false;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "rate-limited";
    readonly message: "…";
    readonly status: 429;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "internal-error";
    readonly message: "The proxy failed";
    readonly status: 500;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: true;
    readonly audience: "operator";
    readonly meaning: "A fault in the proxy itself.";
    readonly remedy: "…";
}, {
    readonly code: "upstream-unreachable";
    readonly message: "The service could not be reached";
    readonly status: 502;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "upstream-invalid-answer";
    readonly message: "…";
    readonly status: 502;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: true;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "upstream-credentials-unavailable";
    readonly message: "…";
    readonly status: 503;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "…";
}, {
    readonly code: "overloaded";
    readonly message: "Too many calls are under way";
    readonly status: 503;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "Repeat after `Retry-After`.";
}, {
    readonly code: "shutting-down";
    readonly message: "The proxy is shutting down";
    readonly status: 503;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: false;
    readonly audience: "developer";
    readonly meaning: "…";
    readonly remedy: "Repeat; another instance answers.";
}, {
    readonly code: "upstream-timeout";
    readonly message: "The service did not answer in time";
    readonly status: 504;
    readonly origin: "proxy";
    readonly resolution: "retry";
    readonly temporary: true;
    readonly mayHaveTakenEffect: true;
    readonly audience: "operator";
    readonly meaning: "…";
    readonly remedy: "…";
}];
export type ErrorCode = (typeof errorCatalogue)[number]['code'];

// dist/generated/operations.d.ts
export declare const contractVersion = "<version>";
export declare const operations: {
    readonly listVehicles: {
        readonly operationId: "listVehicles";
        readonly method: "GET";
        readonly path: "/v1/vehicles/consent";
        readonly tag: "Consent";
        readonly summary: "List the vehicles that share data";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "optional";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }];
        readonly responses: {
            readonly "200": "VehicleListResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: null;
        readonly series: null;
        readonly wideEffect: null;
        readonly measuredAt: null;
    };
    readonly stopDataSharing: {
        readonly operationId: "stopDataSharing";
        readonly method: "DELETE";
        readonly path: "/v1/vehicles/consent";
        readonly tag: "Consent";
        readonly summary: "Stop data sharing";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "required";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }, {
            readonly name: "vin";
            readonly in: "query";
            readonly required: false;
            readonly description: "…";
            readonly schema: "Vin";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9A-Za-z]{17}$";
                readonly minLength: 17;
                readonly maxLength: 17;
            };
        }];
        readonly responses: {
            readonly "200": "StopDataSharingResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "410": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: null;
        readonly series: null;
        readonly wideEffect: {
            readonly parameter: "vin";
            readonly narrow: "stopSharing";
            readonly wide: "stopSharingForAllVehicles";
            readonly confirm: "Brand";
        };
        readonly measuredAt: null;
    };
    readonly getPowertrainData: {
        readonly operationId: "getPowertrainData";
        readonly method: "GET";
        readonly path: "/v1/vehicles/{vin}/powertrains/data";
        readonly tag: "Trips";
        readonly summary: "Get powertrain data of a date range";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "required";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }, {
            readonly name: "vin";
            readonly in: "path";
            readonly required: true;
            readonly description: "VIN of a vehicle that shares data.";
            readonly schema: "Vin";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9A-Za-z]{17}$";
                readonly minLength: 17;
                readonly maxLength: 17;
            };
        }, {
            readonly name: "startDate";
            readonly in: "query";
            readonly required: true;
            readonly description: "…";
            readonly schema: "BasicDate";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9]{8}$";
                readonly format: "basic-date";
            };
        }, {
            readonly name: "endDate";
            readonly in: "query";
            readonly required: true;
            readonly description: "…";
            readonly schema: "BasicDate";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9]{8}$";
                readonly format: "basic-date";
            };
        }, {
            readonly name: "zoneId";
            readonly in: "query";
            readonly required: false;
            readonly description: "…";
            readonly schema: "ZoneId";
            readonly rule: {
                readonly type: "string";
                readonly format: "iana-time-zone";
                readonly maxLength: 64;
                readonly default: "UTC";
            };
        }];
        readonly responses: {
            readonly "200": "PowertrainTripsResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "404": "ErrorEnvelope";
            readonly "410": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: {
            readonly start: "startDate";
            readonly end: "endDate";
            readonly maxDays: 7;
        };
        readonly series: {
            readonly name: "powertrain";
            readonly items: "trips";
            readonly itemSchema: "PowertrainTrip";
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
        readonly wideEffect: null;
        readonly measuredAt: null;
    };
    readonly getDrivingData: {
        readonly operationId: "getDrivingData";
        readonly method: "GET";
        readonly path: "/v1/vehicles/{vin}/driving/data";
        readonly tag: "Trips";
        readonly summary: "Get driving data of a date range";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "required";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }, {
            readonly name: "vin";
            readonly in: "path";
            readonly required: true;
            readonly description: "VIN of a vehicle that shares data.";
            readonly schema: "Vin";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9A-Za-z]{17}$";
                readonly minLength: 17;
                readonly maxLength: 17;
            };
        }, {
            readonly name: "startDate";
            readonly in: "query";
            readonly required: true;
            readonly description: "…";
            readonly schema: "BasicDate";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9]{8}$";
                readonly format: "basic-date";
            };
        }, {
            readonly name: "endDate";
            readonly in: "query";
            readonly required: true;
            readonly description: "…";
            readonly schema: "BasicDate";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9]{8}$";
                readonly format: "basic-date";
            };
        }, {
            readonly name: "zoneId";
            readonly in: "query";
            readonly required: false;
            readonly description: "…";
            readonly schema: "ZoneId";
            readonly rule: {
                readonly type: "string";
                readonly format: "iana-time-zone";
                readonly maxLength: 64;
                readonly default: "UTC";
            };
        }];
        readonly responses: {
            readonly "200": "DrivingTripsResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "404": "ErrorEnvelope";
            readonly "410": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: {
            readonly start: "startDate";
            readonly end: "endDate";
            readonly maxDays: 7;
        };
        readonly series: {
            readonly name: "driving";
            readonly items: "trips";
            readonly itemSchema: "DrivingTrip";
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
        readonly wideEffect: null;
        readonly measuredAt: null;
    };
    readonly getLocation: {
        readonly operationId: "getLocation";
        readonly method: "GET";
        readonly path: "/v1/vehicles/{vin}/locations";
        readonly tag: "Latest";
        readonly summary: "Get the latest location";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "required";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }, {
            readonly name: "vin";
            readonly in: "path";
            readonly required: true;
            readonly description: "VIN of a vehicle that shares data.";
            readonly schema: "Vin";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9A-Za-z]{17}$";
                readonly minLength: 17;
                readonly maxLength: 17;
            };
        }];
        readonly responses: {
            readonly "200": "LocationResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "404": "ErrorEnvelope";
            readonly "410": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: null;
        readonly series: null;
        readonly wideEffect: null;
        readonly measuredAt: "timestamp";
    };
    readonly getCurrentStatus: {
        readonly operationId: "getCurrentStatus";
        readonly method: "GET";
        readonly path: "/v1/vehicles/{vin}/batteries";
        readonly tag: "Latest";
        readonly summary: "Get the current status";
        readonly description: "…";
        readonly deprecated: false;
        readonly bearer: "required";
        readonly parameters: readonly [{
            readonly name: "Brand";
            readonly in: "header";
            readonly required: true;
            readonly description: "…";
            readonly schema: "Brand";
            readonly rule: {
                readonly type: "string";
                readonly enum: readonly ["brand_a", "brand_b", "brand_c"];
            };
        }, {
            readonly name: "vin";
            readonly in: "path";
            readonly required: true;
            readonly description: "VIN of a vehicle that shares data.";
            readonly schema: "Vin";
            readonly rule: {
                readonly type: "string";
                readonly pattern: "^[0-9A-Za-z]{17}$";
                readonly minLength: 17;
                readonly maxLength: 17;
            };
        }];
        readonly responses: {
            readonly "200": "CurrentStatusResponse";
            readonly "400": "ErrorEnvelope";
            readonly "401": "ErrorEnvelope";
            readonly "403": "ErrorEnvelope";
            readonly "404": "ErrorEnvelope";
            readonly "410": "ErrorEnvelope";
            readonly "429": "ErrorEnvelope";
            readonly "500": "ErrorEnvelope";
            readonly "502": "ErrorEnvelope";
            readonly "503": "ErrorEnvelope";
            readonly "504": "ErrorEnvelope";
        };
        readonly dateRange: null;
        readonly series: null;
        readonly wideEffect: null;
        readonly measuredAt: "timestamp";
    };
};
export type OperationId = keyof typeof operations;

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
export interface paths {
    "/v1/vehicles/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVehicles"];
        put?: never;
        post?: never;
        delete: operations["stopDataSharing"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles/{vin}/powertrains/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPowertrainData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles/{vin}/driving/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDrivingData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles/{vin}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vehicles/{vin}/batteries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCurrentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Brand: "brand_a" | "brand_b" | "brand_c";
        Vin: string;
        VehicleType: "GN" | "EV" | "HV" | "PE" | "FV" | "UNKNOWN";
        Vehicle: {
            vin: components["schemas"]["Vin"];
            type?: components["schemas"]["VehicleType"];
            nickname?: string;
            name?: string;
            sellname?: string;
        };
        VehicleList: {
            vehicles: components["schemas"]["Vehicle"][];
        };
        Meta: {
            code?: number;
            message?: string;
            success?: "true" | true;
            timestamp?: string;
            requestId?: string;
        };
        VehicleListResponse: {
            data: components["schemas"]["VehicleList"];
            meta: components["schemas"]["Meta"];
        };
        ErrorDetail: {
            in: "path" | "query" | "header" | "body" | "request";
            name: string;
            reason: string;
        };
        ServiceError: {
            code: string;
            message: string;
            details: (components["schemas"]["ErrorDetail"] | unknown)[];
            timestamp: string;
            requestId: string;
        };
        ErrorEnvelope: {
            error: components["schemas"]["ServiceError"];
        };
        EmptyData: Record<string, never>;
        StopDataSharingResponse: {
            data: components["schemas"]["EmptyData"];
            meta: components["schemas"]["Meta"];
        };
        BasicDate: string;
        ZoneId: string;
        TripStartTime: string;
        TripLength: number;
        PowertrainTrip: {
            triggerStartTime: components["schemas"]["TripStartTime"];
            tripLength: components["schemas"]["TripLength"];
            batteries?: {
                hv?: {
                    voltage?: number[];
                };
            };
            engine?: {
                oilTemperature?: number[];
                rpm?: number[];
            };
        };
        PowertrainTripList: {
            trips: components["schemas"]["PowertrainTrip"][];
        };
        PowertrainTripsResponse: {
            data: components["schemas"]["PowertrainTripList"];
            meta: components["schemas"]["Meta"];
        };
        DrivingTrip: {
            triggerStartTime: components["schemas"]["TripStartTime"];
            tripLength: components["schemas"]["TripLength"];
            ignition?: {
                status?: ("on" | "off")[];
            };
            odometer?: {
                value?: number[];
            };
            acceleration?: {
                longitudinal?: number[];
            };
            angularVelocity?: {
                yaw?: number[];
            };
            isla?: {
                optionUsm?: ("none" | "off" | "warning" | "assist" | "invalid")[];
                optionUsm2?: ("none" | "off" | "information" | "warning" | "assist" | "invalid")[];
            };
            seatbelt?: {
                assistance?: ("belted" | "unbelted")[];
                driver?: ("belted" | "unbelted")[];
            };
            steeringWheel?: {
                angle?: number[];
                rotationSpeed?: number[];
            };
            transmission?: {
                gear?: ("p" | "r" | "n" | "d")[];
            };
        };
        DrivingTripList: {
            trips: components["schemas"]["DrivingTrip"][];
        };
        DrivingTripsResponse: {
            data: components["schemas"]["DrivingTripList"];
            meta: components["schemas"]["Meta"];
        };
        LocationRecord: {
            location: {
                latitude?: number;
                longitude?: number;
                altitude?: number;
                heading?: number;
                speed?: {
                    value?: number;
                    unit?: "kph" | "mph" | "mps" | "invalid";
                };
                type?: 0 | 1 | 2;
            };
            timestamp?: string;
        };
        LocationResponse: {
            data: components["schemas"]["LocationRecord"];
            meta: components["schemas"]["Meta"];
        };
        CurrentStatus: {
            ignition?: {
                status?: string;
                ignitionDetails?: {
                    type?: string;
                    status?: string;
                }[];
            };
            sleepMode?: string;
            odometer?: {
                value?: number;
                unit?: string;
            };
            transmission?: {
                parkingPosition?: boolean;
            };
            timestamp?: string;
        };
        CurrentStatusResponse: {
            data: components["schemas"]["CurrentStatus"];
            meta: components["schemas"]["Meta"];
        };
    };
    responses: {
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        BadGateway: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        GatewayTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
    };
    parameters: {
        Brand: components["schemas"]["Brand"];
        VinQuery: components["schemas"]["Vin"];
        VinPath: components["schemas"]["Vin"];
        StartDate: components["schemas"]["BasicDate"];
        EndDate: components["schemas"]["BasicDate"];
        ZoneId: components["schemas"]["ZoneId"];
    };
    requestBodies: never;
    headers: {
        XRequestId: string;
        WwwAuthenticate: string;
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVehicles: {
        parameters: {
            query?: never;
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VehicleListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    stopDataSharing: {
        parameters: {
            query?: {
                vin?: components["parameters"]["VinQuery"];
            };
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopDataSharingResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPowertrainData: {
        parameters: {
            query: {
                startDate: components["parameters"]["StartDate"];
                endDate: components["parameters"]["EndDate"];
                zoneId?: components["parameters"]["ZoneId"];
            };
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path: {
                vin: components["parameters"]["VinPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PowertrainTripsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getDrivingData: {
        parameters: {
            query: {
                startDate: components["parameters"]["StartDate"];
                endDate: components["parameters"]["EndDate"];
                zoneId?: components["parameters"]["ZoneId"];
            };
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path: {
                vin: components["parameters"]["VinPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrivingTripsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getLocation: {
        parameters: {
            query?: never;
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path: {
                vin: components["parameters"]["VinPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCurrentStatus: {
        parameters: {
            query?: never;
            header: {
                Brand: components["parameters"]["Brand"];
            };
            path: {
                vin: components["parameters"]["VinPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentStatusResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
}
