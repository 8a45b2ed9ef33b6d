import { readSettings } from '../../src/config/read-settings.js';
import type { Settings } from '../../src/config/settings.js';

/** Reads settings as the program does, with these files alone. */
function read(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
) {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`no file ${path}`);
    return text;
  };
  return readSettings({ environment, arguments: flags, readFile });
}

export function mistakesOf(...sources: Parameters<typeof read>): readonly string[] {
  const reading = read(...sources);
  return reading.ok ? [] : reading.mistakes;
}

/** @throws {Error} when there is a mistake in them */
export function settingsOf(...sources: Parameters<typeof read>): Settings {
  const reading = read(...sources);
  if (!reading.ok) throw new Error(reading.mistakes.join('\n'));
  return reading.settings;
}
