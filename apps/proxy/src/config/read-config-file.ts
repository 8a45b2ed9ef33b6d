import { settings } from './all-settings.js';
import { flagOf, isSecret, type Setting, type SettingKind } from './setting.js';

/** A configuration file as text values by the name of the variable, for all brands and for single ones. */
export interface ConfigFile {
  readonly values: ReadonlyMap<string, string>;
  readonly byBrand: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const nothing: ConfigFile = { values: new Map(), byBrand: new Map() };

/** Key of the section with exceptions for single brands. */
const brandSection = 'by-brand';

/**
 * Reads the text of a configuration file: a JSON object with flag names as keys, and under `by-brand` one object for each brand
 * that differs. Keys that no setting has are noted as mistakes.
 */
export function readConfigFile(text: string, mistakes: string[]): ConfigFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    mistakes.push('VDS_CONFIG_FILE: the file is not JSON');
    return nothing;
  }
  if (!isObject(document)) {
    mistakes.push('VDS_CONFIG_FILE: the file must hold one JSON object');
    return nothing;
  }
  const { [brandSection]: sections = {}, ...rest } = document;
  const values = readSection(rest, () => true, '', mistakes);
  const byBrand = new Map<string, ReadonlyMap<string, string>>();
  if (!isObject(sections))
    mistakes.push(`VDS_CONFIG_FILE: ${brandSection} must be an object with a brand for each key`);
  else
    for (const [brand, section] of Object.entries(sections)) {
      if (isObject(section))
        byBrand.set(
          brand,
          readSection(section, (setting) => setting.byBrand === true, `${brandSection}: `, mistakes),
        );
      else mistakes.push(`VDS_CONFIG_FILE: ${brandSection}: every brand must be an object of settings`);
    }
  return { values, byBrand };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readSection(
  section: Record<string, unknown>,
  allowed: (setting: Setting) => boolean,
  place: string,
  mistakes: string[],
): ReadonlyMap<string, string> {
  const byKey = new Map<string, { readonly variable: string; readonly kind: SettingKind }>();
  for (const setting of settings) {
    const { variable, kind } = setting;
    if (!allowed(setting) || variable === 'VDS_CONFIG_FILE') continue;
    byKey.set(flagOf(variable), { variable, kind });
    if (isSecret(setting)) byKey.set(`${flagOf(variable)}-file`, { variable: `${variable}_FILE`, kind: 'file' });
  }
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(section)) {
    const setting = byKey.get(key);
    // A key that is no setting could be a value that slipped; only what looks like a name is shown.
    const shown = /^[a-z][a-z-]{0,40}$/.test(key) ? key : 'a key';
    const text = setting === undefined ? null : textOf(setting.kind, value);
    if (setting === undefined) mistakes.push(`VDS_CONFIG_FILE: ${place}${shown}: no such setting`);
    else if (text !== null) values.set(setting.variable, text);
    else mistakes.push(`${setting.variable}: must be ${formOf(setting.kind)} in the configuration file`);
  }
  return values;
}

/** The text of a JSON value; `null` when a setting of this kind is not written as such a value. */
function textOf(kind: SettingKind, value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (kind === 'integer' && typeof value === 'number') return String(value);
  if (kind === 'boolean' && typeof value === 'boolean') return String(value);
  const names = (kind === 'list' || kind === 'mapping') && Array.isArray(value) && value.length > 0;
  return names && value.every((item) => typeof item === 'string') ? value.join(',') : null;
}

function formOf(kind: SettingKind): string {
  if (kind === 'integer') return 'a number or a text';
  if (kind === 'boolean') return 'true, false or a text';
  return kind === 'list' || kind === 'mapping' ? 'a list of texts or a text' : 'a text';
}
