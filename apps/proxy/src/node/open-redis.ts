import type { Redis } from 'ioredis';

/** Time for the first connection, in milliseconds; the proxy starts without Redis after that. */
const firstConnectionMs = 2000;

/**
 * Connects to Redis, and again whenever the connection is lost. A command fails at once while there is none, and after
 * `timeoutMs` milliseconds when Redis is slow: no call of the proxy waits longer for it.
 */
export async function openRedis(url: string, timeoutMs: number): Promise<Redis> {
  // Read only when it is used: it makes the start longer.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: firstConnectionMs,
    commandTimeout: timeoutMs,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  // Without a listener a lost connection would end the process; what it means is up to each command.
  redis.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, firstConnectionMs)));
  await Promise.race([redis.connect().catch(() => {}), late]);
  clearTimeout(timer);
  return redis;
}
