import { errorCatalogue } from '@vehicle-data/openapi';

/** Gives the access tokens with which the proxy proves itself to the upstream, one for each brand. */
export interface TokenSource {
  /** The token that is valid now, or `null` when it has to be fetched. Starts a refresh ahead of its end. */
  current(brand: string): string | null;
  /** Fetches a token, together with everybody who waits for the same brand; `null` when there is none to be had. */
  obtain(brand: string): Promise<string | null>;
  /**
   * Replaces a token that the upstream has rejected. Returns the new one, the same one when it is too young for the rejection
   * to be its fault, or `null` when there is none to be had.
   */
  replace(brand: string, rejected: string): Promise<string | null>;
  /** Time after which a client may try again while no token can be had, in whole seconds. */
  retryAfterSeconds(brand: string): number;
}

const rejectionCodes: ReadonlySet<string> = new Set(
  errorCatalogue
    .filter((entry) => entry.resolution === 'refresh-token' || entry.code === '401')
    .map((entry) => entry.code),
);

/** Whether an error response means that the access token is no longer good: by its code, or by HTTP status 401. */
export function isTokenRejection(status: number, code: string): boolean {
  return status === 401 || rejectionCodes.has(code);
}
