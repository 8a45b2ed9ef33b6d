import { type NamedSetting, type SettingName, settings } from './all-settings.js';
import { checkTogether } from './check-together.js';
import { checkValue } from './check-value.js';
import { readConfigFile } from './read-config-file.js';
import { readFlags } from './read-flags.js';
import { withoutServiceLinks } from './service-links.js';
import { isSecret, type Setting } from './setting.js';

/** What a reading of the settings needs from its surroundings. */
export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly arguments: readonly string[];
  /** Reads a file as text; throws when it cannot. */
  readonly readFile: (path: string) => string;
}

/** Checked settings by the name of their variable. A setting without value and default is absent. */
export type SettingValues = ReadonlyMap<SettingName, string>;

/** All settings, and for brands that differ in some, all settings as they are for that brand. */
export interface Settings {
  readonly values: SettingValues;
  readonly byBrand: ReadonlyMap<string, SettingValues>;
}

/** The settings, or every mistake in them, each naming its setting and never its value. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

type Raw = (variable: string) => string | undefined;

/** Reads flags, environment and configuration file; a flag wins over a variable, and a variable over the file. */
export function readSettings(sources: SettingSources): SettingsReading {
  const mistakes: string[] = [];
  const flags = readFlags(sources.arguments, mistakes);
  const environment = withoutServiceLinks(sources.environment);
  refuseUnknownVariables(environment, mistakes);
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    mistakes.push(
      'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0; name your certificate authority with NODE_EXTRA_CA_CERTS',
    );
  const fromEnvironment = (variable: string) => environmentValue(environment, variable);
  const path = flags.get('VDS_CONFIG_FILE') ?? fromEnvironment('VDS_CONFIG_FILE');
  const text = path === undefined ? '{}' : readText(path, sources, 'VDS_CONFIG_FILE', mistakes);
  const file = readConfigFile(text ?? '{}', mistakes);

  const layers: readonly Raw[] = [
    (variable) => flags.get(variable),
    fromEnvironment,
    (variable) => file.values.get(variable),
  ];
  const values = new Map<SettingName, string>();
  for (const setting of settings) {
    const raw = readLayers(setting, layers, sources, mistakes) ?? setting.default ?? undefined;
    if (raw !== undefined) keep(setting, raw, values, '', mistakes);
  }
  const byBrand = new Map<string, SettingValues>();
  for (const [brand, section] of file.byBrand) {
    const own = new Map<SettingName, string>();
    for (const setting of settings) {
      const raw = readLayers(setting, [(variable) => section.get(variable)], sources, mistakes);
      if (raw !== undefined) keep(setting, raw, own, ' (by-brand)', mistakes);
    }
    byBrand.set(brand, own);
  }
  checkTogether(values, byBrand, mistakes);
  if (mistakes.length > 0) return { ok: false, mistakes: [...new Set(mistakes)] };
  const complete = [...byBrand].map(([brand, own]) => [brand, new Map([...values, ...own])] as const);
  return { ok: true, settings: { values, byBrand: new Map(complete) } };
}

function keep(
  setting: NamedSetting,
  raw: string,
  into: Map<SettingName, string>,
  place: string,
  mistakes: string[],
): void {
  const checked = checkValue(setting, raw);
  if (checked.ok) into.set(setting.variable, checked.value);
  // A file that could not be read has been named already.
  else if (!mistakes.some((mistake) => mistake.startsWith(`${setting.variable}${place}: `)))
    mistakes.push(`${setting.variable}${place}: ${checked.problem}`);
}

function refuseUnknownVariables(environment: SettingSources['environment'], mistakes: string[]): void {
  const known = new Set<string>();
  for (const setting of settings) {
    known.add(setting.variable);
    if (isSecret(setting)) known.add(`${setting.variable}_FILE`);
  }
  for (const name of Object.keys(environment))
    if (name.startsWith('VDS_') && !known.has(name)) mistakes.push(`${name}: no such setting`);
}

function environmentValue(environment: SettingSources['environment'], variable: string): string | undefined {
  const setting = settings.find((candidate) => candidate.variable === variable);
  const names = [variable, ...(setting?.alsoVariables ?? [])];
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

/** The first layer that has the setting decides; a secret can stand there itself or be named by its file, but not both. */
function readLayers(
  setting: Setting,
  layers: readonly Raw[],
  sources: SettingSources,
  mistakes: string[],
): string | undefined {
  for (const layer of layers) {
    const value = layer(setting.variable);
    const path = isSecret(setting) ? layer(`${setting.variable}_FILE`) : undefined;
    if (path === undefined) {
      if (value !== undefined) return value;
      continue;
    }
    if (value !== undefined) mistakes.push(`${setting.variable}: given twice, as a value and as a file`);
    return readText(path, sources, `${setting.variable}_FILE`, mistakes)?.trim();
  }
  return undefined;
}

function readText(path: string, sources: SettingSources, name: string, mistakes: string[]): string | undefined {
  try {
    return sources.readFile(path);
  } catch {
    mistakes.push(`${name}: the file cannot be read`);
    return undefined;
  }
}
