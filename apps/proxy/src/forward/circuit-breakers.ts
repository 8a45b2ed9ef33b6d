import { type BreakerPermit, type BreakerSource, type BreakerState, CircuitBreaker } from './circuit-breaker.js';

/** Leave to send one request, of the breakers that gave it. */
export interface Admission {
  readonly permits: readonly (readonly [breaker: CircuitBreaker, permit: BreakerPermit])[];
}

/** Clients with a breaker of their own; beyond that, the one that was made first goes. */
const maxClients = 1000;

/**
 * A circuit breaker for each brand, and one for each client of a brand. That of the brand opens when the requests of several clients fail;
 * that of a client rejects the requests of this client alone.
 */
export class CircuitBreakers {
  readonly #byBrand = new Map<string, CircuitBreaker>();
  readonly #byClient = new Map<string, CircuitBreaker>();

  /** The least healthy state of a brand. */
  get state(): BreakerState {
    const states = new Set([...this.#byBrand.values()].map((breaker) => breaker.state));
    return (['open', 'half-open'] as const).find((state) => states.has(state)) ?? 'closed';
  }

  /** Leave to send a request now, or how long to wait, in milliseconds. */
  admit(brand: string, source: BreakerSource, nowMs: number): Admission | number {
    const permits: (readonly [CircuitBreaker, BreakerPermit])[] = [];
    for (const [breaker, counted] of this.#breakersOf(brand, source)) {
      const permit = breaker.admit(counted, nowMs);
      if (permit === null) return breaker.waitMs(nowMs);
      permits.push([breaker, permit]);
    }
    return { permits };
  }

  /** Notes the outcome of a request. */
  settle({ permits }: Admission, failed: boolean, nowMs: number): void {
    for (const [breaker, permit] of permits) breaker.settle(permit, failed, nowMs);
  }

  #breakersOf(brand: string, source: BreakerSource): readonly (readonly [CircuitBreaker, BreakerSource])[] {
    const ofBrand = [breakerIn(this.#byBrand, brand, Number.POSITIVE_INFINITY), source] as const;
    if (source.client === '') return [ofBrand];
    const ofClient = breakerIn(this.#byClient, `${brand} ${source.client}`, maxClients);
    return [[ofClient, { ...source, client: '' }], ofBrand];
  }
}

function breakerIn(breakers: Map<string, CircuitBreaker>, key: string, most: number): CircuitBreaker {
  let breaker = breakers.get(key);
  if (breaker !== undefined) return breaker;
  breaker = new CircuitBreaker();
  if (breakers.size >= most) {
    const [oldest] = breakers.keys();
    if (oldest !== undefined) breakers.delete(oldest);
  }
  breakers.set(key, breaker);
  return breaker;
}
