import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { servedOperations } from '../config.js';
import { version } from '../node/terminal.js';
import type { Pipeline } from '../pipeline.js';
import type { ManagedTokens } from '../upstream-token/managed-tokens.js';
import type { Observer, RequestRecord } from './observer.js';
import type { Warnings } from './warnings.js';

/** What the metrics are read from when somebody collects them. */
interface Measured {
  readonly pipeline: Pipeline;
  readonly warnings: Warnings;
  readonly tokens: ManagedTokens;
  /** Number of open connections of clients. */
  readonly connections: () => number;
}

/** What one client has done since the process started. */
interface ClientUsage {
  requests: number;
  /** Error responses, rejections by a limit included. */
  errors: number;
  /** Requests that a rate limit has rejected. */
  limited: number;
  lastMs: number;
}

type Sample = readonly [value: number, labels: Readonly<Record<string, string>>];
type TokenStatus = ReturnType<ManagedTokens['statuses']>[number];

const countedMethods: ReadonlySet<string> = new Set([...servedOperations.map(({ method }) => method), '-']);
/** Clients that are counted by name; signed tokens can bring any number of them, and all further ones are counted together. */
const maxClients = 1000;

/**
 * The metrics of a proxy, named and typed as Prometheus has it. Labels hold route templates, methods, statuses, codes, brands,
 * identifiers of clients and fixed words; never a VIN, a path, a key or a name.
 */
export class Metrics implements Observer {
  readonly registry = new Registry();
  readonly #clients = new Map<string, ClientUsage>();
  readonly #requests = this.#counter(
    'requests_total',
    'Finished requests; status 0 stands for a client that left early.',
    ['method', 'route', 'status', 'code'],
  );
  readonly #durations = new Histogram({
    name: 'vds_proxy_request_duration_seconds',
    help: 'Time from the head of a forwarded request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly #responseBytes = this.#counter('response_bytes_total', 'Bytes of forwarded response bodies.', ['route']);
  readonly #upstreamRequests = this.#counter(
    'upstream_requests_total',
    'Requests sent to the upstream, retries included.',
    ['route'],
  );
  readonly #connectFailures = this.#counter(
    'upstream_connect_failures_total',
    'Requests for which no connection to the upstream was made, by reason.',
    ['reason'],
  );
  readonly tokenRequests = this.#counter('token_requests_total', 'Requests to token endpoints by outcome.', [
    'brand',
    'outcome',
  ]);
  readonly droppedLines = this.#counter(
    'log_lines_dropped_total',
    'Log lines that were dropped because their reader is behind.',
  );
  readonly limitStoreFailures = this.#counter(
    'limit_store_failures_total',
    'Times that Redis failed to count or was too slow, so that the process counted alone for a second.',
  );
  readonly reloads = this.#counter('reloads_total', 'Reloads of the settings by outcome.', ['outcome']);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#gauge('build_info', 'Versions in use.', ['version', 'node'], () => [
      [1, { version: version(), node: process.version }],
    ]);
  }

  call(record: RequestRecord): void {
    const { template: route, status, code, attempts, bytes, durationMs } = record;
    // Any other word could be chosen by the client.
    const method = countedMethods.has(record.method) ? record.method : 'other';
    this.#requests.inc({ method, route, status, code });
    if (record.client !== '') this.#countClient(record);
    if (code === 'upstream-unreachable') this.#connectFailures.inc({ reason: record.reason });
    if (attempts === 0) return;
    this.#durations.observe({ method, route }, durationMs / 1000);
    this.#responseBytes.inc({ route }, bytes);
    this.#upstreamRequests.inc({ route }, attempts);
  }

  #countClient({ client, status, code }: RequestRecord): void {
    const name = this.#clients.has(client) || this.#clients.size < maxClients ? client : 'others';
    const usage = this.#clients.get(name) ?? { requests: 0, errors: 0, limited: 0, lastMs: 0 };
    this.#clients.set(name, usage);
    usage.requests++;
    if (status >= 400) usage.errors++;
    if (code === 'rate-limited') usage.limited++;
    usage.lastMs = Date.now();
  }

  /** What each client has done since the process started. */
  clientUsage() {
    return [...this.#clients].map(([client, { lastMs, ...counts }]) => ({
      client,
      ...counts,
      lastUsed: new Date(lastMs).toISOString(),
    }));
  }

  /** Adds what is measured only when somebody collects it. */
  measure({ pipeline, warnings, tokens, connections }: Measured): void {
    const one = (name: string, help: string, value: () => number) => this.#gauge(name, help, [], () => [[value(), {}]]);
    one('requests_in_flight', 'Requests in flight.', () => pipeline.inFlight);
    one('connections', 'Open connections of clients.', connections);
    one('draining', 'Whether the proxy is about to stop.', () => Number(pipeline.draining));
    const findings = () => pipeline.drift.snapshot().findings;
    one('drift_places', 'Places where responses violate the contract.', () => findings().length);
    one('drift_findings', 'Violations of the contract found in responses so far.', () =>
      findings().reduce((sum, { count }) => sum + count, 0),
    );
    this.#gauge('warning', 'Conditions that need an operator: 1 for each that holds.', ['name'], () =>
      warnings.active().map((name) => [1, { name }]),
    );
    const state = () => pipeline.forwarder.breakers.state;
    this.#gauge('circuit_breaker', 'State of the circuit breaker: 1 for the state that it is in.', ['state'], () =>
      ['closed', 'half-open', 'open'].map((each) => [Number(each === state()), { state: each }]),
    );

    const byBrand = (name: string, help: string, value: (status: TokenStatus) => number | null) =>
      this.#gauge(name, help, ['brand'], () =>
        tokens.statuses().flatMap((status): Sample[] => {
          const measured = value(status);
          return measured === null ? [] : [[measured, { brand: status.brand }]];
        }),
      );
    byBrand('token_valid', 'Whether there is an access token that can be used.', ({ state }) =>
      Number(state === 'valid'),
    );
    byBrand('token_expires_seconds', 'Time until the access token ends.', ({ expiresInSeconds }) => expiresInSeconds);
    byBrand(
      'consent_renewal_timestamp_seconds',
      'Day by which the consent must be renewed, in seconds since 1970.',
      ({ renewConsentBy }) => (renewConsentBy === null ? null : Date.parse(renewConsentBy) / 1000),
    );

    const byClient = (name: string, help: string, value: (usage: ClientUsage) => number) =>
      this.#gauge(`client_${name}`, help, ['client'], () =>
        [...this.#clients].map(([client, usage]) => [value(usage), { client }]),
      );
    byClient('requests', 'Requests of each client since the start.', ({ requests }) => requests);
    byClient('errors', 'Error responses to each client since the start.', ({ errors }) => errors);
    byClient('limited', 'Requests of each client that a limit has rejected.', ({ limited }) => limited);
    byClient(
      'last_used_timestamp_seconds',
      'Last request of each client, in seconds since 1970.',
      ({ lastMs }) => lastMs / 1000,
    );
  }

  #counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name: `vds_proxy_${name}`, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string, labelNames: readonly string[], samples: () => readonly Sample[]): void {
    new Gauge({
      name: `vds_proxy_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, labels] of samples()) this.set(labels, value);
      },
    });
  }
}
