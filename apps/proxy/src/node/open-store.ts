import type { SettingValues } from '../settings/read-settings.js';
import { MemoryStore } from '../store/memory-store.js';
import type { Store } from '../store/store.js';
import { FileStore } from './file-store.js';

/** Opens the store that the settings name. */
export function openStore(values: SettingValues): Store {
  return values.get('VDS_STORE') === 'file' ? new FileStore(values.get('VDS_STORE_DIR') ?? '') : new MemoryStore();
}
