export { createProxy, type ProxyParts } from './app.js';
export type { Client, ClientAuth } from './auth/client.js';
export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export type {
  UpstreamAttempt,
  UpstreamFailure,
  UpstreamHead,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from './forward/transport/upstream-transport.js';
export type { RateLimits } from './limits/rate-limits.js';
export type { Observer, RequestRecord, UnexpectedError } from './observability/observer.js';
export type { IncomingRequest } from './request/incoming-request.js';
export type { Page, Pages } from './response/pages.js';
export { type ErrorDetail, ProxyError, proxyError } from './response/proxy-error.js';
export type { TokenSource } from './upstream-token/token-source.js';
