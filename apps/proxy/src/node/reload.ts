import { isDeepStrictEqual } from 'node:util';
import type { SettingsReading } from '../config/read-settings.js';
import type { SettingName, Settings } from '../config/settings.js';
import type { Warnings } from '../observability/warnings.js';
import { fileState, lookForChanges } from '../store/file-state.js';
import { say } from './terminal.js';

/** A reading of the settings, and the files that it looked into. */
export interface ReadFromFiles {
  readonly reading: SettingsReading;
  readonly files: readonly string[];
}

interface ReloadParts {
  readonly read: () => ReadFromFiles;
  /** Continues with other settings; fails with a text for the operator, and then nothing has changed. */
  readonly apply: (settings: Settings) => Promise<void>;
  readonly warnings: Warnings;
  readonly onReload: (outcome: 'ok' | 'failed') => void;
}

/** Settings that belong to the process: their values stay until it is restarted. */
const fixed: readonly SettingName[] = [
  'VDS_HOST',
  'VDS_PORT',
  'VDS_PROBE_PORT',
  'VDS_MAX_CONNECTIONS_PER_ADDRESS',
  'VDS_ADMIN_HOST',
  'VDS_ADMIN_PORT',
  'VDS_WORKERS',
  'VDS_DRAIN_DELAY_MS',
  'VDS_FAST_PATH',
  'VDS_STORE',
  'VDS_STORE_DIR',
  'VDS_REDIS_URL',
  'VDS_REDIS_SENTINELS',
  'VDS_REDIS_CLUSTER',
  'VDS_REDIS_PREFIX',
  'VDS_REDIS_TIMEOUT_MS',
  'VDS_AUDIT_FILE',
  'VDS_VIN_HASH_KEY',
  'VDS_TRACES',
  'VDS_DOCS',
];

/** Settings that name files which are read where they are used. */
const fileSettings = ['VDS_UPSTREAM_CA_FILE', 'VDS_UPSTREAM_CERT_FILE', 'VDS_UPSTREAM_KEY_FILE'] as const;

/** Time for several files that change together, in milliseconds. */
const settleMs = 300;

/**
 * Reads the settings again on SIGHUP and whenever one of their files changes. Settings with a mistake change nothing; the log,
 * readiness and a metric say so.
 *
 * @returns ends the watching
 */
export function reloadOnChange(first: Settings, { read, apply, warnings, onReload }: ReloadParts): () => void {
  let current = first;
  const valuesOfProcess = Object.fromEntries(fixed.map((name) => [name, first.values[name]]));
  /** The files, each with its state before it was read: a change after that is seen, however soon it comes. */
  let watched: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Reads the settings, and watches the files that they are in. */
  const readAndWatch = (): SettingsReading => {
    const before = new Map([...watched.keys()].map((path) => [path, fileState(path)]));
    const { reading, files } = read();
    const used = reading.ok ? fileSettings.flatMap((name) => reading.settings.values[name] ?? []) : [];
    watched = new Map([...files, ...used].map((path) => [path, before.get(path) ?? fileState(path)]));
    return reading;
  };
  const reload = async () => {
    const reading = readAndWatch();
    const problem = reading.ok
      ? await apply({ ...reading.settings, values: { ...reading.settings.values, ...valuesOfProcess } }).then(
          () => null,
          (error) =>
            error instanceof Error && error.message.startsWith('VDS_') ? error.message : 'they cannot be used',
        )
      : reading.mistakes.join('; ');
    onReload(problem === null ? 'ok' : 'failed');
    if (!reading.ok || problem !== null) {
      warnings.raise('settings', `settings are not reloaded, and those before stay in use. ${problem}`);
      return;
    }
    const { settings } = reading;
    for (const name of fixed.filter((each) => current.texts[each] !== settings.texts[each]))
      say(`${name}: takes effect with a restart`);
    current = settings;
    warnings.clear('settings');
    say('settings are reloaded');
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // One after the other: a file can change while the settings before it are still taken over.
      running = running.then(reload);
    }, settleMs);
  };

  // Settings that changed since they were read first, before anything watched them.
  if (!isDeepStrictEqual(readAndWatch(), { ok: true, settings: first })) soon();
  const endLooking = lookForChanges(() => watched, soon);
  process.on('SIGHUP', soon);
  return () => {
    clearTimeout(timer);
    endLooking();
    process.off('SIGHUP', soon);
  };
}
