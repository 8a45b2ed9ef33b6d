import { tokensFrom } from '../config/proxy-config.js';
import type { Settings } from '../config/read-settings.js';
import type { SettingValues } from '../config/settings.js';
import { connectionProblem } from '../forward/transport/connection-problem.js';
import { openTransport } from '../forward/transport/socket/open-transport.js';
import { openRedis } from '../store/open-store.js';

/** Something that the proxy must be able to reach. */
interface Probe {
  readonly name: string;
  /** Resolves when it can be reached, and fails otherwise. */
  readonly reach: () => Promise<unknown>;
}

const timeoutMs = 5000;

function probesFor(settings: Settings): readonly Probe[] {
  const { values } = settings;
  const url = (address: string) => () =>
    fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).then((response) =>
      response.body?.cancel(),
    );
  const jwks = values.VDS_JWKS_URL;
  const redis = values.VDS_REDIS_URL;
  const tokenAddresses = [...tokensFrom(settings).values()].flatMap(({ endpoint }) => [
    ['VDS_TOKEN_URL', endpoint.url] as const,
    ...(endpoint.refreshUrl === endpoint.url ? [] : [['VDS_TOKEN_REFRESH_URL', endpoint.refreshUrl] as const]),
  ]);
  const addresses = new Map(tokenAddresses.map(([name, address]) => [`${name} ${address}`, { name, address }]));
  return [
    { name: 'VDS_UPSTREAM_URL', reach: () => reachUpstream(settings) },
    ...(redis === undefined ? [] : [{ name: 'VDS_REDIS_URL', reach: () => pingRedis(values) }]),
    ...(jwks === undefined ? [] : [{ name: 'VDS_JWKS_URL', reach: url(jwks) }]),
    // Without credentials: any response will do.
    ...[...addresses.values()].map(({ name, address }) => ({ name, reach: url(address) })),
  ];
}

/** Asks the upstream for its root over the very transport that requests use. Any response will do. */
async function reachUpstream({ values }: Settings): Promise<void> {
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

/** Something that cannot be reached, with the reason in fixed words. */
class Unreachable extends Error {}

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
    probesFor(settings).map(async ({ name, reach }) => {
      const problem = await reach().then(
        () => null,
        (error: unknown) => (error instanceof Unreachable ? error.message : connectionProblem(error)),
      );
      const because = problem === '' || problem === null ? '' : `: ${problem}`;
      write(`${name}: ${problem === null ? 'reached' : 'cannot be reached'}${because}\n`);
      return problem === null;
    }),
  );
  return outcomes.every((reached) => reached);
}
