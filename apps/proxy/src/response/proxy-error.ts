import { type ErrorCode, type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';

/** One detail of an error: where, which part, and what to do; never the value that was sent. */
export interface ErrorDetail {
  readonly in: 'path' | 'query' | 'header' | 'request';
  readonly name: string;
  readonly reason: string;
}

const catalogue: ReadonlyMap<string, ErrorEntry> = new Map(errorCatalogue.map((entry) => [entry.code, entry]));

/**
 * An error response of the proxy, in the error envelope of the service (interface, section 2.2). Status and message come from the error
 * catalogue of the contract.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Further response headers, as name, value, name, value. */
  readonly headers: readonly string[];
  /** What happened, in fixed words for the operator's log. */
  readonly reason: string;

  /** @throws {Error} when the catalogue has no such code, which only a wrong build of the contract can cause */
  constructor(code: ErrorCode, details: readonly ErrorDetail[], headers: readonly string[], reason: string) {
    const entry = catalogue.get(code);
    if (entry === undefined) throw new Error(`the error catalogue has no code ${code}`);
    super(entry.message);
    this.code = code;
    this.status = entry.status;
    this.details = details;
    this.headers = headers;
    this.reason = reason;
  }
}

/** Makes the error response for a code of the error catalogue. */
export function proxyError(
  code: ErrorCode,
  details: readonly ErrorDetail[] = [],
  headers: readonly string[] = [],
  reason = '',
): ProxyError {
  return new ProxyError(code, details, headers, reason);
}

export function errorBody({ code, message, details }: ProxyError, requestId: string): string {
  return JSON.stringify({ error: { code, message, details, timestamp: new Date().toISOString(), requestId } });
}
