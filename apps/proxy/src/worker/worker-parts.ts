import type { ClientAuth } from '../auth/client.js';
import { JwtClients } from '../auth/jwt.js';
import { type VinHash, vinHash } from '../auth/vehicle-rights.js';
import { jwtRules } from '../config/jwt-rules.js';
import type { Settings, SettingValues } from '../config/read-settings.js';
import type { ProxyParts } from '../create-proxy.js';
import { CountedLimits } from '../limits/counted-limits.js';
import type { Count, Counter } from '../limits/counter.js';
import { parseRate, type Rate } from '../limits/rate.js';
import type { Observer } from '../observability/observer.js';
import { BoundKeys, isTextNamespace } from './bound-keys.js';
import { datasetObserver, isDataset } from './call-dataset.js';
import { ObjectTokens } from './object-tokens.js';
import { askCount, isStateNamespace, type StateNamespace } from './state-messages.js';
import type { WorkerEnvironment } from './worker-environment.js';

/** The parts of a proxy that the settings ask for, or every setting that cannot be kept here, with what is missing. */
export type WorkerParts =
  | {
      readonly ok: true;
      readonly parts: Pick<ProxyParts, 'clientAuth' | 'limits' | 'tokens'>;
      readonly observers: readonly Observer[];
    }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/**
 * Makes what the settings ask for out of the Worker's bindings. A setting that cannot be kept is a mistake: a check of clients that
 * is asked for and not made would open the service to everyone.
 */
export function workerParts({ values, byBrand }: Settings, environment: WorkerEnvironment): WorkerParts {
  const mistakes: string[] = [];
  for (const name of ['VDS_ADMIN_PORT', 'VDS_AUDIT_FILE', 'VDS_REDIS_URL', 'VDS_STORE_DIR'] as const)
    if (values.has(name)) mistakes.push(`${name}: does not work on Workers; leave it out, or run the proxy on Node`);
  if (values.get('VDS_TRACES') === 'true') mistakes.push('VDS_TRACES: does not work on Workers');

  if (values.get('VDS_WORKERS') !== '1')
    mistakes.push('VDS_WORKERS: does not work on Workers, which are as many as needed');

  const all = [values, ...byBrand.values()];
  const binding = environment['VDS_STATE'];
  const state = values.get('VDS_STORE') === 'durable-object' && isStateNamespace(binding) ? binding : null;
  const needsState = 'needs VDS_STORE=durable-object here, and the class ProxyState bound as VDS_STATE';
  if (values.get('VDS_STORE') === 'durable-object' && state === null) mistakes.push(`VDS_STORE: ${needsState}`);
  const fetches = all.some((each) => each.get('VDS_UPSTREAM_AUTH') === 'token-endpoint');
  if (fetches && state === null) mistakes.push(`VDS_UPSTREAM_AUTH: token-endpoint ${needsState}`);
  const perClient = parseRate(values.get('VDS_LIMIT_PER_CLIENT') ?? '');
  const perVehicle = parseRate(values.get('VDS_LIMIT_PER_VEHICLE') ?? '');
  if (perClient !== null && state === null) mistakes.push(`VDS_LIMIT_PER_CLIENT: ${needsState}`);
  if (perVehicle !== null && state === null) mistakes.push(`VDS_LIMIT_PER_VEHICLE: ${needsState}`);

  let clientAuth: ClientAuth | null = null;
  if (values.get('VDS_CLIENT_AUTH') === 'jwt') clientAuth = new JwtClients(jwtRules(values));
  if (values.get('VDS_CLIENT_AUTH') === 'api-key') {
    const keys = environment['VDS_KEYS'];
    const forwards = all.some((each) => each.get('VDS_UPSTREAM_AUTH') === 'forward');
    if (isTextNamespace(keys))
      clientAuth = new BoundKeys(keys, values.get('VDS_KEYS_FILE') ?? '', !forwards, hashOf(values));
    else mistakes.push('VDS_KEYS_FILE: must name an entry of a KV namespace that is bound as VDS_KEYS');
  }
  const dataset = environment['VDS_ANALYTICS'];
  if (dataset !== undefined && !isDataset(dataset))
    mistakes.push('VDS_ANALYTICS: must be a dataset of Analytics Engine');
  if (mistakes.length > 0) return { ok: false, mistakes };
  const limits = state === null ? null : new CountedLimits({ perClient, perVehicle }, counterAt(state), digestOf);
  return {
    ok: true,
    parts: {
      ...(clientAuth === null ? {} : { clientAuth }),
      ...(limits === null ? {} : { limits }),
      ...(state === null || !fetches ? {} : { tokens: new ObjectTokens(state, tokenTimeoutMs(all)) }),
    },
    observers: isDataset(dataset) ? [datasetObserver(dataset)] : [],
  };
}

function hashOf(values: SettingValues): VinHash | null {
  const key = values.get('VDS_VIN_HASH_KEY');
  return key === undefined ? null : vinHash(key);
}

/** Time for the object of a brand to answer, in milliseconds: that of the longest token request, and two seconds for the rest. */
function tokenTimeoutMs(all: readonly SettingValues[]): number {
  return Math.max(...all.map((each) => Number(each.get('VDS_TOKEN_TIMEOUT_MS')))) + 2000;
}

/** Counts at a Durable Object for each key; while it does not answer, calls pass uncounted. */
function counterAt(state: StateNamespace): (rate: Rate) => Counter {
  return (rate) => ({
    async take(key): Promise<Count> {
      try {
        return await askCount(state, key, rate);
      } catch {
        return { allowed: true, left: rate.calls, resetSeconds: rate.seconds };
      }
    },
  });
}

/** What stands for a VIN in the name of an object, where operators can see it. */
async function digestOf(vin: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(vin));
  return [...new Uint8Array(bytes, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
