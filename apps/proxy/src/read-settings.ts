import { flagOf, type Setting, type SettingName, settings } from './settings.js';

/** What a reading of the settings needs from its surroundings. */
export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly arguments: readonly string[];
  /** Reads the file of a secret; throws when it cannot. */
  readonly readFile: (path: string) => string;
}

/** The settings as text, or every mistake in them, each naming its setting and never its value. */
export type SettingsReading =
  | { readonly ok: true; readonly values: ReadonlyMap<SettingName, string> }
  | { readonly ok: false; readonly mistakes: readonly string[] };

const trueWords = new Set(['true', '1', 'yes', 'on']);
const falseWords = new Set(['false', '0', 'no', 'off']);

/** Reads flags and environment; a flag wins over a variable. */
export function readSettings(sources: SettingSources): SettingsReading {
  const mistakes: string[] = [];
  const flags = readFlags(sources.arguments, mistakes);
  refuseUnknownVariables(sources.environment, mistakes);
  const values = new Map<SettingName, string>();
  for (const setting of settings) {
    const raw = flags.get(setting.variable) ?? readVariable(setting, sources, mistakes) ?? setting.default;
    if (raw === null || raw === undefined) continue;
    const problem = checkValue(setting, raw);
    if (problem === null)
      values.set(setting.variable, setting.kind === 'boolean' ? String(trueWords.has(raw.toLowerCase())) : raw);
    else mistakes.push(`${setting.variable}: ${problem}`);
  }
  checkTogether(values, mistakes);
  return mistakes.length === 0 ? { ok: true, values } : { ok: false, mistakes };
}

function variablesOf(setting: Setting): readonly string[] {
  return [setting.variable, ...(setting.alsoVariables ?? [])];
}

function readFlags(list: readonly string[], mistakes: string[]): Map<string, string> {
  const byFlag = new Map<string, Setting>();
  for (const setting of settings as readonly Setting[]) {
    for (const flag of [flagOf(setting.variable), ...(setting.alsoFlags ?? [])]) byFlag.set(flag, setting);
  }
  const found = new Map<string, string>();
  for (let index = 0; index < list.length; index++) {
    const [, name = '', joined] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(list[index] ?? '') ?? [];
    const setting = byFlag.get(name);
    const next = list[index + 1];
    if (setting === undefined) {
      // What is not a flag may be a value, so it is not repeated.
      mistakes.push(name === '' ? `argument ${index + 1}: not a flag` : `--${name}: no such flag`);
    } else if (joined !== undefined) {
      found.set(setting.variable, joined);
    } else if (setting.kind === 'boolean' && (next === undefined || next.startsWith('--'))) {
      found.set(setting.variable, 'true');
    } else if (next === undefined || next.startsWith('--')) {
      mistakes.push(`--${name}: a value is missing`);
    } else {
      found.set(setting.variable, next);
      index++;
    }
  }
  return found;
}

function refuseUnknownVariables(environment: SettingSources['environment'], mistakes: string[]): void {
  const known = new Set<string>();
  for (const setting of settings) {
    known.add(setting.variable);
    if (setting.kind === 'secret') known.add(`${setting.variable}_FILE`);
  }
  for (const name of Object.keys(environment))
    if (name.startsWith('VDS_') && !known.has(name)) mistakes.push(`${name}: no such setting`);
}

function readVariable(setting: Setting, sources: SettingSources, mistakes: string[]): string | undefined {
  const values = variablesOf(setting).map((name) => sources.environment[name]);
  const value = values.find((candidate) => candidate !== undefined && candidate !== '');
  if (setting.kind !== 'secret') return value;
  const file = sources.environment[`${setting.variable}_FILE`];
  if (file === undefined || file === '') return value;
  if (value !== undefined) mistakes.push(`${setting.variable}: given twice, as a value and as a file`);
  try {
    return sources.readFile(file).trim();
  } catch {
    mistakes.push(`${setting.variable}_FILE: the file cannot be read`);
    return undefined;
  }
}

/** Says what is wrong with a value, without the value. */
function checkValue(setting: Setting, value: string): string | null {
  switch (setting.kind) {
    case 'url':
      return checkUrl(value);
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = setting;
      const fits = /^\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
      return fits ? null : `must be a whole number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return trueWords.has(value.toLowerCase()) || falseWords.has(value.toLowerCase()) ? null : 'must be true or false';
    case 'choice':
      return setting.choices?.includes(value) ? null : `must be one of ${setting.choices?.join(', ')}`;
    case 'list':
      return /^[0-9A-Za-z._-]+(?:,[0-9A-Za-z._-]+)*$/.test(value)
        ? null
        : 'must be names separated by commas, without spaces';
    case 'secret':
      return /^[A-Za-z0-9\-._~+/]+=*$/.test(value) ? null : 'must be one access token, without spaces or line ends';
    default:
      return /^[\x21-\x7e]+$/.test(value) ? null : 'must be visible characters without spaces';
  }
}

function checkUrl(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must be an address that starts with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not hold user information';
  return url.search === '' && url.hash === '' ? null : 'must not hold a query or a fragment';
}

/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Refuses combinations that would be unsafe or do nothing. */
function checkTogether(values: ReadonlyMap<SettingName, string>, mistakes: string[]): void {
  const missing = (name: SettingName) =>
    !values.has(name) && !mistakes.some((mistake) => mistake.startsWith(`${name}`));
  if (missing('VDS_UPSTREAM_URL')) mistakes.push('VDS_UPSTREAM_URL: must be set to the base address of the service');
  const host = values.get('VDS_HOST');
  if (host !== undefined && values.get('VDS_CLIENT_AUTH') === 'none' && !isLoopback(host)) {
    mistakes.push(
      'VDS_HOST: must be a loopback address while VDS_CLIENT_AUTH is none, or everyone who reaches the port could call',
    );
  }
  const identity = values.get('VDS_UPSTREAM_AUTH');
  if (identity === 'static' && missing('VDS_ACCESS_TOKEN'))
    mistakes.push('VDS_ACCESS_TOKEN: must be set while VDS_UPSTREAM_AUTH is static');
  if (identity === 'forward' && values.has('VDS_ACCESS_TOKEN')) {
    mistakes.push('VDS_ACCESS_TOKEN: is set, but VDS_UPSTREAM_AUTH is forward and would never use it');
  }
}
