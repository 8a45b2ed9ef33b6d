import { Redis, type RedisOptions } from 'ioredis';
import type { SettingValues } from '../config/read-settings.js';

/** Time for the first connection, in milliseconds; the proxy starts without Redis after that. */
const firstConnectionMs = 2000;

/**
 * Connects to the Redis that the settings name, and again whenever the connection is lost. A command fails at once while there is
 * none, and after `timeoutMs` milliseconds when Redis is slow: no request of the proxy waits longer for it.
 */
export async function openRedis(values: SettingValues, timeoutMs: number): Promise<Redis> {
  const url = new URL(values.get('VDS_REDIS_URL') ?? '');
  const options = {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: firstConnectionMs,
    commandTimeout: timeoutMs,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1000),
    // After a failover the server at hand may have become a replica.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions;
  const sentinels = values.get('VDS_REDIS_SENTINELS');
  const redis =
    sentinels === undefined
      ? new Redis(url.href, options)
      : new Redis({ ...options, ...behindSentinels(url, sentinels) });
  // Without a listener a lost connection would end the process; what it means is up to each command.
  redis.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, firstConnectionMs)));
  await Promise.race([redis.connect().catch(() => {}), late]);
  clearTimeout(timer);
  return redis;
}

/** Sentinels say where Redis is; the address has its name there, credentials, database and whether TLS is spoken. */
function behindSentinels({ protocol, hostname, username, password, pathname }: URL, sentinels: string) {
  const secret = decodeURIComponent(password);
  const tls = protocol === 'rediss:' ? {} : undefined;
  return {
    name: hostname,
    sentinels: sentinels.split(',').map((each) => {
      const [host = '', port = '26379'] = each.split(':');
      return { host, port: Number(port) };
    }),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(secret === '' ? {} : { password: secret }),
    db: Number(pathname.slice(1) || 0),
    sentinelRetryStrategy: (attempt: number) => Math.min(50 * attempt, 1000),
    ...(tls === undefined ? {} : { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  } satisfies RedisOptions;
}
