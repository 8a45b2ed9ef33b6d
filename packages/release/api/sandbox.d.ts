// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { Clock } from './clock.js';
export type { Consent } from './consents.js';
export type { Fault, FaultEffect, FaultScope } from './faults.js';
export type { ConsentControl, FaultControl, Sandbox, SandboxOptions } from './sandbox.js';
export { createSandbox } from './sandbox.js';
export type { StateStore } from './state.js';
export type { TokenLifetimes } from './tokens.js';
export { demoAccessToken, demoClient, demoRefreshToken } from './tokens.js';

// dist/clock.d.ts
export declare class Clock {
    #private;
    now(): number;
    get frozen(): boolean;
    set(ms: number): void;
    advance(ms: number): void;
    freeze(): void;
    run(): void;
    reset(): void;
}

// dist/consents.d.ts
import { type FleetVehicle } from './fleet/vehicles.js';
export type Consent = 'shared' | 'withdrawn' | 'never';
export declare const consentValues: readonly Consent[];
export declare class Consents {
    #private;
    constructor();
    of(vin: string): Consent;
    set(vin: string, consent: Consent): void;
    shared(owner: string, brandPosition: number): readonly FleetVehicle[];
    reset(): void;
    entries(): Readonly<Record<string, Consent>>;
}

// dist/fleet/vehicles.d.ts
import type { Vehicle } from '@vehicle-data/openapi';
import type { HomeZone } from './home-zones.js';
export type Habit = 'commuter' | 'traveller' | 'family' | 'occasional';
export interface FleetVehicle {
    readonly vin: string;
    readonly brandPosition: 0 | 1 | 2;
    readonly type: NonNullable<Vehicle['type']>;
    readonly nickname: string;
    readonly name: string;
    readonly sellname: string;
    readonly owner: string;
    readonly initialConsent: 'shared' | 'withdrawn' | 'never';
    readonly habit: Habit;
    readonly zone: HomeZone;
    readonly town: {
        readonly latitude: number;
        readonly longitude: number;
        readonly altitude: number;
    };
    readonly climate: {
        readonly mean: number;
        readonly swing: number;
        readonly warmestDayOfYear: number;
    };
    readonly speedUnit: 'kph' | 'mph';
}
export declare const demoOwner = "demo";
export declare const fleetVehicles: readonly FleetVehicle[];

// dist/fleet/home-zones.d.ts
import { type Day } from './calendar.js';
declare const homeZones: {
    readonly 'Europe/Berlin': {
        readonly standardMinutes: 60;
        readonly saving: 'europe';
    };
    readonly 'Europe/London': {
        readonly standardMinutes: 0;
        readonly saving: 'europe';
    };
    readonly 'America/New_York': {
        readonly standardMinutes: -300;
        readonly saving: 'north-america';
    };
    readonly 'America/Los_Angeles': {
        readonly standardMinutes: -480;
        readonly saving: 'north-america';
    };
    readonly 'Asia/Seoul': {
        readonly standardMinutes: 540;
        readonly saving: 'none';
    };
    readonly 'Asia/Kolkata': {
        readonly standardMinutes: 330;
        readonly saving: 'none';
    };
    readonly 'Australia/Sydney': {
        readonly standardMinutes: 600;
        readonly saving: 'australia';
    };
};
export type HomeZone = keyof typeof homeZones;
export declare function offsetMinutesAtNoon(zone: HomeZone, day: Day): number;
export {};

// dist/fleet/calendar.d.ts
export type Day = number;
export declare const millisecondsPerDay = 86400000;
export declare function dayOf(year: number, month: number, dayOfMonth: number): Day;
export declare function dayOfBasicDate(text: string): Day;
export declare function weekdayOf(day: Day): number;
export declare function weekOf(day: Day): number;
export declare function yearOf(day: Day): number;

// dist/faults.d.ts
import type { ErrorCode } from '@vehicle-data/openapi';
import { type Answer, type CallFacts } from './answer.js';
import { type MemberChange } from './fault-members.js';
import type { Match } from './routes.js';
import { type Tokens } from './tokens.js';
export type FaultEffect = {
    readonly kind: 'latency';
    readonly latencyMs: number;
} | {
    readonly kind: 'error';
    readonly code: ErrorCode;
    readonly retryAfterSeconds?: number | undefined;
} | {
    readonly kind: 'status';
    readonly status: number;
    readonly retryAfterSeconds?: number | undefined;
} | {
    readonly kind: 'expired-token' | 'cut-body' | 'stalled-body' | 'wrong-content-type' | 'malformed-json' | MemberChange;
};
export interface FaultScope {
    readonly vin?: string | undefined;
    readonly operationId?: string | undefined;
    readonly probability?: number | undefined;
    readonly seed?: number | undefined;
    readonly times?: number | undefined;
}
export type Fault = FaultScope & FaultEffect;
interface FaultyCall {
    readonly request: Request;
    readonly match: Match | undefined;
    readonly query: string;
    readonly facts: CallFacts;
    readonly tokens: Tokens;
    readonly answer: () => Promise<Answer>;
}
export declare class Faults {
    #private;
    get none(): boolean;
    list(): readonly Fault[];
    add(...faults: readonly Fault[]): void;
    clear(): void;
    play(call: FaultyCall): Promise<Response>;
}
export {};

// dist/answer.d.ts
import { type ErrorCode, type ErrorDetail, type ErrorEntry } from '@vehicle-data/openapi';
export interface Answer {
    status: number;
    headers: Record<string, string>;
    body: string | readonly Uint8Array<ArrayBuffer>[];
}
export interface CallFacts {
    readonly requestId: string;
    readonly nowMs: number;
}
export declare function errorEntry(code: string): ErrorEntry | undefined;
export declare function success(facts: CallFacts, dataJson: string, successMember: unknown): Answer;
export declare function successList(facts: CallFacts, member: string, items: readonly Uint8Array<ArrayBuffer>[], successMember: unknown): Answer;
export declare function failure(facts: CallFacts, code: ErrorCode, details?: readonly ErrorDetail[]): Answer;
export declare function toResponse(answer: Answer): Response;
export declare function successMemberOf(example: unknown): unknown;

// dist/fault-members.d.ts
export type MemberChange = 'null-members' | 'unknown-members' | 'out-of-range';
export declare function changeMembers(json: string, change: MemberChange, operationId: string | undefined): string;

// dist/routes.d.ts
import { type OperationId, type OperationSpec } from '@vehicle-data/openapi';
export interface Match {
    readonly id: OperationId;
    readonly operation: OperationSpec;
    readonly path: Readonly<Record<string, string>>;
}
export declare function matchRoute(method: string, rawPath: string): Match | undefined;

// dist/tokens.d.ts
export declare const demoAccessToken = "demo-access-token";
export declare const demoRefreshToken = "demo-refresh-token";
export declare const demoClient: {
    readonly id: 'demo-client';
    readonly secret: 'demo-secret';
};
export interface TokenLifetimes {
    readonly accessMs: number;
    readonly refreshMs: number;
}
export interface Grant {
    readonly owner: string;
    readonly expiresAtMs: number;
}
interface CodeGrant extends Grant {
    readonly redirectUrl: string | null;
}
export interface IssuedTokens {
    readonly accessToken: string;
    readonly refreshToken: string;
    readonly expiresInSeconds: number;
}
export interface TokenSnapshot {
    readonly access: Readonly<Record<string, Grant>>;
    readonly refresh: Readonly<Record<string, Grant>>;
    readonly codes: Readonly<Record<string, CodeGrant>>;
}
export declare class Tokens {
    #private;
    constructor(lifetimes: TokenLifetimes);
    ownerOf(accessToken: string, nowMs: number): string | undefined;
    expire(accessToken: string): void;
    issueCode(owner: string, redirectUrl: string | null, nowMs: number): string;
    exchangeCode(code: string, redirectUrl: string | null, nowMs: number): IssuedTokens | undefined;
    exchangeRefreshToken(refreshToken: string, nowMs: number): IssuedTokens | undefined;
    reset(): void;
    counts(): {
        readonly access: number;
        readonly refresh: number;
        readonly codes: number;
    };
    snapshot(): TokenSnapshot;
    restore(snapshot: TokenSnapshot): void;
}
export declare function bearerOf(authorization: string): string | undefined;
export {};

// dist/sandbox.d.ts
import { Clock } from './clock.js';
import { type Consent } from './consents.js';
import { type Fault, Faults } from './faults.js';
import { type StateStore } from './state.js';
import { type TokenLifetimes } from './tokens.js';
export interface SandboxOptions {
    readonly seed?: number | undefined;
    readonly brands?: readonly string[] | undefined;
    readonly tokenLifetimes?: Partial<TokenLifetimes> | undefined;
    readonly now?: Date | undefined;
    readonly frozen?: boolean | undefined;
    readonly faults?: readonly Fault[] | undefined;
    readonly state?: StateStore | undefined;
    readonly cacheBytes?: number | undefined;
}
export interface ConsentControl {
    readonly of: (vin: string) => Consent;
    readonly set: (vin: string, consent: Consent) => Promise<void>;
}
export type FaultControl = Pick<Faults, 'list' | 'add' | 'clear'>;
export interface Sandbox {
    readonly fetch: (request: Request) => Promise<Response>;
    readonly clock: Clock;
    readonly faults: FaultControl;
    readonly consents: ConsentControl;
    readonly reset: () => Promise<void>;
}
export declare function createSandbox(options?: SandboxOptions): Sandbox;

// dist/state.d.ts
import { type Consent, type Consents } from './consents.js';
import type { Tokens } from './tokens.js';
export interface StateStore {
    readonly load: () => string | null;
    readonly save: (text: string) => void | Promise<void>;
}
export declare function writeState(store: StateStore, consents: Consents, tokens: Tokens): Promise<void>;
export declare function readState(store: StateStore, consents: Consents, tokens: Tokens): void;
export declare function isConsent(value: unknown): value is Consent;
