import { readFileSync } from 'node:fs';
import { checkTogether } from '../config/check-together.js';
import { waitingIn, withFixedOf } from '../config/fixed-settings.js';
import { clientAuthFrom, filesIn } from '../config/program-options.js';
import { readSettings, type SettingsReading } from '../config/read-settings.js';
import type { Settings } from '../config/settings.js';
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
  if (reading.ok) for (const path of filesIn(reading.settings)) note(path);
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
    const waiting = waitingIn(first, settings);
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
    const auth = reading.ok ? clientAuthFrom(reading.settings.values) : null;
    const keysState = auth?.kind === 'api-key' ? [[auth.keysFile, fileState(auth.keysFile)] as const] : [];
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
