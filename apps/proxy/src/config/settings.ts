import * as v from 'valibot';
import * as kind from '#kit/settings/kinds.js';
import type { SettingPlace } from '#kit/settings/read.js';
import { settingTable, type ValuesOf } from '#kit/settings/table.js';
import { jwtAlgorithms, jwtDefaults, rightsClaims } from '../auth/jwt-options.js';
import { servedOperations } from '../contract.js';
import { requestFieldNames, responseFieldNames, tokenDefaults } from '../upstream-token/token-options.js';
import { networks, rate } from './kinds.js';

// What each setting means is in the guide `proxy-settings.md`.

const server = {
  VDS_UPSTREAM_URL: v.optional(kind.baseUrl),
  VDS_HOST: v.optional(kind.text, '127.0.0.1'),
  VDS_PORT: v.optional(kind.integer(0, 65_535), '8787'),
  VDS_PROBE_PORT: v.optional(kind.integer(0, 65_535)),
  VDS_MAX_CONNECTIONS_PER_ADDRESS: v.optional(kind.integer(1, 16_384), '1024'),
  VDS_CORS_ORIGINS: v.optional(
    kind.texts(
      (origin) => kind.urlOf(origin)?.origin === origin,
      'must be origins such as https://app.example.com, separated by commas',
    ),
  ),
  VDS_CORS_METHODS: v.optional(kind.namesOutOf(['GET', 'DELETE']), 'GET'),
  VDS_TRUSTED_HOPS: v.optional(kind.integer(0, 10), '0'),
  VDS_PROXY_PROTOCOL_FROM: v.optional(networks),
  VDS_DOCS: v.optional(kind.boolean, 'true'),
  VDS_BRANDS: v.optional(kind.names),
  VDS_ALLOW_STOP_ALL: v.optional(kind.boolean, 'false'),
  VDS_VALIDATE_RESPONSES: v.optional(kind.choice('off', 'report', 'enforce'), 'report'),
  VDS_DEADLINE_MS: v.optional(kind.integer(100, 600_000), '10000'),
  VDS_BODY_IDLE_MS: v.optional(kind.integer(100, 600_000)),
  VDS_SEND_TIMEOUT_MS: v.optional(kind.integer(100, 600_000), '60000'),
  VDS_TOTAL_DEADLINE_MS: v.optional(kind.integer(100, 3_600_000)),
  VDS_DRAIN_DELAY_MS: v.optional(kind.integer(0, 600_000), '1000'),
  VDS_DRAIN_MS: v.optional(kind.integer(0, 3_600_000)),
  VDS_FAST_PATH: v.optional(kind.boolean, 'true'),
  VDS_MAX_IN_FLIGHT: v.optional(kind.integer(1, 65_536), '1024'),
  VDS_WORKERS: v.optional(kind.integer(1, 128), '1'),
  VDS_WORKERS_ALONE_MS: v.optional(kind.integer(0, 3_600_000), '300000'),
  VDS_CONFIG_FILE: v.optional(kind.file),
};

const clients = {
  VDS_CLIENT_AUTH: v.optional(kind.choice('none', 'api-key', 'jwt'), 'none'),
  VDS_KEYS_FILE: v.optional(kind.file),
  VDS_VIN_HASH_KEY: v.optional(kind.password(32)),
  VDS_JWKS_URL: v.optional(kind.url),
  VDS_JWT_ISSUER: v.optional(kind.text),
  VDS_JWT_AUDIENCE: v.optional(kind.text),
  VDS_JWT_ALGORITHMS: v.optional(kind.namesOutOf(jwtAlgorithms), jwtDefaults.algorithms.join(',')),
  VDS_JWT_TOLERANCE_S: v.optional(kind.integer(0, 300), String(jwtDefaults.toleranceSeconds)),
  VDS_JWT_CLAIMS: v.optional(kind.mapping(rightsClaims)),
  VDS_JWT_OPERATIONS: v.optional(kind.namesOutOf(servedOperations.map(({ operationId }) => operationId))),
};

/** Whose access token the upstream gets, and where it comes from; the configuration file can set these by brand. */
const upstreamAuth = {
  VDS_UPSTREAM_AUTH: v.optional(kind.choice('forward', 'static', 'token-endpoint'), 'forward'),
  VDS_ACCESS_TOKEN: v.optional(kind.token),
  VDS_TOKEN_URL: v.optional(kind.url),
  VDS_TOKEN_REFRESH_URL: v.optional(kind.url),
  VDS_TOKEN_GRANT: v.optional(
    kind.choice('client-credentials', 'authorization-code', 'refresh-token'),
    tokenDefaults.grant,
  ),
  VDS_TOKEN_FORM: v.optional(kind.choice('oauth', 'envelope'), tokenDefaults.form),
  VDS_CLIENT_ID: v.optional(kind.text),
  VDS_CLIENT_SECRET: v.optional(kind.password()),
  VDS_TOKEN_CLIENT_AUTH: v.optional(kind.choice('body', 'basic'), tokenDefaults.clientAuth),
  VDS_AUTHORIZATION_CODE: v.optional(kind.password()),
  VDS_REFRESH_TOKEN: v.optional(kind.password()),
  VDS_REDIRECT_URL: v.optional(kind.url),
  VDS_TOKEN_SCOPE: v.optional(kind.words),
  VDS_TOKEN_REQUEST_FIELDS: v.optional(kind.mapping(requestFieldNames)),
  VDS_TOKEN_RESPONSE_FIELDS: v.optional(kind.mapping(responseFieldNames)),
  VDS_TOKEN_LIFETIME_S: v.optional(kind.integer(60, 86_400), String(tokenDefaults.lifetimeSeconds)),
  VDS_REFRESH_TOKEN_DAYS: v.optional(kind.integer(1, 3650), String(tokenDefaults.refreshLifetimeDays)),
  VDS_TOKEN_TIMEOUT_MS: v.optional(kind.integer(100, 60_000), String(tokenDefaults.timeoutMs)),
};

const upstreamConnections = {
  VDS_UPSTREAM_CA_FILE: v.optional(kind.file),
  VDS_UPSTREAM_CERT_FILE: v.optional(kind.file),
  VDS_UPSTREAM_KEY_FILE: v.optional(kind.file),
  VDS_UPSTREAM_MIN_TLS: v.optional(kind.choice('TLSv1.2', 'TLSv1.3'), 'TLSv1.2'),
  VDS_UPSTREAM_PROXY: v.optional(kind.secretAddress('http')),
  VDS_ALLOW_PLAINTEXT: v.optional(kind.boolean, 'false'),
};

const limits = {
  VDS_MAX_IN_FLIGHT_PER_CLIENT: v.optional(kind.integer(1, 65_536)),
  VDS_LIMIT_UNAUTHENTICATED: v.optional(rate),
  VDS_LIMIT_PER_CLIENT: v.optional(rate),
  VDS_LIMIT_PER_VEHICLE: v.optional(rate),
};

const state = {
  VDS_STORE: v.optional(kind.choice('memory', 'file', 'redis', 'durable-object'), 'memory'),
  VDS_STORE_DIR: v.optional(kind.file),
  VDS_STORE_KEY: v.optional(kind.password(32)),
  VDS_STORE_KEY_READ: v.optional(kind.password(32)),
  VDS_REDIS_URL: v.optional(kind.secretAddress('redis', 'rediss')),
  VDS_REDIS_SENTINELS: v.optional(
    kind.texts(
      (each) => /^[^:]+(?::\d{1,5})?$/.test(each),
      'must be addresses such as host:26379, separated by commas',
    ),
  ),
  VDS_REDIS_CLUSTER: v.optional(kind.boolean, 'false'),
  VDS_REDIS_PREFIX: v.optional(kind.text, 'vds:'),
  VDS_REDIS_TIMEOUT_MS: v.optional(kind.integer(10, 10_000), '250'),
};

const events = {
  VDS_EVENTS_URL: v.optional(kind.urls),
  VDS_EVENTS_SECRET: v.optional(kind.webhookSecrets),
  VDS_EVENTS_DIR: v.optional(kind.file),
  VDS_RECEIPTS_DIR: v.optional(kind.file),
  VDS_RECEIPTS_KEY_FILE: v.optional(kind.file),
};

const observability = {
  VDS_ADMIN_PORT: v.optional(kind.integer(0, 65_535)),
  VDS_ADMIN_HOST: v.optional(kind.text, '127.0.0.1'),
  VDS_AUDIT_FILE: v.optional(kind.file),
  VDS_AUDIT_REQUIRED: v.optional(kind.boolean, 'false'),
  VDS_AUDIT_READS: v.optional(kind.boolean, 'false'),
  VDS_AUDIT_SEGMENT_MB: v.optional(kind.integer(1, 1024)),
  VDS_AUDIT_KEEP_DAYS: v.optional(kind.integer(1, 36_500)),
  VDS_AUDIT_SIGNING_KEY_FILE: v.optional(kind.file),
  VDS_LOG_LEVEL: v.optional(kind.choice('silent', 'error', 'info', 'debug'), 'info'),
  VDS_SERVER_TIMING: v.optional(kind.boolean, 'false'),
  VDS_TRACES: v.optional(kind.boolean, 'false'),
};

/** Settings by subject, in the order of the documentation. */
const groups = {
  Server: server,
  Clients: clients,
  'Upstream authentication': upstreamAuth,
  'Connections to the upstream': upstreamConnections,
  Limits: limits,
  State: state,
  'Events and receipts': events,
  Observability: observability,
};

/** Checked settings. A setting without value and default is `undefined`. */
export type SettingValues = ValuesOf<typeof groups>;

export type SettingName = keyof SettingValues;

/** All settings. */
export const proxySettings = settingTable('VDS_', groups, {
  variables: { VDS_HOST: ['HOST'], VDS_PORT: ['PORT'] },
  flags: { VDS_UPSTREAM_URL: ['upstream'] },
});

/** The flag of a setting, for example `upstream-url`; the configuration file has the same as its key. */
export function flagOf(variable: string): string {
  return proxySettings.settings.find((setting) => setting.variable === variable)?.flag ?? '';
}

/** Whether the configuration file can set it for one brand alone. */
export const isByBrand = (variable: string): boolean => variable in upstreamAuth;

/** All settings, and those of the brands that differ in some. */
export interface Settings extends SettingPlace<SettingValues> {
  readonly byBrand: ReadonlyMap<string, SettingPlace<SettingValues>>;
}
