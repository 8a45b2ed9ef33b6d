import type { SettingValues } from '../config/read-settings.js';
import type { SharedCounting } from '../limits/redis-counter.js';
import { FileStore } from './file-store.js';
import { MemoryStore } from './memory-store.js';
import { openRedis } from './open-redis.js';
import { RedisStore } from './redis-store.js';
import type { Store } from './store.js';

/** The store that the settings name, and Redis for counting when that is the store. */
export interface OpenedStore {
  readonly store: Store;
  readonly redis: SharedCounting | null;
}

/** Opens the store that the settings name. */
export async function openStore(values: SettingValues): Promise<OpenedStore> {
  const kind = values.get('VDS_STORE');
  if (kind === 'durable-object') throw new Error('VDS_STORE: durable-object is for Workers; use redis here');
  if (kind === 'file') return { store: new FileStore(values.get('VDS_STORE_DIR') ?? ''), redis: null };
  if (kind !== 'redis') return { store: new MemoryStore(), redis: null };
  const redis = await openRedis(values, Number(values.get('VDS_REDIS_TIMEOUT_MS')));
  const prefix = values.get('VDS_REDIS_PREFIX') ?? '';
  return { store: new RedisStore(redis, prefix), redis: { redis, prefix } };
}
