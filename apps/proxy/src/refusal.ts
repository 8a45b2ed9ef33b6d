import { type ErrorCode, type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';

/** One reason of a refusal: where, which part, and what to do; never the value that was sent. */
export interface RefusalDetail {
  readonly in: 'path' | 'query' | 'header' | 'request';
  readonly name: string;
  readonly reason: string;
}

/** An answer of the proxy itself, in the error envelope of the service (interface, section 2.2). */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly details: readonly RefusalDetail[];
  /** Further answer headers, as name, value, name, value. */
  readonly headers: readonly string[];
}

const catalogue: ReadonlyMap<string, ErrorEntry> = new Map(errorCatalogue.map((entry) => [entry.code, entry]));

/**
 * Makes the refusal for a code of the contract's error catalogue; status and text come from there.
 *
 * @throws {Error} when the catalogue has no such code, which only a wrong build of the contract can cause
 */
export function refusal(
  code: ErrorCode,
  details: readonly RefusalDetail[] = [],
  headers: readonly string[] = [],
): Refusal {
  const entry = catalogue.get(code);
  if (entry === undefined) throw new Error(`the error catalogue has no code ${code}`);
  return { code, status: entry.status, message: entry.message, details, headers };
}

/** The body of a refusal as JSON text. */
export function refusalBody(refused: Refusal, requestId: string): string {
  const { code, message, details } = refused;
  return JSON.stringify({ error: { code, message, details, timestamp: new Date().toISOString(), requestId } });
}
