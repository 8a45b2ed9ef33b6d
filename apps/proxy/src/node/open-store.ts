import type { Redis } from 'ioredis';
import type { SettingValues } from '../settings/read-settings.js';
import { MemoryStore } from '../store/memory-store.js';
import type { Store } from '../store/store.js';
import { FileStore } from './file-store.js';
import { openRedis } from './open-redis.js';
import type { SharedCounting } from './redis-counter.js';
import { RedisStore } from './redis-store.js';

/** The store that the settings name, and Redis for counting when that is the store. */
export interface OpenedStore {
  readonly store: Store;
  readonly shared: SharedCounting | null;
}

/** Opens the store that the settings name. */
export async function openStore(values: SettingValues): Promise<OpenedStore> {
  const way = values.get('VDS_STORE');
  if (way === 'durable-object') throw new Error('VDS_STORE: durable-object is for Workers; use redis here');
  if (way === 'file') return { store: new FileStore(values.get('VDS_STORE_DIR') ?? ''), shared: null };
  if (way !== 'redis') return { store: new MemoryStore(), shared: null };
  const timeoutMs = Number(values.get('VDS_REDIS_TIMEOUT_MS'));
  const redis: Redis = await openRedis(values.get('VDS_REDIS_URL') ?? '', timeoutMs);
  const prefix = values.get('VDS_REDIS_PREFIX') ?? '';
  return { store: new RedisStore(redis, prefix), shared: { redis, prefix } };
}
