import type { OperationId } from '@vehicle-data/openapi';
import type { ResolvedConfig, UpstreamAuth } from '../config.js';
import type { DriftReport } from '../observability/drift-report.js';
import type { OpenRecord } from '../observability/observer.js';
import { type ProxyError, proxyError } from '../response/proxy-error.js';
import type { ResponseWriter } from '../response/response-writer.js';
import type { TokenSource } from '../upstream-token/token-source.js';
import type { RequestLifetime } from './request-lifetime.js';
import type { UpstreamRequest, UpstreamTransport } from './transport/upstream-transport.js';

/** A request that passed every check, ready to be sent. */
export interface ForwardPlan {
  readonly operationId: OperationId;
  /** The content coding that the upstream is asked for. */
  readonly coding: 'gzip' | 'identity';
  /** The request to the upstream, still without the access token of a token endpoint. */
  readonly request: UpstreamRequest;
  readonly brand: string;
  /** The VIN that the request names, or empty. */
  readonly vehicle: string;
  /** First and last day that the request names, or two empty texts. */
  readonly days: readonly [string, string];
  /** Where the access token comes from: only `forward` is the client's own. */
  readonly token: UpstreamAuth['kind'];
}

/** What every forwarded request has in common. */
export interface ForwardingParts {
  readonly config: ResolvedConfig;
  readonly transport: UpstreamTransport;
  readonly drift: DriftReport;
}

/** One request on its way: what is sent, where its response goes, and what is noted about it. */
export interface ForwardedRequest {
  readonly plan: ForwardPlan;
  /** Where the access token comes from; `null` when it is the client's own or in the settings. */
  readonly tokens: TokenSource | null;
  /** The access token of `tokens`, or empty. */
  readonly token: string;
  /** Further headers for the response, as name, value, name, value. */
  readonly responseHeaders: readonly string[];
  readonly out: ResponseWriter;
  readonly record: OpenRecord;
  readonly lifetime: RequestLifetime;
}

/** The error of a request for which the proxy has no access token. */
export function noToken(retryAfterSeconds: number): ProxyError {
  const headers = ['retry-after', String(retryAfterSeconds)];
  return proxyError('upstream-credentials-unavailable', [], headers, 'no access token');
}
