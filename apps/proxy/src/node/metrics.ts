import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { breakerReason } from '../forward/circuit-breaker.js';
import { hasFailed, type RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
import type { Pipeline } from '../pipeline.js';
import { clientInFlightReason, inFlightReason, unauthenticatedReason } from '../steps/rejections.js';
import type { TokenStatus } from '../upstream-token/brand-token.js';
import type { ManagedTokens } from '../upstream-token/managed-tokens.js';
import type { OpenedAudit } from './open-audit.js';
import type { ProxyServer } from './server.js';
import { version } from './terminal.js';

interface ClientUsage {
  requests: number;
  /** Error responses, rejections by a limit and cut responses included. */
  errors: number;
  limited: number;
  lastMs: number;
}

/** A sample whose value is `null` is left out. */
type Sample = readonly [value: number | null, labels: Readonly<Record<string, string>>];

/** Clients that are counted by name; signed tokens can bring any number of them, and all further ones are counted together. */
const maxClients = 1000;

/** What a limit is called, by the reason of its rejections. */
const limits: ReadonlyMap<string, string> = new Map([
  [inFlightReason, 'in-flight'],
  [clientInFlightReason, 'client-in-flight'],
  [unauthenticatedReason, 'unauthenticated'],
]);

/** Codes of requests whose client is not known to be one. */
const authCodes: ReadonlySet<string> = new Set(['invalid-client-credentials', 'client-auth-unavailable']);

/**
 * The metrics of a proxy, named and typed as Prometheus has it. Labels hold route templates, methods, statuses, codes, brands,
 * identifiers of clients and fixed words; never a VIN, a path, a key or a name.
 */
export function createMetrics() {
  const registry = new Registry();
  const common = (name: string, help: string, labelNames: readonly string[]) => ({
    name: `vds_proxy_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const counter = (name: string, labels: readonly string[], help: string) => new Counter(common(name, help, labels));
  const gauge = (name: string, labels: readonly string[], help: string, samples: () => readonly Sample[]) =>
    new Gauge({
      ...common(name, help, labels),
      collect() {
        this.reset();
        for (const [value, values] of samples()) if (value !== null) this.set(values, value);
      },
    });
  /** A counter of what is counted elsewhere. */
  const countsOf = (
    name: string,
    help: string,
    labels: readonly string[],
    samples: () => readonly (readonly [number, Readonly<Record<string, string>>])[],
  ) =>
    new Counter({
      ...common(name, help, labels),
      collect() {
        this.reset();
        for (const [count, values] of samples()) this.inc(values, count);
      },
    });

  collectDefaultMetrics({ register: registry });
  gauge('build_info', ['version', 'node'], 'Versions in use.', () => [
    [1, { version: version(), node: process.version }],
  ]);
  const requests = counter(
    'requests_total',
    ['method', 'route', 'status', 'code'],
    'Finished requests; status 0 stands for a client that left early.',
  );
  const durations = new Histogram({
    ...common('request_duration_seconds', 'Time from the head of a forwarded request to the end of its response.', [
      'method',
      'route',
    ]),
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const upstreamDurations = new Histogram({
    ...common('upstream_response_seconds', 'Time from sending a request to the upstream to the head of its response.', [
      'method',
      'route',
    ]),
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const authFailures = counter(
    'auth_failures_total',
    ['reason'],
    'Requests whose client could not be authenticated, by reason.',
  );
  const responseBytes = counter('response_bytes_total', ['route'], 'Bytes of forwarded response bodies.');
  const sent = counter('upstream_requests_total', ['route'], 'Requests sent to the upstream, retries included.');
  const connectFailures = counter(
    'upstream_connect_failures_total',
    ['reason'],
    'Requests for which no connection to the upstream was made, by reason.',
  );
  const breakerRejections = counter(
    'circuit_breaker_rejections_total',
    [],
    'Requests that the circuit breaker of a brand or of a client rejected.',
  );
  const limitRejections = counter(
    'limit_rejections_total',
    ['limit'],
    'Requests that a limit has rejected: of all in flight, of one client in flight, of an address without good credentials, or a rate.',
  );
  const clients = new Map<string, ClientUsage>();
  const countClient = (record: RequestRecord) => {
    const { client, status, code } = record;
    const name = clients.has(client) || clients.size < maxClients ? client : 'others';
    const usage = clients.get(name) ?? { requests: 0, errors: 0, limited: 0, lastMs: 0 };
    clients.set(name, usage);
    usage.requests++;
    if (status >= 400 || hasFailed(record)) usage.errors++;
    if (code === 'rate-limited') usage.limited++;
    usage.lastMs = Date.now();
  };

  return {
    registry,
    tokenRequests: counter('token_requests_total', ['brand', 'outcome'], 'Requests to token endpoints by outcome.'),
    droppedLines: counter('log_lines_dropped_total', [], 'Log lines that were dropped because their reader is behind.'),
    auditEntries: counter(
      'audit_entries_total',
      ['kind'],
      'Withdrawals, reads and gaps that were written to the audit log, by kind of entry.',
    ),
    lostAuditReads: counter('audit_reads_lost_total', [], 'Reads that had no room in the audit log and are lost.'),
    lostAuditEntries: counter('audit_lost_total', [], 'Entries of the audit log that had no room and are lost.'),
    redisFailures: counter('redis_failures_total', [], 'Times that Redis failed or was too slow.'),
    reloads: counter('reloads_total', ['outcome'], 'Reloads of the settings by outcome.'),

    call(record: RequestRecord): void {
      const { method, template: route, status, code, attempts, bytes, durationMs, upstreamMs } = record;
      requests.inc({ method, route, status, code });
      if (record.client !== '') countClient(record);
      if (authCodes.has(code)) authFailures.inc({ reason: record.reason || 'no reason' });
      if (code === 'upstream-unreachable') connectFailures.inc({ reason: record.reason });
      if (record.reason === breakerReason) breakerRejections.inc();
      const limit = limits.get(record.reason) ?? (code === 'rate-limited' ? 'rate' : null);
      if (limit !== null) limitRejections.inc({ limit });
      if (attempts === 0) return;
      durations.observe({ method, route }, durationMs / 1000);
      if (upstreamMs > 0) upstreamDurations.observe({ method, route }, upstreamMs / 1000);
      responseBytes.inc({ route }, bytes);
      sent.inc({ route }, attempts);
    },

    clientUsage() {
      const lastUsed = (ms: number) => new Date(ms).toISOString();
      return [...clients].map(([client, { lastMs, ...counts }]) => ({ client, ...counts, lastUsed: lastUsed(lastMs) }));
    },

    /** Adds what is measured only when somebody collects it. */
    measure(
      pipeline: Pipeline,
      warnings: Warnings,
      tokens: ManagedTokens,
      server: ProxyServer,
      audit: OpenedAudit | null,
    ): void {
      const one = (name: string, help: string, value: () => number) => gauge(name, [], help, () => [[value(), {}]]);
      one('requests_in_flight', 'Requests in flight.', () => pipeline.inFlight);
      one('requests_in_flight_limit', 'VDS_MAX_IN_FLIGHT.', () => pipeline.config.maxInFlight);
      one(
        'client_requests_in_flight_max',
        'The most requests that one client has in flight.',
        () => pipeline.mostOfOneClient,
      );
      const perClient = () => pipeline.config.maxInFlightPerClient;
      one('client_requests_in_flight_limit', 'Requests that one client may have in flight.', perClient);
      // A reload makes new ones.
      const breakers = () => pipeline.forwarder.breakers;
      const open = 'Whether the circuit breaker of a brand has opened, and no request has succeeded since.';
      gauge('circuit_breaker_open', ['brand'], open, () =>
        breakers().ofBrands.map(([brand, isOpen]) => [Number(isOpen), { brand }]),
      );
      one(
        'client_circuit_breakers_open',
        'Clients of a brand whose own circuit breaker is open.',
        () => breakers().openOfClients,
      );
      one('connections', 'Open connections of clients.', () => server.open);
      one('connections_limit', 'Open connections that clients may have.', () => server.maxConnections);
      const refused = 'Connections that were closed before a request, by reason.';
      countsOf('connections_refused_total', refused, ['reason'], () =>
        Object.entries(server.refused.counts).map(([reason, count]) => [count, { reason }]),
      );
      const waiting = (what: 'withdrawals' | 'reads') => audit?.waiting()[what] ?? 0;
      one('audit_entries_waiting', 'Entries of withdrawals that are not on the disk yet.', () =>
        waiting('withdrawals'),
      );
      one('audit_reads_waiting', 'Reads that are not in the audit log yet.', () => waiting('reads'));
      const drift = () => pipeline.drift.snapshot();
      one('drift_places', 'Places where responses violate the contract.', () => drift().findings.length);
      countsOf('drift_findings_total', 'Violations of the contract found in responses.', [], () => {
        const { findings, overflow } = drift();
        return [[findings.reduce((sum, { count }) => sum + count, overflow), {}]];
      });
      gauge('warning', ['name'], 'Conditions that need an operator: 1 for each that holds.', () =>
        warnings.active().map((name) => [1, { name }]),
      );

      const ofBrands = (name: string, help: string, value: (status: TokenStatus) => number | null) =>
        gauge(name, ['brand'], help, () => tokens.statuses().map((status) => [value(status), { brand: status.brand }]));
      // Tokens are fetched with requests: a brand without requests for ten minutes needs none, and raises no alert.
      ofBrands('token_valid', 'Whether there is an access token; absent while none is needed.', (status) =>
        status.state === 'none' ? null : Number(status.state === 'valid'),
      );
      ofBrands('token_expires_seconds', 'Time until the access token ends.', (status) => status.expiresInSeconds);
      ofBrands(
        'consent_renewal_timestamp_seconds',
        'Day by which the consent must be renewed, in seconds since 1970.',
        ({ renewConsentBy }) => (renewConsentBy === null ? null : Date.parse(renewConsentBy) / 1000),
      );

      const ofClients = (name: string, help: string, value: (usage: ClientUsage) => number) =>
        countsOf(`client_${name}_total`, help, ['client'], () =>
          [...clients].map(([client, usage]) => [value(usage), { client }]),
        );
      ofClients('requests', 'Requests of each client.', (usage) => usage.requests);
      ofClients(
        'errors',
        'Error responses to each client, and responses that the upstream cut.',
        (usage) => usage.errors,
      );
      ofClients('limited', 'Requests of each client that a limit has rejected.', (usage) => usage.limited);
      const help = 'Last request of each client, in seconds since 1970.';
      gauge('client_last_used_timestamp_seconds', ['client'], help, () =>
        [...clients].map(([client, { lastMs }]) => [lastMs / 1000, { client }]),
      );
    },
  };
}
