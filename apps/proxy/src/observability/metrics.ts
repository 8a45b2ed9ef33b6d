import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { servedOperations } from '../config.js';
import { version } from '../node/version.js';
import type { Pipeline } from '../pipeline.js';
import type { ManagedTokens } from '../upstream-token/managed-tokens.js';
import type { ClientUsage, UsageByClient } from './client-usage.js';
import type { Observer, RequestRecord } from './observer.js';
import type { Warnings } from './warnings.js';

/** The parts of a running proxy that are measured when somebody looks. */
export interface Measured {
  readonly pipeline: Pipeline;
  readonly warnings: Warnings;
  readonly tokens: ManagedTokens;
  readonly usage: UsageByClient;
  /** Number of open connections of clients. */
  readonly connections: () => number;
}

const countedMethods: ReadonlySet<string> = new Set([...servedOperations.map(({ method }) => method), '-']);

/**
 * The metrics of a proxy, named and typed as Prometheus has it. Labels hold route templates, methods, statuses, codes, brands and
 * fixed words; never a VIN, a path, a key or a client.
 */
export class Metrics implements Observer {
  readonly registry = new Registry();
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #responseBytes: Counter;
  readonly #upstreamRequests: Counter;
  readonly #tokenRequests: Counter;
  readonly #connectFailures: Counter;
  readonly #reloads: Counter;
  readonly #storeAway: Counter;
  readonly #droppedLines: Counter;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: 'vds_proxy_requests_total',
      help: 'Finished requests; status 0 stands for a client that left early.',
      labelNames: ['method', 'route', 'status', 'code'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'vds_proxy_request_duration_seconds',
      help: 'Time from the head of a forwarded request to the end of its response.',
      labelNames: ['method', 'route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#responseBytes = new Counter({
      name: 'vds_proxy_response_bytes_total',
      help: 'Bytes of forwarded response bodies.',
      labelNames: ['route'],
      registers,
    });
    this.#upstreamRequests = new Counter({
      name: 'vds_proxy_upstream_requests_total',
      help: 'Requests sent to the upstream, retries included.',
      labelNames: ['route'],
      registers,
    });
    this.#tokenRequests = new Counter({
      name: 'vds_proxy_token_requests_total',
      help: 'Requests to token endpoints by outcome.',
      labelNames: ['brand', 'outcome'],
      registers,
    });
    this.#droppedLines = new Counter({
      name: 'vds_proxy_log_lines_dropped_total',
      help: 'Log lines that were dropped because their reader is behind.',
      registers,
    });
    this.#storeAway = new Counter({
      name: 'vds_proxy_limit_store_failures_total',
      help: 'Times that the place where processes count together failed or was too slow, so that one counted alone for a second.',
      registers,
    });
    this.#connectFailures = new Counter({
      name: 'vds_proxy_upstream_connect_failures_total',
      help: 'Requests for which no connection to the upstream was made, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#reloads = new Counter({
      name: 'vds_proxy_reloads_total',
      help: 'Reloads of the settings by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    const info = new Gauge({
      name: 'vds_proxy_build_info',
      help: 'Versions in use.',
      labelNames: ['version', 'node'],
      registers,
    });
    info.set({ version: version(), node: process.version }, 1);
  }

  call(record: RequestRecord): void {
    if (record.code === 'upstream-unreachable') this.#connectFailures.inc({ reason: record.reason });
    const { template: route, status, code, attempts, bytes, durationMs } = record;
    // Any other word could be chosen by the client.
    const method = countedMethods.has(record.method) ? record.method : 'other';
    this.#requests.inc({ method, route, status, code });
    if (attempts === 0) return;
    this.#durations.observe({ method, route }, durationMs / 1000);
    this.#responseBytes.inc({ route }, bytes);
    this.#upstreamRequests.inc({ route }, attempts);
  }

  /** Notes one request to a token endpoint. */
  noteTokenRequest(brand: string, outcome: string): void {
    this.#tokenRequests.inc({ brand, outcome });
  }

  /** Notes a log line that was dropped. */
  noteDroppedLine(): void {
    this.#droppedLines.inc();
  }

  /** Notes one reload of the settings. */
  noteReload(outcome: string): void {
    this.#reloads.inc({ outcome });
  }

  /** Notes that Redis did not count a call in time. */
  noteStoreAway(): void {
    this.#storeAway.inc();
  }

  /** Adds what is measured only when somebody looks. States of several workers count as one: what holds for one of them is shown. */
  measure({ pipeline, warnings, tokens, usage, connections }: Measured): void {
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
    gauge('vds_proxy_requests_in_flight', 'Calls under way to the service.', () => pipeline.inFlight);
    gauge('vds_proxy_connections', 'Open connections of clients.', connections);
    gauge('vds_proxy_draining', 'Whether the proxy takes no new calls.', () => Number(pipeline.draining), 'max');
    new Gauge({
      name: 'vds_proxy_warning',
      help: 'Conditions that need an operator: 1 for each that holds.',
      aggregator: 'max',
      labelNames: ['name'],
      registers,
      collect() {
        this.reset();
        for (const name of warnings.active()) this.set({ name }, 1);
      },
    });
    gauge(
      'vds_proxy_drift_places',
      'Places where answers deviate from the contract.',
      () => pipeline.drift.snapshot().findings.length,
      'max',
    );
    gauge('vds_proxy_drift_findings', 'Deviations of answers from the contract found so far.', () =>
      pipeline.drift.snapshot().findings.reduce((sum, finding) => sum + finding.count, 0),
    );
    const breaker = new Gauge({
      name: 'vds_proxy_circuit_breaker',
      help: 'State of the circuit breaker: 1 for the state that it is in.',
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      collect() {
        for (const state of ['closed', 'half-open', 'open'])
          this.set({ state }, Number(pipeline.forwarder.breakers.state === state));
      },
    });
    breaker.set({ state: 'closed' }, 1);
    this.#measureTokens(tokens);
    this.#measureUsage(usage);
  }

  /** By the identifier of the client, which is neither a key nor a name. */
  #measureUsage(usage: UsageByClient): void {
    const byClient = (name: string, help: string, value: (client: ClientUsage) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['client'],
        registers: [this.registry],
        collect() {
          this.reset();
          for (const each of usage.all()) this.set({ client: each.client }, value(each));
        },
      });
    byClient('vds_proxy_client_requests', 'Requests of each client since the start.', ({ requests }) => requests);
    byClient('vds_proxy_client_errors', 'Error responses to each client since the start.', ({ errors }) => errors);
    byClient(
      'vds_proxy_client_limited',
      'Requests of each client that a limit has rejected.',
      ({ limited }) => limited,
    );
    byClient(
      'vds_proxy_client_last_used_timestamp_seconds',
      'Last request of each client, in seconds since 1970.',
      ({ lastUsed }) => Date.parse(lastUsed) / 1000,
    );
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
