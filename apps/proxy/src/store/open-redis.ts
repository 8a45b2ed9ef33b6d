import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import * as v from 'valibot';

/** Where Redis is. */
export interface RedisAddress {
  /** Such as `redis://user:password@host:6379/0`; with sentinels, the host is the name of the master. */
  readonly url: string;
  readonly isCluster: boolean;
  /** Addresses of sentinels, such as `host:26379`. */
  readonly sentinels: readonly string[] | undefined;
}

/** Time for the first connection, in milliseconds; the proxy starts without Redis after that. */
const firstConnectionMs = 2000;

const retryStrategy = (attempt: number) => Math.min(50 * attempt, 1000);

/**
 * Connects to a Redis, and again whenever the connection is lost. A command fails at once while there is
 * none, and after `timeoutMs` milliseconds when Redis is slow: no request of the proxy waits longer for it.
 *
 * @param onError receives what ends a connection
 */
export async function openRedis(
  address: RedisAddress,
  timeoutMs: number,
  onError: (error: Error) => void = () => {},
): Promise<Redis | Cluster> {
  const redis = redisClient(await import('ioredis'), address, timeoutMs);
  // Without a listener a lost connection would end the process; what it means is up to each command.
  redis.on('error', (error: Error) => {
    // The library would continue in database 0, which is another environment's.
    if (rejectsDatabase(error)) redis.disconnect(true);
    onError(error);
  });
  await Promise.race([redis.connect().catch(() => {}), wait(firstConnectionMs, undefined, { ref: false })]);
  return redis;
}

/** Whether an error is a reply to `SELECT`, the command that goes to the database of the address. */
const rejectsDatabase = (error: Error) => v.is(v.object({ command: v.object({ name: v.literal('select') }) }), error);

function redisClient(
  { Cluster, Redis }: Pick<typeof import('ioredis'), 'Cluster' | 'Redis'>,
  { url, isCluster, sentinels }: RedisAddress,
  timeoutMs: number,
): Redis | Cluster {
  // Time without a byte while a command waits, in milliseconds: the network can drop a connection without a word.
  const socketTimeout = Math.max(5000, 2 * timeoutMs);
  const timeouts = { connectTimeout: firstConnectionMs, commandTimeout: timeoutMs, socketTimeout };
  const times = { maxRetriesPerRequest: 0, ...timeouts };
  const failFast = { lazyConnect: true, enableOfflineQueue: false };
  // After a failover the server at hand may have become a replica.
  const reconnectOnError = ({ message }: Error) => message.startsWith('READONLY');
  const options = { ...times, ...failFast, retryStrategy, reconnectOnError } satisfies RedisOptions;
  const { protocol, hostname, port, username, password, pathname, href } = new URL(url);
  const hasTls = protocol === 'rediss:';
  const access = {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(hasTls && { tls: {} }),
  };
  if (isCluster)
    return new Cluster([{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }], {
      ...failFast,
      clusterRetryStrategy: retryStrategy,
      // The connections to its nodes queue what they are asked while they open.
      redisOptions: { ...times, ...access },
    });
  if (sentinels === undefined) return new Redis(href, options);
  return new Redis({
    ...options,
    ...access,
    // Sentinels say where Redis is; the address has its name there.
    name: hostname,
    sentinels: sentinels.map((each) => {
      const [host = '', sentinelPort = '26379'] = each.split(':');
      return { host, port: Number(sentinelPort) };
    }),
    db: Number.parseInt(pathname.slice(1) || '0', 10),
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: firstConnectionMs,
    ...(hasTls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  });
}
