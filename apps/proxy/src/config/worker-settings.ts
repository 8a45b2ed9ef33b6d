// Which settings a Worker cannot keep.
import { tokensFrom } from './domain-options.js';
import type { SettingName, Settings } from './settings.js';

/** A Worker can be reached by everyone, unless its settings say that it listens on this machine alone. */
export const forEveryone = { VDS_HOST: '0.0.0.0' };

/** Settings that need files, sockets or processes. */
const forNodeOnly = [
  'VDS_ADMIN_PORT',
  'VDS_AUDIT_FILE',
  'VDS_AUDIT_KEEP_DAYS',
  'VDS_AUDIT_READS',
  'VDS_AUDIT_REQUIRED',
  'VDS_AUDIT_SEGMENT_MB',
  'VDS_AUDIT_SIGNING_KEY_FILE',
  'VDS_EVENTS_DIR',
  'VDS_EVENTS_SECRET',
  'VDS_EVENTS_URL',
  'VDS_LIMIT_UNAUTHENTICATED',
  'VDS_MAX_CONNECTIONS_PER_ADDRESS',
  'VDS_PROBE_PORT',
  'VDS_PROXY_PROTOCOL_FROM',
  'VDS_RECEIPTS_DIR',
  'VDS_RECEIPTS_KEY_FILE',
  'VDS_REDIS_URL',
  'VDS_STORE_DIR',
  'VDS_STORE_KEY',
  'VDS_STORE_KEY_READ',
  'VDS_TRACES',
  'VDS_UPSTREAM_CA_FILE',
  'VDS_UPSTREAM_CERT_FILE',
  'VDS_UPSTREAM_KEY_FILE',
  'VDS_UPSTREAM_MIN_TLS',
  'VDS_UPSTREAM_PROXY',
  'VDS_WORKERS',
  'VDS_WORKERS_ALONE_MS',
] as const satisfies readonly SettingName[];

/** What a Worker is asked for and cannot do, each naming its setting. @param hasState whether the object that isolates share is bound */
export function mistakesOnWorkers(settings: Settings, hasState: boolean): readonly string[] {
  const { values, texts } = settings;
  const needState: readonly (readonly [needed: boolean, name: SettingName])[] = [
    [values.VDS_STORE === 'durable-object', 'VDS_STORE'],
    [tokensFrom(settings).size > 0, 'VDS_UPSTREAM_AUTH'],
    [values.VDS_LIMIT_PER_CLIENT !== undefined, 'VDS_LIMIT_PER_CLIENT'],
    [values.VDS_LIMIT_PER_VEHICLE !== undefined, 'VDS_LIMIT_PER_VEHICLE'],
    [values.VDS_JWT_CLAIMS?.['rate'] !== undefined, 'VDS_JWT_CLAIMS'],
  ];
  return [
    ...forNodeOnly
      .filter((name) => texts[name] !== undefined)
      .map((name) => `${name}: does not work on Workers; leave it out, or run the proxy on Node`),
    ...needState
      .filter(([needed]) => needed && !hasState)
      .map(([, name]) => `${name}: needs VDS_STORE=durable-object here, and the class ProxyState bound as VDS_STATE`),
  ];
}
