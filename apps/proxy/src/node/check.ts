import type { Settings } from '../settings/read-settings.js';
import { tokensFrom } from '../settings/tokens-from-settings.js';
import { openRedis } from './open-redis.js';

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
    fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).then((answer) =>
      answer.body?.cancel(),
    );
  const jwks = values.get('VDS_JWKS_URL');
  const redis = values.get('VDS_REDIS_URL');
  const tokenAddresses = [...tokensFrom(settings).values()].flatMap(({ endpoint }) => [
    ['VDS_TOKEN_URL', endpoint.url] as const,
    ...(endpoint.refreshUrl === endpoint.url ? [] : [['VDS_TOKEN_REFRESH_URL', endpoint.refreshUrl] as const]),
  ]);
  const addresses = new Map(tokenAddresses.map(([name, address]) => [`${name} ${address}`, { name, address }]));
  return [
    { name: 'VDS_UPSTREAM_URL', reach: url(values.get('VDS_UPSTREAM_URL') ?? '') },
    ...(redis === undefined ? [] : [{ name: 'VDS_REDIS_URL', reach: () => pingRedis(redis) }]),
    ...(jwks === undefined ? [] : [{ name: 'VDS_JWKS_URL', reach: url(jwks) }]),
    // Asked without credentials: what counts is that something answers there.
    ...[...addresses.values()].map(({ name, address }) => ({ name, reach: url(address) })),
  ];
}

async function pingRedis(address: string): Promise<void> {
  const redis = await openRedis(address, timeoutMs);
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
      const reached = await reach().then(
        () => true,
        () => false,
      );
      write(`${name}: ${reached ? 'reached' : 'cannot be reached'}\n`);
      return reached;
    }),
  );
  return outcomes.every((reached) => reached);
}
