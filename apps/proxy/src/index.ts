export type { CheckMode, ProxyConfig, UpstreamAuth } from './config.js';
export { createProxy, type ProxyParts } from './create-proxy.js';
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
