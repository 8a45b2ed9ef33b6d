import { settings } from './all-settings.js';
import { flagOf, isSecret, type Setting } from './setting.js';

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
  const byKey = new Map<string, string>();
  for (const setting of settings) {
    if (!allowed(setting) || setting.variable === 'VDS_CONFIG_FILE') continue;
    byKey.set(flagOf(setting.variable), setting.variable);
    if (isSecret(setting)) byKey.set(`${flagOf(setting.variable)}-file`, `${setting.variable}_FILE`);
  }
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(section)) {
    const variable = byKey.get(key);
    // A key that is no setting could be a value that slipped; only what looks like a name is shown.
    const shown = /^[a-z][a-z-]{0,40}$/.test(key) ? key : 'a key';
    if (variable === undefined) mistakes.push(`VDS_CONFIG_FILE: ${place}${shown}: no such setting`);
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      values.set(variable, value.join(','));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      values.set(variable, String(value));
    else
      mistakes.push(`${variable}: must be a text, a number, true, false or a list of texts in the configuration file`);
  }
  return values;
}
