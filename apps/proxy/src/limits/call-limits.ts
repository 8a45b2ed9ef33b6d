import type { Client } from '../auth/client.js';
import type { ProxyError } from '../response/proxy-error.js';

/** What the limits say of one call: refused, or passed with headers for its answer (name, value, name, value). */
export type LimitVerdict =
  | { readonly kind: 'reject'; readonly proxyError: ProxyError }
  | { readonly kind: 'pass'; readonly headers: readonly string[] };

/** Counts calls against the limits of clients and vehicles. */
export interface RateLimits {
  /**
   * @param brand the brand of the call
   * @param vehicle the VIN of the call; empty when it names none, or when the call is a withdrawal, which no vehicle's limit may
   *   stop. It is not kept in the clear outside this process
   */
  take(client: Client, brand: string, vehicle: string): LimitVerdict | Promise<LimitVerdict>;
}
