import type { Cluster, Redis } from 'ioredis';
import { type EventQueue, maxQueued, type QueuedEvent } from './event-queue.js';
import { maxServed, type ServedVehicles } from './served-vehicles.js';

// Three keys: when each event is due, when it was queued, and its text. The clock of Redis is the one that counts.
const now = `local t = redis.call('time') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;
const addScript = `${now}
if redis.call('hexists', KEYS[3], ARGV[1]) == 1 then return 1 end
if redis.call('hlen', KEYS[3]) >= tonumber(ARGV[4]) then return 0 end
redis.call('hset', KEYS[3], ARGV[1], ARGV[3])
redis.call('zadd', KEYS[2], ARGV[2], ARGV[1])
redis.call('zadd', KEYS[1], now, ARGV[1])
return 1`;
// A Redis that is short of memory may have evicted one of the keys. An event that is nowhere due is due now; one without a time was queued now;
// and one without a text is given to be given up.
const claimScript = `${now}
if redis.call('zcard', KEYS[1]) < redis.call('hlen', KEYS[3]) then
  for _, id in ipairs(redis.call('hkeys', KEYS[3])) do redis.call('zadd', KEYS[1], 'NX', now, id) end
end
local id = redis.call('zrangebyscore', KEYS[1], '-inf', now, 'LIMIT', 0, 1)[1]
if not id then return false end
redis.call('zadd', KEYS[1], now + ARGV[1], id)
redis.call('zadd', KEYS[2], 'NX', now, id)
return { id, redis.call('zscore', KEYS[2], id), redis.call('hget', KEYS[3], id) or '' }`;
const doneScript = `redis.call('zrem', KEYS[1], ARGV[1]) redis.call('zrem', KEYS[2], ARGV[1])
return redis.call('hdel', KEYS[3], ARGV[1])`;
const laterScript = `${now} return redis.call('zadd', KEYS[1], 'XX', now + ARGV[2], ARGV[1])`;

/** One hash tag, so that a Redis Cluster has all keys in one place. */
const keyOf = (prefix: string, name: string) => `${prefix}{events}:${name}`;

/**
 * A queue in Redis, for any number of processes. An event that a process took and did not finish is free again after its lease.
 *
 * @param place that of its receiver; empty for the first
 */
export function redisQueue(redis: Redis | Cluster, prefix: string, place = ''): EventQueue {
  const key = (name: string) => keyOf(prefix, place === '' ? name : `${place}:${name}`);
  const keys = [key('due'), key('created'), key('text')] as const;
  const run = (script: string, ...args: string[]) => redis.eval(script, keys.length, ...keys, ...args);
  return {
    add: async ({ id, createdMs, text }) =>
      (await run(addScript, id, String(createdMs), text, String(maxQueued))) === 1,
    async claim(leaseMs) {
      const found = await run(claimScript, String(leaseMs));
      if (!Array.isArray(found)) return null;
      const [id, createdMs, text] = found.map(String);
      return { id: id ?? '', createdMs: Number(createdMs), text: text ?? '' } satisfies QueuedEvent;
    },
    async done({ id }) {
      await run(doneScript, id);
    },
    async later({ id }, pauseMs) {
      await run(laterScript, id, String(Math.round(pauseMs)));
    },
    async state() {
      const [queued, [, oldest]] = await Promise.all([
        redis.zcard(keys[0]),
        redis.zrange(keys[1], '0', '0', 'WITHSCORES'),
      ]);
      return { queued, oldestMs: oldest === undefined ? null : Number(oldest) };
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** Time in which a vehicle that is served again and again is noted once, in milliseconds: one minute. */
const noteMs = 60_000;
const flushMs = 1000;

/** Vehicles that any of the processes has served, in Redis; the ones that were served last stay. */
export function redisServed(redis: Redis | Cluster, prefix: string): ServedVehicles {
  const key = keyOf(prefix, 'served');
  const noted = new Map<string, number>();
  let pending = new Set<string>();
  const flush = async () => {
    if (pending.size === 0) return;
    const hashes = pending;
    pending = new Set();
    const nowMs = Date.now();
    try {
      await redis.zadd(key, ...[...hashes].flatMap((hash) => [nowMs, hash]));
      await redis.zremrangebyrank(key, 0, -maxServed - 1);
    } catch {
      // Noted again when they are served again.
      for (const hash of hashes) noted.delete(hash);
    }
  };
  const timer = setInterval(flush, flushMs).unref();
  return {
    note(hash) {
      const nowMs = Date.now();
      if (nowMs - (noted.get(hash) ?? 0) < noteMs) return;
      noted.delete(hash);
      noted.set(hash, nowMs);
      if (noted.size > maxServed) noted.delete(noted.keys().next().value ?? '');
      pending.add(hash);
    },
    has: async (hash) => pending.has(hash) || (await redis.zscore(key, hash)) !== null,
    async forget(hash) {
      noted.delete(hash);
      pending.delete(hash);
      await redis.zrem(key, hash);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
