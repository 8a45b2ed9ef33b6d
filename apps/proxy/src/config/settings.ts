import * as v from 'valibot';
import { claimNames, jwtAlgorithms } from '../auth/jwt-rights.js';
import { servedOperations } from '../config.js';
import {
  boolean,
  choice,
  file,
  integer,
  mapping,
  names,
  namesOutOf,
  password,
  rate,
  setting,
  settingsIn,
  text,
  url,
} from './setting.js';
import { upstreamAuth, upstreamConnections } from './upstream-settings.js';

const server = {
  VDS_UPSTREAM_URL: setting(url, 'Base address of the vehicle data service', { alsoFlags: ['upstream'] }),
  VDS_HOST: setting(text, 'Address to listen on', { default: '127.0.0.1', alsoVariables: ['HOST'] }),
  VDS_PORT: setting(integer(0, 65_535), 'Port to listen on; 0 takes a free one', {
    default: '8787',
    alsoVariables: ['PORT'],
  }),
  VDS_PROBE_PORT: setting(
    integer(0, 65_535),
    'Port of `/healthz` and `/readyz` alone, for probes: connections of clients cannot use it up',
  ),
  VDS_MAX_CONNECTIONS_PER_ADDRESS: setting(
    integer(1, 16_384),
    'Open connections from one address; further ones are closed. Addresses of this machine are not limited',
    { default: '1024' },
  ),
  VDS_CORS_ORIGINS: setting(
    text,
    'Origins of web pages whose scripts may use the proxy, such as `https://app.example.com`, separated by commas',
  ),
  VDS_CORS_METHODS: setting(
    namesOutOf(['GET', 'DELETE']),
    'Methods that such pages may use; with DELETE a page can stop data sharing',
    { default: 'GET' },
  ),
  VDS_TRUSTED_HOPS: setting(
    integer(0, 10),
    "Your own proxies in front: the client's address is taken from `X-Forwarded-For`, so many entries from its end; 0 takes that of the connection",
    { default: '0' },
  ),
  VDS_DOCS: setting(
    boolean,
    'Whether the docs site (`/docs/`) and the contract (`/openapi.json`, `/openapi.yaml`, `/llms.txt`) are served; they need no credentials',
    { default: 'true' },
  ),
  VDS_BRANDS: setting(names, 'Brand identifiers to accept, separated by commas; without it, those of the contract'),
  VDS_ALLOW_STOP_ALL: setting(
    boolean,
    'Whether a DELETE without vin, which stops sharing for a whole brand, may pass',
    { default: 'false' },
  ),
  VDS_VALIDATE_RESPONSES: setting(
    choice('off', 'report', 'enforce'),
    'Checks of responses: none, counted in the drift report, or rejected',
    { default: 'report' },
  ),
  VDS_DEADLINE_MS: setting(
    integer(100, 600_000),
    'Time from the head of a request until its response begins, whatever it waits for, in milliseconds',
    { default: '10000' },
  ),
  VDS_BODY_IDLE_MS: setting(
    integer(100, 600_000),
    'Time in which the body of a response must make progress, in milliseconds; without it, that of `VDS_DEADLINE_MS`',
  ),
  VDS_TOTAL_DEADLINE_MS: setting(
    integer(100, 3_600_000),
    'Time for a whole request with its response, in milliseconds; without it, a response may take as long as its body makes progress',
  ),
  VDS_DRAIN_DELAY_MS: setting(
    integer(0, 600_000),
    'Time from SIGTERM until the port is closed, in milliseconds; meanwhile `/readyz` says 503 and requests are served, so that load balancers can notice',
    { default: '1000' },
  ),
  VDS_FAST_PATH: setting(boolean, "Whether plain requests bypass Node's own HTTP server; `off` works as well", {
    default: 'true',
  }),
  VDS_MAX_IN_FLIGHT: setting(integer(1, 65_536), 'Requests in flight at once; further ones get 503', {
    default: '1024',
  }),
  VDS_WORKERS: setting(
    integer(1, 128),
    'Number of processes, at best one per core; they share limits and tokens only through `VDS_STORE=redis`, and process n serves its metrics on `VDS_ADMIN_PORT` + n',
    { default: '1' },
  ),
  VDS_CONFIG_FILE: setting(
    file,
    'A JSON file with settings, by flag name; flags and environment variables win over it',
  ),
};

const clients = {
  VDS_CLIENT_AUTH: setting(
    choice('none', 'api-key', 'jwt'),
    'How clients are authenticated; `none` is for loopback addresses only',
    { default: 'none' },
  ),
  VDS_KEYS_FILE: setting(
    file,
    'The file of `VDS_CLIENT_AUTH=api-key`, made by `vds-proxy keys create`; changes are seen while the proxy runs',
  ),
  VDS_VIN_HASH_KEY: setting(
    password(32),
    'Secret under which VINs are hashed in key files and in the audit log, at least 32 characters',
  ),
  VDS_JWKS_URL: setting(url, 'Address of the key set of the issuer of `VDS_CLIENT_AUTH=jwt`'),
  VDS_JWT_ISSUER: setting(text, 'The issuer (`iss`) whose tokens count'),
  VDS_JWT_AUDIENCE: setting(text, 'Identifier of this proxy, which tokens must name as audience (`aud`)'),
  VDS_JWT_ALGORITHMS: setting(namesOutOf(jwtAlgorithms), 'Signature algorithms that count, separated by commas', {
    default: 'RS256,PS256,ES256,EdDSA',
  }),
  VDS_JWT_TOLERANCE_S: setting(integer(0, 300), 'Difference of clocks that is forgiven, in seconds', {
    default: '30',
  }),
  VDS_JWT_CLAIMS: setting(
    mapping(claimNames),
    'Claims with the rights of a client, such as `operations=vds.operations,vehicles=vds.vehicles`; a named claim that a token lacks allows nothing',
  ),
  VDS_JWT_OPERATIONS: setting(
    namesOutOf(servedOperations.map(({ operationId }) => operationId)),
    'Operations that clients with a token may use, separated by commas; without it, all',
  ),
};

const limits = {
  VDS_LIMIT_PER_CLIENT: setting(
    rate,
    'Requests that one client may make; a rate of an API key wins over it. Without client authentication all clients are one',
  ),
  VDS_LIMIT_PER_VEHICLE: setting(
    rate,
    'Requests that one client may make for one vehicle of a brand; a withdrawal is never counted or stopped',
  ),
};

const state = {
  VDS_STORE: setting(
    choice('memory', 'file', 'redis', 'durable-object'),
    'Where tokens, locks and counts are kept: in the process, in a folder shared by the processes of one machine (counts stay in the process), in Redis for any number of processes, or, on Workers, in the Durable Objects that are bound as `VDS_STATE`',
    { default: 'memory' },
  ),
  VDS_STORE_DIR: setting(file, 'The folder of `VDS_STORE=file`; only its owner can read what is written there'),
  VDS_REDIS_URL: setting(
    password(),
    'Address of `VDS_STORE=redis`, such as `redis://user:password@host:6379/0`, or `rediss://` with TLS',
  ),
  VDS_REDIS_SENTINELS: setting(
    text,
    'Redis Sentinels as `host:port`, separated by commas; the host in `VDS_REDIS_URL` is then the name of the primary, such as `redis://mymaster`',
  ),
  VDS_REDIS_CLUSTER: setting(
    boolean,
    'Whether `VDS_REDIS_URL` is the address of a Redis Cluster, by any of its nodes; the others are found through it',
    { default: 'false' },
  ),
  VDS_REDIS_PREFIX: setting(text, 'Prefix of every key in Redis', { default: 'vds:' }),
  VDS_REDIS_TIMEOUT_MS: setting(
    integer(10, 10_000),
    'Time for one command of Redis, in milliseconds; after that the process counts alone for a second',
    { default: '250' },
  ),
};

const observability = {
  VDS_ADMIN_PORT: setting(integer(0, 65_535), 'Port of `/metrics`, `/drift` and `/tokens`; without it there is none'),
  VDS_ADMIN_HOST: setting(text, 'Address of the admin port; whoever reaches it sees counts and states, never values', {
    default: '127.0.0.1',
  }),
  VDS_AUDIT_FILE: setting(
    file,
    'File to which every withdrawal of consent is appended, whatever the log level; needs `VDS_VIN_HASH_KEY`',
  ),
  VDS_LOG_LEVEL: setting(
    choice('silent', 'error', 'info', 'debug'),
    'What is logged: nothing, failed requests, every request, or every request with its reason',
    { default: 'info' },
  ),
  VDS_SERVER_TIMING: setting(boolean, 'Whether responses say in `Server-Timing` how long the service took', {
    default: 'false',
  }),
  VDS_TRACES: setting(
    boolean,
    'Whether requests are reported as spans to the OpenTelemetry SDK that the process was started with (`node --import`)',
    { default: 'false' },
  ),
};

/** Settings by subject, in the order of the documentation. */
export const settingGroups = [
  { title: 'Server', settings: settingsIn(server) },
  { title: 'Clients', settings: settingsIn(clients) },
  { title: 'Access to the service', settings: settingsIn(upstreamAuth) },
  { title: 'Connections to the upstream', settings: settingsIn(upstreamConnections) },
  { title: 'Limits', settings: settingsIn(limits) },
  { title: 'State', settings: settingsIn(state) },
  { title: 'Observability', settings: settingsIn(observability) },
];

/** Every setting of the program. */
export const settings = settingGroups.flatMap((group) => group.settings);

/** The values of all settings by the name of the environment variable. */
export const settingsSchema = v.object({
  ...server,
  ...clients,
  ...upstreamAuth,
  ...upstreamConnections,
  ...limits,
  ...state,
  ...observability,
});

/** Checked settings. A setting without value and default is `undefined`. */
export type SettingValues = v.InferOutput<typeof settingsSchema>;

/** Name of a setting's environment variable. */
export type SettingName = keyof SettingValues;
