// Reads the settings of a table from flags, environment and further layers. Every mistake is found in one go; each names its setting and
// never its value.
import * as v from 'valibot';
import type { FlagKind } from '../arguments.js';
import type { SettingTable, SettingTexts } from './table.js';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of one place: all values that hold there, and what was set there, as it was written. */
export interface SettingPlace<Values> {
  readonly values: Values;
  readonly texts: SettingTexts;
}

/** The flags of a table, for `readArguments`. */
export function flagsOf({ byFlag }: SettingTable<unknown>): ReadonlyMap<string, FlagKind> {
  return new Map(
    [...byFlag].map(([flag, { secret, json }]) => [
      flag,
      secret ? 'secret' : json === 'boolean' ? 'boolean' : ('value' as const),
    ]),
  );
}

/** The texts of flags that `readArguments` has read. */
export function textsOfFlags(
  { byFlag }: SettingTable<unknown>,
  values: Readonly<Record<string, string>>,
  mistakes: string[],
): SettingTexts {
  const texts: Record<string, string> = {};
  for (const [flag, value] of Object.entries(values)) {
    const variable = byFlag.get(flag)?.variable;
    if (variable === undefined) continue;
    if (variable in texts) mistakes.push(`--${flag}: given twice`);
    texts[variable] = value;
  }
  return texts;
}

// Kubernetes puts the addresses of all Services into every container, under names made of theirs:
// https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
const linkName = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const linkAddress = /^(?:tcp|udp|sctp):\/\//;

/** Whether a variable is the address of a Service of Kubernetes, which would be taken for a setting when the Service is called like a program. */
export function isServiceLink(name: string, value = ''): boolean {
  return linkName.test(name) || (name.endsWith('_PORT') && linkAddress.test(value));
}

/** The variables of settings. An empty one is not set. */
export function textsOfEnvironment({ settings }: SettingTable<unknown>, environment: Environment): SettingTexts {
  const texts: Record<string, string | undefined> = {};
  for (const { variable, alsoVariables, secret } of settings) {
    const values = [variable, ...alsoVariables].map((name) => environment[name]);
    texts[variable] = values.find((value) => value !== undefined && value !== '' && !isServiceLink(variable, value));
    if (secret) texts[`${variable}_FILE`] = environment[`${variable}_FILE`] || undefined;
  }
  return texts;
}

/** How the settings of a place are read. */
export interface PlaceOptions {
  /** Reads the file of a secret. @throws when it cannot be read */
  readonly readFile: (path: string) => string;
  /** Where mistakes go. */
  readonly mistakes: string[];
  /** Texts that hold where the layers have none, and whose mistakes are said elsewhere. */
  readonly inherited?: SettingTexts;
  /** What is said behind the name of a setting. */
  readonly place?: string;
  /** What a setting is called in mistakes. Default: its variable. */
  readonly nameOf?: (variable: string) => string;
}

/** Reads one place: the first layer that has a setting decides. What is wrong has its default. */
export function readPlace<Values>(
  table: SettingTable<Values>,
  layers: readonly SettingTexts[],
  { readFile, mistakes, inherited = {}, place = '', nameOf = (variable) => variable }: PlaceOptions,
): SettingPlace<Values> {
  const texts = mergeLayers(table, layers, readFile, mistakes);
  const values = Object.entries(table.entries).map(([variable, schema]) => {
    const read = v.safeParse(schema, texts[variable] ?? inherited[variable], {
      abortEarly: true,
      abortPipeEarly: true,
    });
    const start = `${nameOf(variable)}${place}: `;
    // One line for each setting.
    if (!read.success && variable in texts && !mistakes.some((mistake) => mistake.startsWith(start)))
      mistakes.push(start + read.issues[0].message);
    return [variable, read.success ? read.output : v.parse(schema, undefined)];
  });
  return { values: Object.fromEntries(values) as Values, texts };
}

/** A secret can be in a layer itself or be named by its file, but not both. */
function mergeLayers(
  { settings }: SettingTable<unknown>,
  layers: readonly SettingTexts[],
  readFile: (path: string) => string,
  mistakes: string[],
): SettingTexts {
  const merged: Record<string, string> = {};
  for (const { variable } of settings) {
    const pathName = `${variable}_FILE`;
    const layer = layers.find((each) => each[variable] !== undefined || each[pathName] !== undefined) ?? {};
    const { [variable]: value, [pathName]: path } = layer;
    if (value !== undefined && path !== undefined) mistakes.push(`${variable}: given twice, as a value and as a file`);
    const text = path === undefined ? value : textOfFile(path, pathName, readFile, mistakes);
    if (text !== undefined) merged[variable] = text;
  }
  return merged;
}

/** The text of a file without the line end behind it; `undefined` where it cannot be read. */
export function textOfFile(
  path: string,
  name: string,
  readFile: (path: string) => string,
  mistakes: string[],
): string | undefined {
  try {
    return readFile(path).trim();
  } catch {
    mistakes.push(`${name}: the file cannot be read`);
    return undefined;
  }
}
