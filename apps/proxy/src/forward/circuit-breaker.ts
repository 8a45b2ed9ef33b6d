// Circuit breakers: they reject requests while the upstream fails most of them. What one client or one vehicle meets opens none for others.

/** What a breaker does: lets requests pass, rejects them, or lets a few probes pass. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Whose request it is: names of its client and its vehicle. Failures with one name count only up to a share of what opens a breaker. */
type Source = readonly string[];

/** Notes the outcome of a request that could pass. It counts only while the breaker is in the period that let it pass. */
export type Settle = (failed: boolean, nowMs: number) => void;

/** Within ten seconds, half of the requests fail: the upstream is in trouble. */
const longWindow = { windowMs: 10_000, failureShare: 0.5 };
/** Within one second, nearly all fail: the upstream is gone, however good it was before. */
const shortWindow = { windowMs: 1000, failureShare: 0.9 };
const minRequests = 20;
/** Failures that have to remain without those of the client, or of the vehicle, that fails most. */
const minOtherFailures = 10;
const openMs = 5000;
/** Failures of one client, and of one vehicle, that count within half a window. Successes all count. */
const countedPerSource = 5;
/** Probes in one half-open period, each of another client and for another vehicle. */
const maxProbes = 3;
/** Clients and vehicles that are told apart within half a window; failures of further ones do not count. */
const maxSources = 10_000;

/** What happened within half a window. */
const emptyHalf = () => ({
  successes: 0,
  failures: 0,
  failuresBySource: new Map<string, number>(),
  mostOfOneSource: 0,
});

/** Outcomes of the last time, forgotten half a window at a time. */
class OutcomeWindow {
  readonly #windowMs: number;
  readonly #failureShare: number;
  #halfStartMs = 0;
  #older = emptyHalf();
  #newer = emptyHalf();

  constructor({ windowMs, failureShare }: { readonly windowMs: number; readonly failureShare: number }) {
    this.#windowMs = windowMs;
    this.#failureShare = failureShare;
  }

  clear(): void {
    this.#older = emptyHalf();
    this.#newer = emptyHalf();
  }

  count(source: Source, failed: boolean, nowMs: number): void {
    const ageMs = nowMs - this.#halfStartMs;
    if (ageMs > this.#windowMs / 2) {
      this.#older = ageMs > this.#windowMs ? emptyHalf() : this.#newer;
      this.#newer = emptyHalf();
      this.#halfStartMs = nowMs;
    }
    const half = this.#newer;
    if (!failed) {
      half.successes++;
      return;
    }
    const { failuresBySource } = half;
    const counted = source.map((name) => failuresBySource.get(name) ?? 0);
    if (failuresBySource.size >= maxSources || counted.some((each) => each >= countedPerSource)) return;
    half.failures++;
    for (const [index, name] of source.entries()) {
      const failures = (counted[index] ?? 0) + 1;
      failuresBySource.set(name, failures);
      half.mostOfOneSource = Math.max(half.mostOfOneSource, failures);
    }
  }

  /** Whether so many requests fail, whichever client or vehicle is left out. */
  get isFailing(): boolean {
    const [older, newer] = [this.#older, this.#newer];
    const failures = older.failures + newer.failures;
    const requests = failures + older.successes + newer.successes;
    // Of both halves, it may be two clients: then the breaker opens a little later.
    const ofOneSource = older.mostOfOneSource + newer.mostOfOneSource;
    const otherFailures = failures - ofOneSource;
    const isMost = otherFailures >= (requests - ofOneSource) * this.#failureShare;
    return requests >= minRequests && otherFailures >= minOtherFailures && isMost;
  }
}

/**
 * Rejects requests while the upstream fails most of them, so that it can recover and clients learn it at once. It opens only when most
 * requests fail without those of any one client or any one vehicle. Requests from before the opening do not decide the probes.
 */
export class CircuitBreaker {
  #state: BreakerState = 'closed';
  /** Counts every change of state. */
  #period = 0;
  #changedMs = Number.NEGATIVE_INFINITY;
  readonly #windows = [new OutcomeWindow(longWindow), new OutcomeWindow(shortWindow)];
  #probes: Source[] = [];
  #failedProbes: Source[] = [];

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether a request could pass. It takes no probe. */
  wouldAdmit(source: Source, nowMs: number): boolean {
    // Probes that never settle, because their clients left, do not hold the breaker for ever.
    if (this.#state !== 'closed' && nowMs - this.#changedMs >= openMs) this.#change('half-open', nowMs);
    if (this.#state === 'closed') return true;
    return this.#state === 'half-open' && this.#probes.length < maxProbes && differs(source, this.#probes);
  }

  /** Lets a request pass, or returns `null`. */
  admit(source: Source, nowMs: number): Settle | null {
    if (!this.wouldAdmit(source, nowMs)) return null;
    if (this.#state === 'half-open') this.#probes.push(source);
    const period = this.#period;
    return (failed, settledMs) => {
      if (period === this.#period) this.#settle(source, failed, settledMs);
    };
  }

  /** Time until the next probe, in milliseconds. */
  waitMs(nowMs: number): number {
    return Math.max(0, openMs - (nowMs - this.#changedMs));
  }

  #settle(source: Source, failed: boolean, nowMs: number): void {
    if (this.#state === 'half-open') {
      // One good response is enough. A failure can be that of its client or vehicle alone, so it takes several.
      if (!failed) this.#change('closed', nowMs);
      else if (differs(source, this.#failedProbes) && this.#failedProbes.push(source) === maxProbes)
        this.#change('open', nowMs);
      return;
    }
    for (const window of this.#windows) window.count(source, failed, nowMs);
    if (failed && this.#windows.some(({ isFailing }) => isFailing)) this.#change('open', nowMs);
  }

  #change(state: BreakerState, nowMs: number): void {
    // When probes may start anew, the running ones still count: a good one can take longer than the pause.
    if (state !== this.#state) this.#period++;
    this.#state = state;
    this.#changedMs = nowMs;
    for (const window of this.#windows) window.clear();
    this.#probes = [];
    this.#failedProbes = [];
  }
}

/** Whether a source is another client, and names another vehicle, than all of these. */
function differs(source: Source, others: readonly Source[]): boolean {
  return !others.flat().some((name) => source.includes(name));
}

/** The reason of a request that a breaker rejects, in logs and for metrics. */
export const breakerReason = 'the circuit breaker is open';

/** Clients of a brand with a breaker of their own, or brands; beyond that, the breaker that was made first goes. */
const maxBreakers = 1000;

/**
 * A circuit breaker for each brand, and one for each client of a brand. That of the brand opens when the requests of several clients fail;
 * that of a client rejects the requests of this client alone.
 */
export class CircuitBreakers {
  readonly #byBrand = new Map<string, CircuitBreaker>();
  readonly #byClient = new Map<string, CircuitBreaker>();

  /**
   * Lets a request pass, or returns how long to wait, in milliseconds.
   *
   * @param client its identifier, or empty when clients are not told apart
   * @param vehicle VIN of the request, or empty
   */
  admit(brand: string, client: string, vehicle: string, nowMs: number): Settle | number {
    const ofBrand = breakerIn(this.#byBrand, brand);
    const vehicles = vehicle === '' ? [] : [`vehicle ${vehicle}`];
    if (client === '') return ofBrand.admit(vehicles, nowMs) ?? ofBrand.waitMs(nowMs);
    const source = [`client ${client}`, ...vehicles];
    // First, so that the client loses no probe by a request that is not sent.
    if (!ofBrand.wouldAdmit(source, nowMs)) return ofBrand.waitMs(nowMs);
    const ofClient = breakerIn(this.#byClient, `${brand} ${client}`);
    const settleClient = ofClient.admit(vehicles, nowMs);
    if (settleClient === null) return ofClient.waitMs(nowMs);
    const settleBrand = ofBrand.admit(source, nowMs);
    return (failed, settledMs) => {
      settleClient(failed, settledMs);
      settleBrand?.(failed, settledMs);
    };
  }

  /** Brands that had requests, and whether the breaker of each has opened and no request has succeeded since. */
  get ofBrands(): readonly (readonly [brand: string, isOpen: boolean])[] {
    return [...this.#byBrand].map(([brand, { state }]) => [brand, state !== 'closed']);
  }

  /** Clients of a brand whose own breaker is open. */
  get openOfClients(): number {
    return [...this.#byClient.values()].filter(({ state }) => state !== 'closed').length;
  }
}

function breakerIn(breakers: Map<string, CircuitBreaker>, key: string): CircuitBreaker {
  const known = breakers.get(key);
  if (known !== undefined) return known;
  const [oldest = ''] = breakers.keys();
  if (breakers.size >= maxBreakers) breakers.delete(oldest);
  const breaker = new CircuitBreaker();
  breakers.set(key, breaker);
  return breaker;
}
