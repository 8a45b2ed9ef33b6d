import type { StoreOptions } from '../config/program-options.js';
import { FileJournal } from '../fence/file-journal.js';
import type { Rate } from '../rate.js';
import { EncryptedStore } from '../store/encrypted-store.js';
import { FileStore } from '../store/file-store.js';
import { MemoryStore, type Store } from '../store/memory-store.js';
import { openRedis } from '../store/open-redis.js';

/**
 * Opens the store that the settings name. The libraries for Redis are loaded only for it: they take ten megabytes.
 *
 * @param onFailure receives every failure of Redis
 * @returns the store; what makes the counter of a rate for many processes together, `null` where each process counts alone; and the journal
 *   of what is blocked, `null` where each process knows its own alone
 */
export async function openStore(options: StoreOptions, onFailure: () => void = () => {}) {
  const { kind, key, readKey, prefix } = options;
  if (kind === 'durable-object') throw new Error('VDS_STORE: durable-object is for Workers; use redis here');
  // Also without a key: what another process has encrypted must not pass for lost.
  const encrypted = (store: Store) => new EncryptedStore(store, key, readKey);
  if (kind === 'file') {
    const { folder } = options;
    return { store: encrypted(new FileStore(folder)), counting: null, journal: new FileJournal(folder) };
  }
  if (kind === 'memory') return { store: new MemoryStore(), counting: null, journal: null };
  const redis = await openRedis(options.redis, options.redisTimeoutMs);
  const { redisStore } = await import('../store/redis-store.js');
  const { redisCounter } = await import('../limits/redis-counter.js');
  const { RedisJournal } = await import('../fence/redis-journal.js');
  const counting = (rate: Rate) => redisCounter(redis, prefix, rate, onFailure);
  return { store: encrypted(redisStore(redis, prefix, onFailure)), counting, journal: new RedisJournal(redis, prefix) };
}
