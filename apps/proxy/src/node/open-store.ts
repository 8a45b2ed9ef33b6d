import { redisFrom } from '../config/domain-options.js';
import type { SettingValues } from '../config/settings.js';
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
export async function openStore(values: SettingValues, onFailure: () => void = () => {}) {
  const kind = values.VDS_STORE;
  if (kind === 'durable-object') throw new Error('VDS_STORE: durable-object is for Workers; use redis here');
  const { VDS_STORE_KEY: key, VDS_STORE_KEY_READ: readKey } = values;
  // Also without a key: what another process has encrypted must not pass for lost.
  const encrypted = (store: Store) => new EncryptedStore(store, key, readKey);
  if (kind === 'file') {
    const folder = values.VDS_STORE_DIR ?? '';
    return { store: encrypted(new FileStore(folder)), counting: null, journal: new FileJournal(folder) };
  }
  if (kind === 'memory') return { store: new MemoryStore(), counting: null, journal: null };
  const redis = await openRedis(redisFrom(values), values.VDS_REDIS_TIMEOUT_MS);
  const prefix = values.VDS_REDIS_PREFIX;
  const { redisStore } = await import('../store/redis-store.js');
  const { redisCounter } = await import('../limits/redis-counter.js');
  const { RedisJournal } = await import('../fence/redis-journal.js');
  const counting = (rate: Rate) => redisCounter(redis, prefix, rate, onFailure);
  return { store: encrypted(redisStore(redis, prefix, onFailure)), counting, journal: new RedisJournal(redis, prefix) };
}
