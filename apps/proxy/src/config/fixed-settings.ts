// Which settings can change while a process runs.
import type { SettingName, Settings } from './settings.js';

/** Settings that belong to the process: they stay as they are until it is restarted. */
const fixed: readonly SettingName[] = [
  'VDS_HOST',
  'VDS_PORT',
  'VDS_PROBE_PORT',
  'VDS_MAX_CONNECTIONS_PER_ADDRESS',
  'VDS_PROXY_PROTOCOL_FROM',
  'VDS_ADMIN_HOST',
  'VDS_ADMIN_PORT',
  'VDS_WORKERS',
  'VDS_WORKERS_ALONE_MS',
  'VDS_DRAIN_DELAY_MS',
  'VDS_DRAIN_MS',
  'VDS_FAST_PATH',
  'VDS_STORE',
  'VDS_STORE_DIR',
  'VDS_STORE_KEY',
  'VDS_STORE_KEY_READ',
  'VDS_REDIS_URL',
  'VDS_REDIS_SENTINELS',
  'VDS_REDIS_CLUSTER',
  'VDS_REDIS_PREFIX',
  'VDS_REDIS_TIMEOUT_MS',
  'VDS_AUDIT_FILE',
  'VDS_AUDIT_REQUIRED',
  'VDS_VIN_HASH_KEY',
  'VDS_EVENTS_URL',
  'VDS_EVENTS_SECRET',
  'VDS_EVENTS_DIR',
  'VDS_TRACES',
  'VDS_DOCS',
];

/** What has changed since a process started, and takes effect when it is restarted. */
export function waitingIn(first: Settings, settings: Settings): readonly SettingName[] {
  return fixed.filter((name) => settings.texts[name] !== first.texts[name]);
}

/** Settings as they hold in a process that started with others. */
export function withFixedOf({ values, texts }: Settings, settings: Settings): Settings {
  const pick = <Value>(of: Readonly<Record<string, Value>>) =>
    Object.fromEntries(fixed.map((name) => [name, of[name]]));
  const kept = pick(values);
  const byBrand = [...settings.byBrand].map(
    ([brand, own]) => [brand, { ...own, values: { ...own.values, ...kept } }] as const,
  );
  return {
    values: { ...settings.values, ...kept },
    texts: { ...settings.texts, ...pick(texts) },
    byBrand: new Map(byBrand),
  };
}
