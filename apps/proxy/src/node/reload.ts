import { readFileSync } from 'node:fs';
import { checkTogether } from '../config/check-together.js';
import { readSettings, type SettingsReading } from '../config/read-settings.js';
import type { SettingName, Settings } from '../config/settings.js';
import type { Warnings } from '../observability/warnings.js';
import { fileState, lookForChanges } from '../store/file-state.js';
import { problemOf, say } from './terminal.js';

/** Files, each with its state before it was read: a change after that is seen, however soon it comes. */
type FileStates = ReadonlyMap<string, string>;

/** A reading of the settings, and the files that it looked into. */
export interface ReadFromFiles {
  readonly reading: SettingsReading;
  readonly files: FileStates;
}

interface ReloadParts {
  readonly read: () => ReadFromFiles;
  /** Continues with other settings; fails with a text for the operator, and then nothing has changed. */
  readonly apply: (settings: Settings) => Promise<void>;
  readonly warnings: Warnings;
  readonly onReload: (outcome: 'ok' | 'failed') => void;
}

/** Settings that belong to the process: they stay as they are until it is restarted. */
const fixed: readonly SettingName[] = [
  'VDS_HOST',
  'VDS_PORT',
  'VDS_PROBE_PORT',
  'VDS_MAX_CONNECTIONS_PER_ADDRESS',
  'VDS_ADMIN_HOST',
  'VDS_ADMIN_PORT',
  'VDS_WORKERS',
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

/** Settings that name files which are read where they are used. */
const fileSettings = ['VDS_UPSTREAM_CA_FILE', 'VDS_UPSTREAM_CERT_FILE', 'VDS_UPSTREAM_KEY_FILE'] as const;

/** Time for several files that change together, in milliseconds. */
const settleMs = 300;

export function readFromFiles(flags: readonly string[]): ReadFromFiles {
  const files = new Map<string, string>();
  const note = (path: string) => files.set(path, files.get(path) ?? fileState(path));
  const readFile = (path: string) => {
    note(path);
    return readFileSync(path, 'utf8');
  };
  const reading = readSettings({ environment: process.env, arguments: flags, readFile });
  if (reading.ok) for (const path of fileSettings.flatMap((name) => reading.settings.values[name] ?? [])) note(path);
  return { reading, files };
}

/**
 * Reads the settings again on SIGHUP and whenever one of their files changes. Settings with a mistake change nothing; the log,
 * readiness and a metric say so. Returns what ends the watching.
 */
export function reloadOnChange(
  first: Settings,
  files: FileStates,
  { read, apply, warnings, onReload }: ReloadParts,
): () => void {
  let watched = files;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Uses settings, as far as they can change. @throws {Error} with a text for the operator */
  const use = async (settings: Settings) => {
    const waiting = fixed.filter((name) => settings.texts[name] !== first.texts[name]);
    const usable = withFixedOf(first, settings);
    const mistakes: string[] = [];
    checkTogether(usable, mistakes);
    try {
      if (mistakes.length > 0) throw new Error(mistakes.join('; '));
      await apply(usable);
    } catch (error) {
      const hint = waiting.length === 0 ? '' : `. Restart the proxy: ${waiting.join(', ')} cannot change before`;
      throw new Error(problemOf(error, 'they cannot be used') + hint);
    }
    for (const name of waiting) say(`${name}: takes effect with a restart`);
  };
  const reload = async () => {
    const { reading, files: looked } = read();
    const keysFile = reading.ok ? reading.settings.values.VDS_KEYS_FILE : undefined;
    const keysState = keysFile === undefined ? [] : [[keysFile, fileState(keysFile)] as const];
    watched = looked;
    try {
      if (!reading.ok) throw new Error(reading.mistakes.join('; '));
      await use(reading.settings);
      onReload('ok');
      warnings.clear('settings');
      say('settings are reloaded');
    } catch (error) {
      onReload('failed');
      // Keys that are in use are watched by themselves; others may be what is wrong.
      watched = new Map([...watched, ...keysState]);
      const problem = error instanceof Error ? error.message : '';
      warnings.raise('settings', `settings are not reloaded, and those before stay in use. ${problem}`);
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // One after the other: a file can change while the settings before it are still taken over.
      running = running.then(reload);
    }, settleMs);
  };

  const endLooking = lookForChanges(() => watched, soon);
  process.on('SIGHUP', soon);
  return () => {
    clearTimeout(timer);
    endLooking();
    process.off('SIGHUP', soon);
  };
}

/** Settings as they hold in a process that started with others. */
function withFixedOf({ values, texts }: Settings, settings: Settings): Settings {
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
