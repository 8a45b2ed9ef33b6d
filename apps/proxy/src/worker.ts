import { errorResponse } from './app.js';
import type { ClientAuth } from './auth/client.js';
import { JwtClients } from './auth/jwt.js';
import { jwtOptionsFrom, limitRatesFrom, tokensFrom } from './config/domain-options.js';
import { configFrom } from './config/proxy-config.js';
import type { SettingName, Settings } from './config/settings.js';
import { createProxy, type ProxyParts } from './create-proxy.js';
import { BlockNames } from './fence/block-names.js';
import { Fence } from './fence/fence.js';
import { SharedBlocks } from './fence/shared-blocks.js';
import { CountedLimits } from './limits/rate-limits.js';
import { RequestLog } from './observability/request-log.js';
import { Warnings } from './observability/warnings.js';
import { newRequestId } from './request/request-id.js';
import { proxyError } from './response/proxy-error.js';
import { tokenDefaults } from './upstream-token/token-options.js';
import { BoundKeys, isStateNamespace, isTextNamespace, pagesFromAssets } from './worker/bindings.js';
import { ObjectJournal } from './worker/block-object.js';
import { objectCounter, objectTokens, type StateNamespace } from './worker/state-client.js';
import {
  print,
  printLine,
  printMembers,
  type WorkerContext,
  type WorkerEnvironment,
  workerSettings,
} from './worker/worker-environment.js';

export { ProxyState } from './worker/proxy-state.js';
export type { WorkerContext, WorkerEnvironment } from './worker/worker-environment.js';

type Handler = (request: Request, context?: WorkerContext) => Response | Promise<Response>;

let handler: Handler | null = null;

/** The proxy on Cloudflare Workers: one for each isolate, made at the first request, because only then the settings are there. */
export default {
  fetch(request: Request, environment: WorkerEnvironment, context?: WorkerContext): Response | Promise<Response> {
    handler ??= startProxy(environment);
    return handler(request, context);
  },
};

function startProxy(environment: WorkerEnvironment): Handler {
  const reading = workerSettings(environment);
  if (!reading.ok) return rejectAll(reading.mistakes);
  const { settings } = reading;
  const mistakes: string[] = [];
  const parts = openParts(settings, environment, mistakes);
  if (mistakes.length > 0) return rejectAll(mistakes);
  const level = settings.values.VDS_LOG_LEVEL;
  const app = createProxy(configFrom(settings), {
    ...parts,
    observer: new RequestLog(level, (_, members) => printMembers(members)),
    pages: settings.values.VDS_DOCS ? pagesFromAssets(environment['ASSETS']) : undefined,
    onDrift(finding) {
      if (level !== 'silent') printLine({ drift: finding });
    },
  });
  return (request, context) =>
    app.fetch(request, context && { waitUntil: (work: Promise<unknown>) => context.waitUntil(work) });
}

/** Settings with a mistake start no proxy; the log says which. */
function rejectAll(mistakes: readonly string[]): Handler {
  for (const mistake of mistakes) print(`vds-proxy: ${mistake}`);
  return () => errorResponse(proxyError('internal-error'), newRequestId());
}

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
] as const satisfies readonly SettingName[];

/**
 * Makes what the settings ask for out of the Worker's bindings. A setting that cannot be kept is a mistake: a client authentication
 * that is asked for and not made would open the service to everyone.
 *
 * @param mistakes receives every setting that cannot be kept here, with what is missing
 */
function openParts(
  settings: Settings,
  { VDS_STATE: binding, VDS_KEYS: keys }: WorkerEnvironment,
  mistakes: string[],
): Pick<ProxyParts, 'clientAuth' | 'fence' | 'limits' | 'tokens'> {
  const { values, texts } = settings;
  for (const name of forNodeOnly)
    if (texts[name] !== undefined)
      mistakes.push(`${name}: does not work on Workers; leave it out, or run the proxy on Node`);

  const state = values.VDS_STORE === 'durable-object' && isStateNamespace(binding) ? binding : null;
  const tokenSettings = [...tokensFrom(settings).values()];
  const needState: readonly (readonly [needed: boolean, name: SettingName])[] = [
    [values.VDS_STORE === 'durable-object', 'VDS_STORE'],
    [tokenSettings.length > 0, 'VDS_UPSTREAM_AUTH'],
    [values.VDS_LIMIT_PER_CLIENT !== undefined, 'VDS_LIMIT_PER_CLIENT'],
    [values.VDS_LIMIT_PER_VEHICLE !== undefined, 'VDS_LIMIT_PER_VEHICLE'],
    [values.VDS_JWT_CLAIMS?.['rate'] !== undefined, 'VDS_JWT_CLAIMS'],
  ];
  for (const [needed, name] of needState)
    if (needed && state === null)
      mistakes.push(`${name}: needs VDS_STORE=durable-object here, and the class ProxyState bound as VDS_STATE`);

  const warnings = new Warnings((line) => print(`vds-proxy: ${line}`));
  let clientAuth: ClientAuth | undefined;
  if (values.VDS_CLIENT_AUTH === 'jwt') clientAuth = new JwtClients(jwtOptionsFrom(values));
  if (values.VDS_CLIENT_AUTH === 'api-key' && isTextNamespace(keys)) {
    const { VDS_KEYS_FILE: name = '', VDS_VIN_HASH_KEY: hashKey } = values;
    clientAuth = new BoundKeys(keys, name, warnings, hashKey);
  } else if (values.VDS_CLIENT_AUTH === 'api-key')
    mistakes.push('VDS_KEYS_FILE: must name an entry of a KV namespace that is bound as VDS_KEYS');

  // That of the longest token request, and two seconds for the rest.
  const tokenTimeoutMs = Math.max(...tokenSettings.map((each) => each.timeoutMs ?? tokenDefaults.timeoutMs)) + 2000;
  return {
    ...(clientAuth && { clientAuth }),
    ...(state &&
      values.VDS_VIN_HASH_KEY !== undefined && { fence: objectFence(state, values.VDS_VIN_HASH_KEY, warnings) }),
    // Which keys have a rate is known only once they are read: without state each isolate counts alone.
    ...((state || values.VDS_CLIENT_AUTH === 'api-key') && {
      limits: new CountedLimits(state && ((rate) => objectCounter(state, rate)), limitRatesFrom(values)),
    }),
    ...(state && tokenSettings.length > 0 && { tokens: objectTokens(state, tokenTimeoutMs) }),
  };
}

/** The fence of an isolate, whose entries a Durable Object keeps for all. Without a secret, each isolate knows its own alone. */
function objectFence(state: StateNamespace, secret: string, warnings: Warnings): Fence {
  const blocks = new SharedBlocks(new ObjectJournal(state), warnings);
  return new Fence({ names: new BlockNames(secret), blocks, warnings, looksWithRequests: true });
}
