export type { Caller, CallerCheck } from './callers/caller.js';
export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export { createProxy, type ProxyParts } from './create-proxy.js';
export type { CallLimits, LimitVerdict } from './limits/call-limits.js';
export type { CallRecord, Observer } from './observer.js';
export type { Page, Pages } from './pages.js';
export type {
  UpstreamCall,
  UpstreamExchange,
  UpstreamFault,
  UpstreamHead,
  UpstreamSink,
  UpstreamTransport,
} from './transport.js';
export type { TokenSource } from './upstream-identity/token-source.js';
