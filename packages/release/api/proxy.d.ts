// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { Caller, CallerCheck } from './callers/caller.js';
export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export { createProxy, type ProxyParts } from './create-proxy.js';
export type { CallLimits, LimitVerdict } from './limits/call-limits.js';
export type { CallRecord, Observer } from './observer.js';
export type { Page, Pages } from './pages.js';
export type { UpstreamCall, UpstreamExchange, UpstreamFault, UpstreamHead, UpstreamSink, UpstreamTransport, } from './transport.js';
export type { TokenSource } from './upstream-identity/token-source.js';

// dist/callers/caller.d.ts
import type { IncomingCall } from '../decide.js';
import type { Rate } from '../limits/rate.js';
export interface Caller {
    readonly id: string;
    readonly brands: ReadonlySet<string> | null;
    readonly operations: ReadonlySet<string> | null;
    readonly rate: Rate | null;
}
export interface CallerCheck {
    readonly challenge: string;
    recognise(incoming: IncomingCall): Caller | null | Promise<Caller | null>;
}
export declare const anyone: Caller;

// dist/decide.d.ts
import type { Caller } from './callers/caller.js';
import { type ResolvedConfig } from './config.js';
import type { ForwardPlan } from './forwarder.js';
import { type Refusal } from './refusal.js';
export interface IncomingCall {
    readonly method: string;
    readonly target: string;
    readonly requestId: string;
    header(name: string): string | undefined;
}
export type Decision = {
    readonly kind: 'refuse';
    readonly template: string;
    readonly refusal: Refusal;
} | {
    readonly kind: 'forward';
    readonly plan: ForwardPlan;
};
export declare function decisiveHeaders(): ReadonlySet<string>;
export declare function compileDecision(config: ResolvedConfig, keepsCoding: boolean): (incoming: IncomingCall, caller: Caller) => Decision;

// dist/config.d.ts
import { type OperationId, type OperationSpec } from '@vehicle-data/openapi';
export type CheckMode = 'off' | 'report' | 'enforce';
export type UpstreamAuth = {
    readonly kind: 'forward';
} | {
    readonly kind: 'static';
    readonly accessToken: string;
} | {
    readonly kind: 'token-endpoint';
};
export interface ProxyConfig {
    readonly upstreamUrl: string;
    readonly brands?: readonly string[];
    readonly upstreamAuth?: UpstreamAuth;
    readonly upstreamAuthByBrand?: Readonly<Record<string, UpstreamAuth>>;
    readonly validateResponses?: CheckMode;
    readonly deadlineMs?: number;
    readonly allowStopAll?: boolean;
    readonly maxInFlight?: number;
    readonly serverTiming?: boolean;
    readonly localHostOnly?: boolean;
}
export type ServedOperation = OperationSpec & {
    readonly operationId: OperationId;
};
export declare const servedOperations: readonly ServedOperation[];
export type ResolvedConfig = Required<ProxyConfig>;
export declare function contractBrands(): readonly string[];
export declare function resolveConfig(config: ProxyConfig): ResolvedConfig;

// dist/forwarder.d.ts
import type { OperationId } from '@vehicle-data/openapi';
import type { AnswerChecks } from './answer-check.js';
import type { AnswerOut } from './answer-out.js';
import type { CallTimes } from './call-clock.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { Exchange } from './exchange.js';
import type { CallRecord, Observer } from './observer.js';
import type { UpstreamCall, UpstreamTransport } from './transport.js';
import type { Watch } from './watch.js';
export interface ForwardPlan {
    readonly operationId: OperationId;
    readonly template: string;
    readonly requestId: string;
    readonly coding: 'gzip' | 'identity';
    readonly call: UpstreamCall;
    readonly caller: string;
    readonly traceParent: string;
    readonly brand: string;
    readonly vehicle: string;
    readonly needsToken: boolean;
    readonly replaceToken: (() => Promise<ReplacedCall>) | null;
}
export type ReplacedCall = {
    readonly kind: 'call';
    readonly call: UpstreamCall;
} | {
    readonly kind: 'same';
} | {
    readonly kind: 'unavailable';
    readonly retryAfterSeconds: number;
};
export type CallOutcome = Pick<CallRecord, 'code' | 'status' | 'reason' | 'attempts' | 'bytes'>;
export type ServiceVerdict = 'fine' | 'failed' | 'unknown';
export interface ForwarderParts {
    readonly transport: UpstreamTransport;
    readonly watch: Watch;
    readonly observer: Observer;
    readonly checks: AnswerChecks;
    readonly deadlineMs: number;
    readonly maxInFlight: number;
    readonly serverTiming: boolean;
}
export declare class Forwarder {
    #private;
    readonly transport: UpstreamTransport;
    readonly watch: Watch;
    readonly times: CallTimes;
    readonly checks: AnswerChecks;
    readonly breaker: CircuitBreaker;
    readonly serverTiming: boolean;
    constructor(parts: ForwarderParts);
    get inFlight(): number;
    start(plan: ForwardPlan, out: AnswerOut, answerHeaders?: readonly string[]): Exchange | null;
    mayRetry(): boolean;
    finished(plan: ForwardPlan, outcome: CallOutcome, service: ServiceVerdict, startedMs: number): void;
}

// dist/answer-check.d.ts
import type { OperationId } from '@vehicle-data/openapi';
import type { CheckMode } from './config.js';
import type { DriftReport } from './drift-report.js';
import type { UpstreamHead } from './transport.js';
export interface AnswerCheck {
    write(chunk: Uint8Array): boolean;
    end(): boolean;
    stop(): void;
}
export declare class AnswerChecks {
    #private;
    readonly enforced: boolean;
    constructor(mode: CheckMode, drift: DriftReport);
    begin(operationId: OperationId, head: UpstreamHead): AnswerCheck | null;
    examine(operationId: OperationId, head: UpstreamHead, body: Uint8Array): void;
}

// dist/drift-report.d.ts
export interface DriftFinding {
    readonly operationId: string;
    readonly pointer: string;
    readonly rule: string;
    readonly count: number;
    readonly first: string;
    readonly last: string;
}
export interface DriftSnapshot {
    readonly checked: number;
    readonly skipped: Readonly<Record<string, number>>;
    readonly overflow: number;
    readonly findings: readonly DriftFinding[];
}
export type DriftListener = (finding: Pick<DriftFinding, 'operationId' | 'pointer' | 'rule'>) => void;
export declare class DriftReport {
    #private;
    constructor(onNew?: DriftListener);
    noteChecked(): void;
    noteSkipped(reason: string): void;
    add(operationId: string, pointer: string, rule: string): void;
    snapshot(): DriftSnapshot;
}

// dist/transport.d.ts
import type { ErrorCode } from '@vehicle-data/openapi';
export interface UpstreamCall {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly string[];
    readonly repeatable: boolean;
}
export interface UpstreamHead {
    readonly status: number;
    readonly headers: readonly string[];
    readonly length: number | null;
}
export interface UpstreamFault {
    readonly code: Extract<ErrorCode, 'upstream-unreachable' | 'upstream-invalid-answer' | 'upstream-timeout'>;
    readonly reason: string;
    readonly nothingReceived: boolean;
}
export interface UpstreamSink {
    head(head: UpstreamHead): void;
    data(chunk: Uint8Array): boolean;
    end(): void;
    fail(fault: UpstreamFault): void;
}
export interface UpstreamExchange {
    resume(): void;
    cancel(): void;
}
export interface UpstreamTransport {
    readonly keepsCoding: boolean;
    send(call: UpstreamCall, sink: UpstreamSink): UpstreamExchange;
    close(): void;
}

// dist/answer-out.d.ts
import type { Refusal } from './refusal.js';
export interface AnswerOut {
    refuse(refused: Refusal): void;
    whole(status: number, headers: readonly string[], body: Uint8Array): void;
    begin(status: number, headers: readonly string[], length: number | null): void;
    data(chunk: Uint8Array): boolean;
    end(): void;
    cut(): void;
}

// dist/refusal.d.ts
import { type ErrorCode } from '@vehicle-data/openapi';
export interface RefusalDetail {
    readonly in: 'path' | 'query' | 'header' | 'request';
    readonly name: string;
    readonly reason: string;
}
export interface Refusal {
    readonly code: ErrorCode;
    readonly status: number;
    readonly message: string;
    readonly details: readonly RefusalDetail[];
    readonly headers: readonly string[];
}
export declare function refusal(code: ErrorCode, details?: readonly RefusalDetail[], headers?: readonly string[]): Refusal;
export declare function refusalBody(refused: Refusal, requestId: string): string;

// dist/call-clock.d.ts
export interface CallTimes {
    readonly deadlineMs: number;
    readonly headMs: number;
    readonly quietMs: number;
}
export interface CallProgress {
    readonly waiting: boolean;
    readonly paused: boolean;
}
export declare class CallClock {
    #private;
    readonly startedMs: number;
    constructor(times: CallTimes, nowMs: number);
    move(): void;
    check(nowMs: number, { waiting, paused }: CallProgress): string | null;
}

// dist/circuit-breaker.d.ts
export type BreakerState = 'closed' | 'open' | 'half-open';
export interface BreakerOptions {
    readonly windowMs?: number;
    readonly minCalls?: number;
    readonly failureShare?: number;
    readonly openMs?: number;
}
export declare class CircuitBreaker {
    #private;
    constructor(options?: BreakerOptions);
    get state(): BreakerState;
    get troubled(): boolean;
    admits(nowMs: number): boolean;
    waitMs(nowMs: number): number;
    beWary(untilMs: number): void;
    settle(failed: boolean, nowMs: number): void;
}

// dist/exchange.d.ts
import type { AnswerOut } from './answer-out.js';
import type { Forwarder, ForwardPlan } from './forwarder.js';
import type { UpstreamFault, UpstreamHead, UpstreamSink } from './transport.js';
export declare class Exchange implements UpstreamSink {
    #private;
    constructor(forwarder: Forwarder, plan: ForwardPlan, out: AnswerOut, answerHeaders: readonly string[], nowMs: number);
    resume(): void;
    cancel(): void;
    head(head: UpstreamHead): void;
    data(chunk: Uint8Array): boolean;
    end(): void;
    fail(fault: UpstreamFault): void;
}

// dist/observer.d.ts
export interface CallRecord {
    readonly requestId: string;
    readonly method: string;
    readonly template: string;
    readonly status: number;
    readonly code: string;
    readonly reason: string;
    readonly attempts: number;
    readonly bytes: number;
    readonly durationMs: number;
    readonly caller: string;
    readonly traceParent: string;
}
export interface Observer {
    call(record: CallRecord): void;
}
export declare function observeTogether(observers: readonly Observer[]): Observer;
export declare const silentObserver: Observer;

// dist/watch.d.ts
export type Watch = (tick: (nowMs: number) => void) => () => void;
export declare const separateWatch: Watch;
export declare function sharedWatch(): Watch;

// dist/limits/rate.d.ts
export interface Rate {
    readonly calls: number;
    readonly seconds: number;
}
export declare function parseRate(text: string): Rate | null;

// dist/create-proxy.d.ts
import type { Hono } from 'hono';
import type { CallerCheck } from './callers/caller.js';
import type { ProxyConfig } from './config.js';
import type { CallLimits } from './limits/call-limits.js';
import type { Observer } from './observer.js';
import type { Pages } from './pages.js';
import type { UpstreamTransport } from './transport.js';
import type { TokenSource } from './upstream-identity/token-source.js';
export interface ProxyParts {
    readonly transport?: UpstreamTransport;
    readonly observer?: Observer;
    readonly pages?: Pages;
    readonly callers?: CallerCheck;
    readonly limits?: CallLimits;
    readonly tokens?: TokenSource;
}
export declare function createProxy(config: ProxyConfig, parts?: ProxyParts): Hono;

// dist/limits/call-limits.d.ts
import type { Caller } from '../callers/caller.js';
import type { Refusal } from '../refusal.js';
export type LimitVerdict = {
    readonly kind: 'refuse';
    readonly refusal: Refusal;
} | {
    readonly kind: 'pass';
    readonly headers: readonly string[];
};
export interface CallLimits {
    take(caller: Caller, vehicle: string): LimitVerdict | Promise<LimitVerdict>;
}

// dist/pages.d.ts
export interface Page {
    readonly contentType: string;
    readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
}
export interface Pages {
    readonly docs?: Page;
    readonly contract?: Page;
}
export declare const ownPaths: ReadonlySet<string>;

// dist/upstream-identity/token-source.d.ts
export interface TokenSource {
    current(brand: string): string | null;
    obtain(brand: string): Promise<string | null>;
    replace(brand: string, rejected: string): Promise<string | null>;
    retryAfterSeconds(brand: string): number;
}

// dist/worker.d.ts
import { type WorkerEnvironment } from './worker/worker-environment.js';
export { ProxyState } from './worker/proxy-state.js';
export type { WorkerEnvironment } from './worker/worker-environment.js';
interface RequestContext {
    waitUntil(promise: Promise<unknown>): void;
}
declare const _default: {
    fetch(request: Request, environment: WorkerEnvironment, context: RequestContext): Response | Promise<Response>;
};
export default _default;

// dist/worker/worker-environment.d.ts
import { type SettingsReading } from '../settings/read-settings.js';
export type WorkerEnvironment = Readonly<Record<string, unknown>>;
export declare function workerSettings(environment: WorkerEnvironment): SettingsReading;

// dist/settings/read-settings.d.ts
import { type SettingName } from './all-settings.js';
export interface SettingSources {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly arguments: readonly string[];
    readonly readFile: (path: string) => string;
}
export type SettingValues = ReadonlyMap<SettingName, string>;
export interface Settings {
    readonly values: SettingValues;
    readonly byBrand: ReadonlyMap<string, SettingValues>;
}
export type SettingsReading = {
    readonly ok: true;
    readonly settings: Settings;
} | {
    readonly ok: false;
    readonly mistakes: readonly string[];
};
export declare function readSettings(sources: SettingSources): SettingsReading;

// dist/settings/all-settings.d.ts
import type { Setting } from './setting.js';
export declare const settingGroups: readonly [{
    readonly title: 'Server';
    readonly settings: readonly [{
        readonly variable: 'VDS_UPSTREAM_URL';
        readonly kind: 'url';
        readonly default: null;
        readonly alsoFlags: readonly ["upstream"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_HOST';
        readonly kind: 'text';
        readonly default: '127.0.0.1';
        readonly alsoVariables: readonly ["HOST"];
        readonly help: 'Address to listen on';
    }, {
        readonly variable: 'VDS_PORT';
        readonly kind: 'integer';
        readonly default: '8787';
        readonly minimum: 0;
        readonly maximum: 65535;
        readonly alsoVariables: readonly ["PORT"];
        readonly help: 'Port to listen on; 0 takes a free one';
    }, {
        readonly variable: 'VDS_BRANDS';
        readonly kind: 'list';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_ALLOW_STOP_ALL';
        readonly kind: 'boolean';
        readonly default: 'false';
        readonly help: "…";
    }, {
        readonly variable: 'VDS_VALIDATE_REQUESTS';
        readonly kind: 'choice';
        readonly default: 'enforce';
        readonly choices: readonly ["enforce"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_VALIDATE_RESPONSES';
        readonly kind: 'choice';
        readonly default: 'report';
        readonly choices: readonly ["off", "report", "enforce"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_DEADLINE_MS';
        readonly kind: 'integer';
        readonly default: '10000';
        readonly minimum: 100;
        readonly maximum: 600000;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_MAX_IN_FLIGHT';
        readonly kind: 'integer';
        readonly default: '1024';
        readonly minimum: 1;
        readonly maximum: 65536;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_WORKERS';
        readonly kind: 'integer';
        readonly default: '1';
        readonly minimum: 1;
        readonly maximum: 128;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_CONFIG_FILE';
        readonly kind: 'file';
        readonly default: null;
        readonly help: "…";
    }];
}, {
    readonly title: 'Callers';
    readonly settings: readonly [{
        readonly variable: 'VDS_CLIENT_AUTH';
        readonly kind: 'choice';
        readonly default: 'none';
        readonly choices: readonly ["none", "api-key", "jwt"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_KEYS_FILE';
        readonly kind: 'file';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_JWKS_URL';
        readonly kind: 'url';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_JWT_ISSUER';
        readonly kind: 'text';
        readonly default: null;
        readonly help: 'The issuer (`iss`) whose tokens count';
    }, {
        readonly variable: 'VDS_JWT_AUDIENCE';
        readonly kind: 'text';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_JWT_ALGORITHMS';
        readonly kind: 'list';
        readonly default: 'RS256,PS256,ES256,EdDSA';
        readonly choices: readonly ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_JWT_TOLERANCE_S';
        readonly kind: 'integer';
        readonly default: '30';
        readonly minimum: 0;
        readonly maximum: 300;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_JWT_OPERATIONS';
        readonly kind: 'list';
        readonly default: null;
        readonly choices: ("getCurrentStatus" | "getDrivingData" | "getLocation" | "getPowertrainData" | "listVehicles" | "stopDataSharing")[];
        readonly help: "…";
    }];
}, {
    readonly title: 'Access to the service';
    readonly settings: readonly [{
        readonly variable: 'VDS_UPSTREAM_AUTH';
        readonly kind: 'choice';
        readonly default: 'forward';
        readonly choices: readonly ["forward", "static", "token-endpoint"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_ACCESS_TOKEN';
        readonly kind: 'secret';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_URL';
        readonly kind: 'url';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_REFRESH_URL';
        readonly kind: 'url';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_GRANT';
        readonly kind: 'choice';
        readonly default: 'client-credentials';
        readonly choices: readonly ["client-credentials", "authorization-code", "refresh-token"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_FORM';
        readonly kind: 'choice';
        readonly default: 'oauth';
        readonly choices: readonly ["oauth", "envelope"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_CLIENT_ID';
        readonly kind: 'text';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_CLIENT_SECRET';
        readonly kind: 'password';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_CLIENT_AUTH';
        readonly kind: 'choice';
        readonly default: 'body';
        readonly choices: readonly ["body", "basic"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_AUTHORIZATION_CODE';
        readonly kind: 'password';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_REFRESH_TOKEN';
        readonly kind: 'password';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_REDIRECT_URL';
        readonly kind: 'url';
        readonly default: null;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_SCOPE';
        readonly kind: 'words';
        readonly default: null;
        readonly byBrand: true;
        readonly help: 'Scopes to ask for';
    }, {
        readonly variable: 'VDS_TOKEN_REQUEST_FIELDS';
        readonly kind: 'mapping';
        readonly default: null;
        readonly choices: readonly ["grantType", "clientId", "clientSecret", "code", "refreshToken", "redirectUrl", "scope"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_ANSWER_FIELDS';
        readonly kind: 'mapping';
        readonly default: null;
        readonly choices: readonly ["accessToken", "refreshToken", "expiresIn", "refreshExpiresIn"];
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_LIFETIME_S';
        readonly kind: 'integer';
        readonly default: '3600';
        readonly minimum: 60;
        readonly maximum: 86400;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_REFRESH_TOKEN_DAYS';
        readonly kind: 'integer';
        readonly default: '90';
        readonly minimum: 1;
        readonly maximum: 3650;
        readonly byBrand: true;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TOKEN_TIMEOUT_MS';
        readonly kind: 'integer';
        readonly default: '5000';
        readonly minimum: 100;
        readonly maximum: 60000;
        readonly byBrand: true;
        readonly help: "…";
    }];
}, {
    readonly title: 'Limits';
    readonly settings: readonly [{
        readonly variable: 'VDS_LIMIT_PER_CALLER';
        readonly kind: 'rate';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_LIMIT_PER_VEHICLE';
        readonly kind: 'rate';
        readonly default: null;
        readonly help: "…";
    }];
}, {
    readonly title: 'State';
    readonly settings: readonly [{
        readonly variable: 'VDS_STORE';
        readonly kind: 'choice';
        readonly default: 'memory';
        readonly choices: readonly ["memory", "file", "redis", "durable-object"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_STORE_DIR';
        readonly kind: 'file';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_REDIS_URL';
        readonly kind: 'password';
        readonly default: null;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_REDIS_PREFIX';
        readonly kind: 'text';
        readonly default: 'vds:';
        readonly help: 'What stands before every key in Redis';
    }, {
        readonly variable: 'VDS_REDIS_TIMEOUT_MS';
        readonly kind: 'integer';
        readonly default: '250';
        readonly minimum: 10;
        readonly maximum: 10000;
        readonly help: "…";
    }];
}, {
    readonly title: 'Watching';
    readonly settings: readonly [{
        readonly variable: 'VDS_ADMIN_PORT';
        readonly kind: 'integer';
        readonly default: null;
        readonly minimum: 0;
        readonly maximum: 65535;
        readonly help: "…";
    }, {
        readonly variable: 'VDS_ADMIN_HOST';
        readonly kind: 'text';
        readonly default: '127.0.0.1';
        readonly help: "…";
    }, {
        readonly variable: 'VDS_LOG_LEVEL';
        readonly kind: 'choice';
        readonly default: 'info';
        readonly choices: readonly ["silent", "error", "info", "debug"];
        readonly help: "…";
    }, {
        readonly variable: 'VDS_SERVER_TIMING';
        readonly kind: 'boolean';
        readonly default: 'false';
        readonly help: "…";
    }, {
        readonly variable: 'VDS_TRACES';
        readonly kind: 'boolean';
        readonly default: 'false';
        readonly help: "…";
    }];
}];
export type SettingName = (typeof settingGroups)[number]['settings'][number]['variable'];
export type NamedSetting = Setting & {
    readonly variable: SettingName;
};
export declare const settings: readonly NamedSetting[];

// dist/settings/setting.d.ts
export type SettingKind = 'text' | 'words' | 'file' | 'secret' | 'password' | 'url' | 'integer' | 'boolean' | 'list' | 'choice' | 'rate' | 'mapping';
export interface Setting {
    readonly variable: string;
    readonly kind: SettingKind;
    readonly default: string | null;
    readonly help: string;
    readonly alsoVariables?: readonly string[];
    readonly alsoFlags?: readonly string[];
    readonly choices?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly byBrand?: boolean;
}
export declare function flagOf(variable: string): string;
export declare function isSecret(setting: Setting): boolean;

// dist/worker/proxy-state.d.ts
import type { ObjectStorage } from './object-storage.js';
import { type WorkerEnvironment } from './worker-environment.js';
export declare class ProxyState {
    #private;
    constructor(state: {
        readonly storage: ObjectStorage;
    }, environment: WorkerEnvironment);
    fetch(request: Request): Promise<Response>;
    alarm(): Promise<void>;
}

// dist/worker/object-storage.d.ts
export interface ObjectStorage {
    get(key: string): Promise<unknown>;
    put(key: string, value: unknown, options?: {
        readonly allowUnconfirmed?: boolean;
    }): Promise<void>;
    setAlarm(timeMs: number): Promise<void>;
    deleteAll(): Promise<void>;
}
