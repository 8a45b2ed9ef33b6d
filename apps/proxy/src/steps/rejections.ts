import { type ProxyError, proxyError } from '../response/proxy-error.js';

/** Reasons of requests that a limit of the proxy's own has rejected. */
export const inFlightReason = 'too many requests in flight';
export const clientInFlightReason = 'too many requests of the client in flight';
export const unauthenticatedReason = 'too many requests without good credentials from the address';

export function limited(reason: string, seconds = 1): ProxyError {
  return proxyError('rate-limited', [], ['retry-after', String(seconds)], reason);
}

export function overloaded(reason: string): ProxyError {
  return proxyError('overloaded', [], ['retry-after', '1'], reason);
}

export function notAudited(): ProxyError {
  return proxyError('audit-unavailable', [], ['retry-after', '10'], 'the audit log cannot be written');
}
