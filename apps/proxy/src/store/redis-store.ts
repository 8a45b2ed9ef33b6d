import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { Store } from './memory-store.js';

/** Deletes a lock only while it is still ours: it may have ended and be another's by now. */
const unlockScript = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** Time between two looks at the clock of Redis, in milliseconds. */
const clockEveryMs = 30_000;

/** Time until a lock is released again whose release failed, in milliseconds. */
const unlockAgainMs = 1000;

/** State in Redis, shared by all processes that use it. Its clock is the one that counts, whatever the processes' own say. */
export function redisStore(redis: Redis | Cluster, prefix: string, onFailure: () => void = () => {}): Store {
  let aheadMs = 0;
  const noted = <T>(reply: Promise<T>): Promise<T> => {
    reply.catch(onFailure);
    return reply;
  };
  const readClock = async () => {
    const time = await noted(redis.time()).catch(() => null);
    if (time === null) return;
    const [seconds, microseconds] = time;
    aheadMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000) - Date.now();
  };
  redis.on('ready', readClock);
  const clock = setInterval(readClock, clockEveryMs).unref();
  if (redis.status === 'ready') void readClock();
  return {
    canBeEmptied: true,
    read: (key) => noted(redis.get(prefix + key)),
    async write(key, text) {
      await noted(redis.set(prefix + key, text));
    },
    async lock(key, ttlMs) {
      const mark = randomUUID();
      const name = `${prefix}lock:${key}`;
      const unlock = async () => {
        await redis.eval(unlockScript, 1, name, mark);
      };
      try {
        return (await noted(redis.set(name, mark, 'PX', ttlMs, 'NX'))) === 'OK' ? unlock : null;
      } catch (error) {
        // The reply can only be late, and the lock ours: nobody else would get it until it ends. Commands of one connection keep their
        // order; the second attempt is for a connection that was lost.
        unlock().catch(() => setTimeout(() => unlock().catch(() => {}), unlockAgainMs).unref());
        throw error;
      }
    },
    nowMs: () => Date.now() + aheadMs,
    async close() {
      clearInterval(clock);
      redis.disconnect();
    },
  };
}
