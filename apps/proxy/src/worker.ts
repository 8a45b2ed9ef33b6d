import { errorResponse } from './app.js';
import type { ClientAuth } from './auth/client.js';
import { JwtClients } from './auth/jwt.js';
import { limitRatesFrom, tokensFrom, vinHashKeyFrom } from './config/domain-options.js';
import { clientAuthFrom, serverOptionsFrom, storeOptionsFrom } from './config/program-options.js';
import { configFrom } from './config/proxy-config.js';
import type { Settings } from './config/settings.js';
import { mistakesOnWorkers } from './config/worker-settings.js';
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
import { BoundKeys, keysIn, pagesFromAssets, stateIn } from './worker/bindings.js';
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
  const { logLevel: level, docs } = serverOptionsFrom(settings.values);
  const app = createProxy(configFrom(settings), {
    ...parts,
    observer: new RequestLog(level, (_, members) => printMembers(members)),
    pages: docs ? pagesFromAssets(environment['ASSETS']) : undefined,
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

/**
 * Makes what the settings ask for out of the Worker's bindings. A setting that cannot be kept is a mistake: a client authentication
 * that is asked for and not made would open the service to everyone.
 *
 * @param mistakes receives every setting that cannot be kept here, with what is missing
 */
function openParts(
  settings: Settings,
  environment: WorkerEnvironment,
  mistakes: string[],
): Pick<ProxyParts, 'clientAuth' | 'fence' | 'limits' | 'tokens'> {
  const { values } = settings;
  const state = storeOptionsFrom(values).kind === 'durable-object' ? stateIn(environment) : null;
  mistakes.push(...mistakesOnWorkers(settings, state !== null));

  const warnings = new Warnings((line) => print(`vds-proxy: ${line}`));
  const auth = clientAuthFrom(values);
  const keys = auth.kind === 'api-key' ? keysIn(environment) : null;
  let clientAuth: ClientAuth | undefined;
  if (auth.kind === 'jwt') clientAuth = new JwtClients(auth.jwt);
  if (auth.kind === 'api-key') {
    if (keys !== null) clientAuth = new BoundKeys(keys, auth.keysFile, warnings, auth.hashKey);
    else mistakes.push('VDS_KEYS_FILE: must name an entry of a KV namespace that is bound as VDS_KEYS');
  }

  const tokenSettings = [...tokensFrom(settings).values()];
  // That of the longest token request, and two seconds for the rest.
  const tokenTimeoutMs = Math.max(...tokenSettings.map((each) => each.timeoutMs ?? tokenDefaults.timeoutMs)) + 2000;
  const hashKey = vinHashKeyFrom(values);
  return {
    ...(clientAuth && { clientAuth }),
    ...(state && hashKey !== undefined && { fence: objectFence(state, hashKey, warnings) }),
    // Which keys have a rate is known only once they are read: without state each isolate counts alone.
    ...((state || auth.kind === 'api-key') && {
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
