// Written by "npm run update-reports" from the built declarations. A change here is a change for users.

// dist/index.d.ts
export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export { createProxy, type ProxyParts } from './create-proxy.js';
export type { CallRecord, Observer } from './observer.js';
export type { Page, Pages } from './pages.js';
export type { UpstreamCall, UpstreamExchange, UpstreamFault, UpstreamHead, UpstreamSink, UpstreamTransport, } from './transport.js';

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

// dist/create-proxy.d.ts
import type { Hono } from 'hono';
import type { ProxyConfig } from './config.js';
import type { Observer } from './observer.js';
import type { Pages } from './pages.js';
import type { UpstreamTransport } from './transport.js';
export interface ProxyParts {
    readonly transport?: UpstreamTransport;
    readonly observer?: Observer;
    readonly pages?: Pages;
}
export declare function createProxy(config: ProxyConfig, parts?: ProxyParts): Hono;

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

// dist/worker.d.ts
export type WorkerEnvironment = Readonly<Record<string, unknown>>;
declare const _default: {
    fetch(request: Request, environment: WorkerEnvironment): Response | Promise<Response>;
};
export default _default;
