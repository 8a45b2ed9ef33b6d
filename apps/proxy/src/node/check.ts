import { tokensFrom } from '../config/proxy-config.js';
import type { Settings, SettingValues } from '../config/settings.js';
import { connectionProblem } from '../forward/transport/connection-problem.js';
import { openTransport } from '../forward/transport/socket/open-transport.js';
import { openRedis } from '../store/open-store.js';

const timeoutMs = 5000;

/** Something that cannot be reached, with the reason in fixed words. */
class Unreachable extends Error {}

/** What the proxy must be able to reach, each by the setting that names it. A probe fails when it cannot be reached. */
function probesFor(settings: Settings): readonly (readonly [name: string, reach: () => Promise<unknown>])[] {
  const { values } = settings;
  const addresses = [...tokensFrom(settings).values()].flatMap(({ endpoint }) => [
    { name: 'VDS_TOKEN_URL', url: endpoint.url },
    { name: 'VDS_TOKEN_REFRESH_URL', url: endpoint.refreshUrl },
  ]);
  if (values.VDS_JWKS_URL !== undefined) addresses.push({ name: 'VDS_JWKS_URL', url: values.VDS_JWKS_URL });
  // An address that several settings share is tried once.
  const urls = addresses.filter(({ url }, index) => addresses.findIndex((other) => other.url === url) === index);
  return [
    ['VDS_UPSTREAM_URL', () => reachUpstream(values)],
    ...(values.VDS_REDIS_URL === undefined ? [] : [['VDS_REDIS_URL', () => pingRedis(values)] as const]),
    ...urls.map(({ name, url }) => [name, () => reachUrl(url)] as const),
  ];
}

/** Without credentials: any response will do. */
async function reachUrl(address: string): Promise<void> {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
}

/** Asks the upstream for its root over the very transport that requests use. Any response will do. */
async function reachUpstream(values: SettingValues): Promise<void> {
  const transport = openTransport(values);
  try {
    await new Promise<void>((resolve, reject) => {
      const request = { method: 'GET', target: '/', headers: ['accept', 'application/json'], repeatable: true };
      const attempt = transport.send(request, {
        head() {
          resolve();
          attempt.cancel();
        },
        data: () => true,
        end() {},
        fail: ({ code, reason }) => (code === 'upstream-unreachable' ? reject(new Unreachable(reason)) : resolve()),
      });
      setTimeout(() => reject(new Unreachable('no response in time')), timeoutMs).unref();
    });
  } finally {
    transport.close();
  }
}

async function pingRedis(values: SettingValues): Promise<void> {
  const redis = await openRedis(values, timeoutMs);
  await redis.ping().finally(() => redis.disconnect());
}

/**
 * Tries everything that the proxy needs to reach, and says one line for each.
 *
 * @returns whether all can be reached
 */
export async function check(settings: Settings, write: (line: string) => void): Promise<boolean> {
  write('settings: good\n');
  const outcomes = await Promise.all(
    probesFor(settings).map(async ([name, reach]) => {
      try {
        await reach();
        write(`${name}: reached\n`);
        return true;
      } catch (error) {
        const problem = error instanceof Unreachable ? error.message : connectionProblem(error);
        write(`${name}: cannot be reached${problem === '' ? '' : `: ${problem}`}\n`);
        return false;
      }
    }),
  );
  return outcomes.every((reached) => reached);
}
