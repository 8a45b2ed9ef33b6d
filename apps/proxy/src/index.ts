export type { Client, ClientAuth } from './auth/client.js';
export type { JwtOptions } from './auth/jwt-options.js';
export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export { createProxy, type ProxyParts } from './create-proxy.js';
export type {
  UpstreamAttempt,
  UpstreamFailure,
  UpstreamHead,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from './forward/transport/upstream-transport.js';
export type { LimitRates, RateLimits } from './limits/rate-limits.js';
export type { Observer, RequestRecord, UnexpectedError } from './observability/observer.js';
export { jwtAuth, type KeyOptions, keyAuth, rateLimits, tokenEndpoint } from './parts.js';
export type { Rate } from './rate.js';
export type { IncomingRequest } from './request/incoming-request.js';
export type { Page, Pages } from './response/pages.js';
export { type ErrorDetail, ProxyError, proxyError } from './response/proxy-error.js';
export { Store } from './store/memory-store.js';
export type { TokenOptions } from './upstream-token/token-options.js';
export type { TokenSource } from './upstream-token/token-source.js';
