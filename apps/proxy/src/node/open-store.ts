import type { Redis } from 'ioredis';
import type { SettingValues } from '../settings/read-settings.js';
import { MemoryStore } from '../store/memory-store.js';
import type { Store } from '../store/store.js';
import type { PrimaryLink } from './cluster/primary-link.js';
import type { SharedCounting } from './redis-counter.js';

/** The store that the settings name, and Redis for counting when that is the store. */
export interface OpenedStore {
  readonly store: Store;
  readonly redis: SharedCounting | null;
}

/**
 * Opens the store that the settings name.
 *
 * @param primary keeps what is else kept in this process alone; `null` when this process is the only one
 */
export async function openStore(values: SettingValues, primary: PrimaryLink | null): Promise<OpenedStore> {
  const way = values.get('VDS_STORE');
  if (way === 'durable-object') throw new Error('VDS_STORE: durable-object is for Workers; use redis here');
  if (way === 'file') {
    const { FileStore } = await import('./file-store.js');
    return { store: new FileStore(values.get('VDS_STORE_DIR') ?? ''), redis: null };
  }
  if (way !== 'redis') return { store: primary?.store() ?? new MemoryStore(), redis: null };
  const [{ openRedis }, { RedisStore }] = await Promise.all([import('./open-redis.js'), import('./redis-store.js')]);
  const timeoutMs = Number(values.get('VDS_REDIS_TIMEOUT_MS'));
  const redis: Redis = await openRedis(values.get('VDS_REDIS_URL') ?? '', timeoutMs);
  const prefix = values.get('VDS_REDIS_PREFIX') ?? '';
  return { store: new RedisStore(redis, prefix), redis: { redis, prefix } };
}
