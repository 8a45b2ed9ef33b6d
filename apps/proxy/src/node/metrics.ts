import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ProxyCore } from '../core.js';
import type { CallRecord, Observer } from '../observer.js';
import type { ManagedTokens } from '../upstream-identity/managed-tokens.js';
import { CallTallies } from './call-tallies.js';
import { DurationHistogram } from './duration-histogram.js';

/** The parts of a running proxy that are measured when somebody looks. */
export interface Measured {
  readonly core: ProxyCore;
  readonly tokens: ManagedTokens;
  /** Number of open connections of callers. */
  readonly connections: () => number;
}

/**
 * The metrics of a proxy, named and typed as Prometheus has it. Labels hold route templates, methods, statuses, codes, brands and
 * fixed words; never a VIN, a path, a key or a caller.
 */
export class Metrics implements Observer {
  readonly registry = new Registry();
  // A call only adds to numbers; they go to the counters, which look up labels, when somebody asks for the metrics.
  readonly #tallies = new CallTallies();
  readonly #tokenRequests: Counter;
  readonly #storeAway: Counter;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    const tallies = this.#tallies;
    new Counter({
      name: 'vds_proxy_calls_total',
      help: 'Finished calls; status 0 stands for a caller that left early.',
      labelNames: ['method', 'route', 'status', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { method, route, status, code, calls } of tallies.all())
          this.inc({ method, route, status, code }, calls);
      },
    });
    this.registry.registerMetric(new DurationHistogram(tallies));
    new Counter({
      name: 'vds_proxy_answer_bytes_total',
      help: 'Bytes of answer bodies handed on.',
      labelNames: ['route'],
      registers,
      collect() {
        this.reset();
        for (const { route, bytes, sent } of tallies.all()) if (sent > 0) this.inc({ route }, bytes);
      },
    });
    new Counter({
      name: 'vds_proxy_upstream_requests_total',
      help: 'Requests sent to the service, repeated ones included.',
      labelNames: ['route'],
      registers,
      collect() {
        this.reset();
        for (const { route, attempts, sent } of tallies.all()) if (sent > 0) this.inc({ route }, attempts);
      },
    });
    this.#tokenRequests = new Counter({
      name: 'vds_proxy_token_requests_total',
      help: 'Requests to token endpoints by outcome.',
      labelNames: ['brand', 'outcome'],
      registers,
    });
    this.#storeAway = new Counter({
      name: 'vds_proxy_limit_store_failures_total',
      help: 'Times that the place where processes count together failed or was too slow, so that one counted alone for a second.',
      registers,
    });
  }

  call(record: CallRecord): void {
    this.#tallies.add(record);
  }

  /** Notes one request to a token endpoint. */
  noteTokenRequest(brand: string, outcome: string): void {
    this.#tokenRequests.inc({ brand, outcome });
  }

  /** Notes that Redis did not count a call in time. */
  noteStoreAway(): void {
    this.#storeAway.inc();
  }

  /** Adds what is measured only when somebody looks. States of several workers count as one: what holds for one of them is shown. */
  measure({ core, tokens, connections }: Measured): void {
    const registers = [this.registry];
    const gauge = (name: string, help: string, value: () => number, aggregator: 'sum' | 'max' = 'sum') =>
      new Gauge({
        name,
        help,
        aggregator,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('vds_proxy_calls_in_flight', 'Calls under way to the service.', () => core.forwarder.inFlight);
    gauge('vds_proxy_connections', 'Open connections of callers.', connections);
    gauge('vds_proxy_draining', 'Whether the proxy takes no new calls.', () => Number(core.draining), 'max');
    gauge(
      'vds_proxy_drift_places',
      'Places where answers deviate from the contract.',
      () => core.drift.snapshot().findings.length,
      'max',
    );
    gauge('vds_proxy_drift_findings', 'Deviations of answers from the contract found so far.', () =>
      core.drift.snapshot().findings.reduce((sum, finding) => sum + finding.count, 0),
    );
    const breaker = new Gauge({
      name: 'vds_proxy_circuit_breaker',
      help: 'State of the circuit breaker: 1 for the state that it is in.',
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      collect() {
        for (const state of ['closed', 'half-open', 'open'])
          this.set({ state }, Number(core.forwarder.breaker.state === state));
      },
    });
    breaker.set({ state: 'closed' }, 1);
    this.#measureTokens(tokens);
  }

  #measureTokens(tokens: ManagedTokens): void {
    const registers = [this.registry];
    const labelNames = ['brand'];
    const byBrand = (name: string, help: string, value: (status: TokenStatus) => number | null) =>
      new Gauge({
        name,
        help,
        labelNames,
        aggregator: 'max',
        registers,
        collect() {
          this.reset();
          for (const status of tokens.statuses()) {
            const measured = value(status);
            if (measured !== null) this.set({ brand: status.brand }, measured);
          }
        },
      });
    byBrand('vds_proxy_token_valid', 'Whether there is an access token that can be used.', (status) =>
      Number(status.state === 'valid'),
    );
    byBrand(
      'vds_proxy_token_expires_seconds',
      'Time until the access token ends.',
      (status) => status.expiresInSeconds,
    );
    byBrand(
      'vds_proxy_consent_renewal_timestamp_seconds',
      'Day by which the consent must be renewed, in seconds since 1970.',
      ({ renewConsentBy }) => (renewConsentBy === null ? null : Date.parse(renewConsentBy) / 1000),
    );
  }
}

type TokenStatus = ReturnType<ManagedTokens['statuses']>[number];
