import { flagOf, type Setting, type SettingTexts } from './setting.js';
import { settings } from './settings.js';

/** A configuration file as texts, for all brands and for single ones. */
export interface ConfigFile {
  readonly texts: SettingTexts;
  readonly byBrand: ReadonlyMap<string, SettingTexts>;
}

/** Key of the section with exceptions for single brands. */
const brandSection = 'by-brand';

/**
 * Reads the text of a configuration file: a JSON object with flag names as keys, and under `by-brand` one object for each brand
 * that differs. Keys that no setting has are noted as mistakes.
 */
export function readConfigFile(text: string, mistakes: string[]): ConfigFile {
  const note = (problem: string) => mistakes.push(`VDS_CONFIG_FILE: ${problem}`);
  const byBrand = new Map<string, SettingTexts>();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    note('the file is not JSON');
    return { texts: {}, byBrand };
  }
  if (!isObject(document)) {
    note('the file must hold one JSON object');
    return { texts: {}, byBrand };
  }
  const { [brandSection]: sections = {}, ...rest } = document;
  const inFile = settings.filter(({ variable }) => variable !== 'VDS_CONFIG_FILE');
  const texts = readSection(rest, inFile, '', mistakes);
  if (!isObject(sections)) note(`${brandSection} must be an object with a brand for each key`);
  else
    for (const [brand, section] of Object.entries(sections))
      if (!isObject(section)) note(`${brandSection}: every brand must be an object of settings`);
      else
        byBrand.set(
          brand,
          readSection(
            section,
            inFile.filter((each) => each.byBrand),
            `${brandSection}: `,
            mistakes,
          ),
        );
  return { texts, byBrand };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readSection(
  section: Record<string, unknown>,
  allowed: readonly Setting[],
  place: string,
  mistakes: string[],
): SettingTexts {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(section)) {
    const setting = allowed.find(({ variable }) => flagOf(variable) === key);
    const ofSecret = allowed.find(({ variable, secret }) => secret && `${flagOf(variable)}-file` === key);
    const variable = setting?.variable ?? (ofSecret && `${ofSecret.variable}_FILE`);
    const text = textOf(setting?.json, value);
    // A key that is no setting could be a value that slipped; only what looks like a name is shown.
    const shown = /^[a-z][a-z-]{0,40}$/.test(key) ? key : 'a key';
    if (variable === undefined) mistakes.push(`VDS_CONFIG_FILE: ${place}${shown}: no such setting`);
    else if (text !== null) texts[variable] = text;
    else mistakes.push(`${variable}: must be ${forms[setting?.json ?? 'text']} in the configuration file`);
  }
  return texts;
}

const forms = {
  text: 'a text',
  number: 'a number or a text',
  boolean: 'true, false or a text',
  list: 'a list of texts or a text',
} as const;

/** The text of a JSON value; `null` when a setting of this kind is not written as such a value. */
function textOf(json: Setting['json'], value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (json !== undefined && typeof value === json) return String(value);
  const isList = json === 'list' && Array.isArray(value) && value.length > 0;
  return isList && value.every((item) => typeof item === 'string') ? value.join(',') : null;
}
