// Reads the command line and the environment. The command line wins. No message repeats what was typed, which may be a secret.
import { readFileSync } from 'node:fs';
import { type FlagKind, readArguments } from '#kit/arguments.js';
import { type Environment, flagsOf, readPlace, textsOfEnvironment, textsOfFlags } from '#kit/settings/read.js';
import { UsageError } from '../usage-error.js';
import { collectorSettings, type SettingName, type SettingValues } from './collector-settings.js';

// Flags of one run, which are not read from the environment.
const texts = ['confirm-purge', 'token-file', 'account', 'vehicle', 'public-key', 'sample'] as const;
const switches = ['once', 'help', 'json', 'adopt-lake', 'accept-contract', 'repair'] as const;

const flags: ReadonlyMap<string, FlagKind> = new Map([
  ...flagsOf(collectorSettings),
  ...texts.map((name) => [name, 'value'] as const),
  ...switches.map((name) => [name, 'switch'] as const),
]);

/** What was given. */
export interface Given {
  readonly words: readonly string[];
  readonly text: (name: (typeof texts)[number]) => string | undefined;
  readonly flag: (name: (typeof switches)[number]) => boolean;
  /** Reads the settings. @throws UsageError */
  readonly settings: () => SettingValues;
  /** What a setting is called where it was given: `--port` or `VDS_PORT`. */
  readonly nameOf: (variable: SettingName) => string;
  readonly environment: Environment;
}

export const readFile = (path: string): string => readFileSync(path, 'utf8');

/** @throws UsageError */
export function readGiven(args: readonly string[], environment: Environment): Given {
  const { values, words, mistakes } = readArguments(args, flags, true);
  const fromFlags = textsOfFlags(collectorSettings, values, mistakes);
  if (mistakes.length > 0) throw new UsageError(`${mistakes.join('\n')}; see vds-collector --help`);
  const fromEnvironment = textsOfEnvironment(collectorSettings, environment);
  const nameOf = (variable: string) => {
    const isVariable = fromFlags[variable] === undefined && fromEnvironment[variable] !== undefined;
    const { flag = '' } = collectorSettings.settings.find((setting) => setting.variable === variable) ?? {};
    return isVariable ? variable : `--${flag}`;
  };
  return {
    words,
    environment,
    text: (name) => values[name],
    flag: (name) => name in values,
    nameOf,
    settings() {
      const wrong: string[] = [];
      const read = readPlace(collectorSettings, [fromFlags, fromEnvironment], { readFile, mistakes: wrong, nameOf });
      if (wrong.length > 0) throw new UsageError(wrong.join('\n'));
      return read.values;
    },
  };
}

export function whole(name: string, value: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
}
