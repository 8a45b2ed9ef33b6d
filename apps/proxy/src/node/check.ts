import { tokensFrom } from '../config/domain-options.js';
import { auditOptionsFrom, clientAuthFrom, type StoreOptions, storeOptionsFrom } from '../config/program-options.js';
import type { SettingName, Settings } from '../config/settings.js';
import { platformConnectionProblem } from '../forward/transport/connection-problem.js';
import type { UpstreamAttempt, UpstreamTransport } from '../forward/transport/upstream-transport.js';
import { CountedLimits } from '../limits/rate-limits.js';
import { Warnings } from '../observability/warnings.js';
import { openRedis } from '../store/open-redis.js';
import { checkAudit } from './open-audit.js';
import { openParts } from './open-parts.js';
import { openStore } from './open-store.js';
import { problemOf } from './terminal.js';

const timeoutMs = 5000;

/** The addresses that the proxy calls besides the upstream, each with the first setting that names it. */
function addressesIn(settings: Settings): ReadonlyMap<string, SettingName> {
  const addresses = new Map<string, SettingName>();
  const add = (name: SettingName, address: string | undefined) => {
    if (address !== undefined && !addresses.has(address)) addresses.set(address, name);
  };
  for (const { url, refreshUrl } of tokensFrom(settings).values()) {
    add('VDS_TOKEN_URL', url);
    add('VDS_TOKEN_REFRESH_URL', refreshUrl);
  }
  const auth = clientAuthFrom(settings.values);
  if (auth.kind === 'jwt') add('VDS_JWKS_URL', auth.jwt.keySetUrl);
  return addresses;
}

/** Fails unless a server responds, whatever it says: it is sent no credentials. */
async function reachUrl(address: string): Promise<void> {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
}

/** Fails unless the upstream responds, whatever it says, over the very transport that requests use. */
async function reachUpstream(transport: UpstreamTransport): Promise<void> {
  const request = { method: 'GET', target: '/', headers: ['accept', 'application/json'], repeatable: true };
  let attempt: UpstreamAttempt | undefined;
  await new Promise<void>((resolve, reject) => {
    attempt = transport.send(request, {
      head: () => resolve(),
      data: () => false,
      end() {},
      fail: ({ code, reason }) => (code === 'upstream-unreachable' ? reject(new Unreachable(reason)) : resolve()),
    });
    AbortSignal.timeout(timeoutMs).onabort = () => reject(new Unreachable('no response in time'));
  }).finally(() => {
    attempt?.cancel();
    transport.close();
  });
}

/** Something that cannot be reached, with the reason in fixed words. */
class Unreachable extends Error {}

/** Fails unless Redis can be written: a replica can be reached, but takes no lock. */
async function writeToRedis({ redis: address, prefix }: StoreOptions): Promise<void> {
  let problem: Error | undefined;
  const redis = await openRedis(address, timeoutMs, (error) => (problem ??= error));
  const fail = (error: unknown) => Promise.reject(problem ?? error);
  await redis
    .set(`${prefix}check`, '', 'PX', 1)
    .catch(fail)
    .finally(() => redis.disconnect());
}

/** Opens what the proxy starts with; then tries all that it needs to reach, and says one line for each. Returns whether all is well. */
export async function check(settings: Settings, write: (line: string) => void): Promise<boolean> {
  const { values } = settings;
  const store = storeOptionsFrom(values);
  let transport: UpstreamTransport;
  try {
    await checkAudit(auditOptionsFrom(values));
    // Whether Redis can be reached is asked later; the proxy starts without it.
    if (store.kind !== 'redis') await openStore(store);
    const { parts, close } = await openParts(settings, new Warnings(() => {}), new CountedLimits(null));
    close();
    transport = parts.transport;
  } catch (error) {
    write(`${problemOf(error, 'the proxy cannot start')}\n`);
    return false;
  }
  write('settings: good\n');
  const probe = async (name: SettingName, reach: () => Promise<void>) => {
    try {
      await reach();
      write(`${name}: reached\n`);
      return true;
    } catch (error) {
      const problem = error instanceof Unreachable ? error.message : platformConnectionProblem(error);
      write(`${name}: cannot be reached${problem === '' ? '' : `: ${problem}`}\n`);
      return false;
    }
  };
  const outcomes = await Promise.all([
    probe('VDS_UPSTREAM_URL', () => reachUpstream(transport)),
    store.redis.url === '' || probe('VDS_REDIS_URL', () => writeToRedis(store)),
    ...[...addressesIn(settings)].map(([address, name]) => probe(name, () => reachUrl(address))),
  ]);
  return outcomes.every((reached) => reached);
}
