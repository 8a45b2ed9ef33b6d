// What the settings say to the programs of a runtime: ports, files, the store, the audit log. Only here do names of the environment become
// options of theirs.

import type { JwtOptions } from '../auth/jwt-options.js';
import { contractBrands } from '../contract.js';
import type { RedisAddress } from '../store/open-redis.js';
import { jwtOptionsFrom, redisFrom } from './domain-options.js';
import type { Settings, SettingValues } from './settings.js';

/** How a process listens, logs and ends. */
export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly adminHost: string;
  /** Of the first process; each further one has the next. `undefined`: no admin server. */
  readonly adminPort: number | undefined;
  readonly probePort: number | undefined;
  readonly workers: number;
  /** How long processes serve on without a first one. */
  readonly aloneMs: number;
  readonly fastPath: boolean;
  readonly maxConnectionsPerAddress: number;
  /** Networks whose connections begin with a header of the PROXY protocol. */
  readonly proxyProtocolFrom: readonly string[] | undefined;
  readonly logLevel: SettingValues['VDS_LOG_LEVEL'];
  readonly traces: boolean;
  /** Whether the pages of the docs are served. */
  readonly docs: boolean;
  readonly drainDelayMs: number;
  /** `undefined`: as long as requests may take. */
  readonly drainMs: number | undefined;
}

export function serverOptionsFrom(values: SettingValues): ServerOptions {
  return {
    host: values.VDS_HOST,
    port: values.VDS_PORT,
    adminHost: values.VDS_ADMIN_HOST,
    adminPort: values.VDS_ADMIN_PORT,
    probePort: values.VDS_PROBE_PORT,
    workers: values.VDS_WORKERS,
    aloneMs: values.VDS_WORKERS_ALONE_MS,
    fastPath: values.VDS_FAST_PATH,
    maxConnectionsPerAddress: values.VDS_MAX_CONNECTIONS_PER_ADDRESS,
    proxyProtocolFrom: values.VDS_PROXY_PROTOCOL_FROM,
    logLevel: values.VDS_LOG_LEVEL,
    traces: values.VDS_TRACES,
    docs: values.VDS_DOCS,
    drainDelayMs: values.VDS_DRAIN_DELAY_MS,
    drainMs: values.VDS_DRAIN_MS,
  };
}

/** Brands that are served. */
export function servedBrandsFrom(values: SettingValues): readonly string[] {
  return values.VDS_BRANDS ?? contractBrands();
}

/** Where processes keep what they share. */
export interface StoreOptions {
  readonly kind: SettingValues['VDS_STORE'];
  readonly folder: string;
  /** Encrypts what is written. */
  readonly key: string | undefined;
  /** Reads what an earlier key has encrypted. */
  readonly readKey: string | undefined;
  readonly redis: RedisAddress;
  readonly redisTimeoutMs: number;
  /** Begins every key in Redis. */
  readonly prefix: string;
}

export function storeOptionsFrom(values: SettingValues): StoreOptions {
  return {
    kind: values.VDS_STORE,
    folder: values.VDS_STORE_DIR ?? '',
    key: values.VDS_STORE_KEY,
    readKey: values.VDS_STORE_KEY_READ,
    redis: redisFrom(values),
    redisTimeoutMs: values.VDS_REDIS_TIMEOUT_MS,
    prefix: values.VDS_REDIS_PREFIX,
  };
}

/** What the audit log is to hold, and for how long. */
export interface AuditOptions {
  readonly file: string;
  /** Secret of its chain and of the hashes of VINs. */
  readonly hashKey: string;
  readonly isRequired: boolean;
  /** Whether it has reads as well. */
  readonly reads: boolean;
  readonly segmentMb: number | undefined;
  readonly keepDays: number | undefined;
  readonly signingKeyFile: string | undefined;
}

/** `null` when the settings ask for none. */
export function auditOptionsFrom(values: SettingValues): AuditOptions | null {
  const { VDS_AUDIT_FILE: file, VDS_VIN_HASH_KEY: hashKey = '' } = values;
  if (file === undefined) return null;
  return {
    file,
    hashKey,
    isRequired: values.VDS_AUDIT_REQUIRED,
    reads: values.VDS_AUDIT_READS,
    segmentMb: values.VDS_AUDIT_SEGMENT_MB,
    keepDays: values.VDS_AUDIT_KEEP_DAYS,
    signingKeyFile: values.VDS_AUDIT_SIGNING_KEY_FILE,
  };
}

/** How clients are told apart. */
export type ClientAuthOptions =
  | { readonly kind: 'none' }
  | { readonly kind: 'api-key'; readonly keysFile: string; readonly hashKey: string | undefined }
  | { readonly kind: 'jwt'; readonly jwt: JwtOptions };

export function clientAuthFrom(values: SettingValues): ClientAuthOptions {
  const { VDS_CLIENT_AUTH: kind, VDS_KEYS_FILE: keysFile = '', VDS_VIN_HASH_KEY: hashKey } = values;
  if (kind === 'jwt') return { kind, jwt: jwtOptionsFrom(values) };
  return kind === 'api-key' ? { kind, keysFile, hashKey } : { kind };
}

/** How the upstream is reached. */
export interface UpstreamOptions {
  readonly url: string;
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly minTls: SettingValues['VDS_UPSTREAM_MIN_TLS'];
  /** Address of a proxy between. */
  readonly egress: string | undefined;
}

export function upstreamOptionsFrom(values: SettingValues): UpstreamOptions {
  return {
    url: values.VDS_UPSTREAM_URL ?? '',
    caFile: values.VDS_UPSTREAM_CA_FILE,
    certFile: values.VDS_UPSTREAM_CERT_FILE,
    keyFile: values.VDS_UPSTREAM_KEY_FILE,
    minTls: values.VDS_UPSTREAM_MIN_TLS,
    egress: values.VDS_UPSTREAM_PROXY,
  };
}

/** Files that the settings name and that are read where they are used. */
export function filesIn({ values }: Settings): readonly string[] {
  const { caFile, certFile, keyFile } = upstreamOptionsFrom(values);
  return [caFile, certFile, keyFile].filter((path) => path !== undefined);
}
