import * as v from 'valibot';
import { readArguments } from '#kit/arguments.js';
import {
  type Environment,
  flagsOf,
  isServiceLink,
  readPlace,
  textOfFile,
  textsOfEnvironment,
  textsOfFlags,
} from '#kit/settings/read.js';
import type { Setting, SettingTexts } from '#kit/settings/table.js';
import { checkTogether } from './check-together.js';
import { isByBrand, proxySettings, type Settings } from './settings.js';

export interface SettingSources {
  readonly environment: Environment;
  readonly arguments: readonly string[];
  readonly readFile: (path: string) => string;
}

/** The settings, or every mistake in them, each naming its setting and never its value. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** Reads flags, environment and configuration file; a flag wins over a variable, and a variable over the file. */
export function readSettings({ environment, arguments: list, readFile }: SettingSources): SettingsReading {
  const { values: flags, mistakes: misread } = readArguments(list, flagsOf(proxySettings), false);
  const mistakes = [...misread];
  const fromFlags = textsOfFlags(proxySettings, flags, mistakes);
  const fromEnvironment = readEnvironment(environment, mistakes);
  const path = fromFlags['VDS_CONFIG_FILE'] ?? fromEnvironment['VDS_CONFIG_FILE'];
  const text = path === undefined ? undefined : textOfFile(path, 'VDS_CONFIG_FILE', readFile, mistakes);
  const file = readFileText(text ?? '{}', mistakes);
  const common = readPlace(proxySettings, [fromFlags, fromEnvironment, file.texts], { readFile, mistakes });
  const byBrand = file.byBrand.map(([brand, section]) => {
    const options = { readFile, mistakes, inherited: common.texts, place: ' (by-brand)' };
    return [brand, readPlace(proxySettings, [section], options)] as const;
  });
  const settings: Settings = { ...common, byBrand: new Map(byBrand) };
  checkTogether(settings, mistakes);
  return mistakes.length === 0 ? { ok: true, settings } : { ok: false, mistakes: [...new Set(mistakes)] };
}

function readEnvironment(environment: Environment, mistakes: string[]): SettingTexts {
  const texts = textsOfEnvironment(proxySettings, environment);
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith(proxySettings.prefix) && !(name in texts) && !isServiceLink(name, value))
      mistakes.push(`${name}: no such setting`);
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    mistakes.push(
      'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0; name your certificate authority with VDS_UPSTREAM_CA_FILE',
    );
  return texts;
}

type Section = Readonly<Record<string, unknown>>;

const sectionOr = (problem: string) =>
  v.custom<Section>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), problem);
const brandSections = v.pipe(
  sectionOr('by-brand must be an object with a brand for each key'),
  v.record(v.string(), sectionOr('by-brand: every brand must be an object of settings')),
);
const fileSchema = v.pipe(
  v.string(),
  // The parser's own message quotes the file.
  v.parseJson(undefined, 'the file is not JSON'),
  sectionOr('the file must hold one JSON object'),
  v.looseObject({ 'by-brand': v.optional(brandSections, {}) }),
);

/** Reads the text of the configuration file: flag names as keys, and under `by-brand` one object for each brand that differs. */
function readFileText(text: string, mistakes: string[]) {
  const parsed = v.safeParse(fileSchema, text);
  if (!parsed.success) mistakes.push(`VDS_CONFIG_FILE: ${parsed.issues[0].message}`);
  const { 'by-brand': sections = {}, ...common } = parsed.success ? parsed.output : {};
  const readSection = (section: Section, place: string, isAllowed: (setting: Setting) => boolean) => {
    const texts: Record<string, string> = {};
    for (const [key, value] of Object.entries(section)) {
      const setting = proxySettings.byFlag.get(key);
      if (setting === undefined || !isAllowed(setting)) {
        // A key that is no setting could be a value that slipped; only what looks like a name is shown.
        const shown = /^[a-z][a-z-]{0,40}$/.test(key) ? key : 'a key';
        mistakes.push(`VDS_CONFIG_FILE: ${place}${shown}: no such setting`);
        continue;
      }
      const { variable, json = 'text' } = setting;
      const written = v.safeParse(forms[json], value);
      if (variable in texts) mistakes.push(`VDS_CONFIG_FILE: ${place}${key}: given twice`);
      else if (written.success) texts[variable] = String(written.output);
      else mistakes.push(`${variable}: must be ${written.issues[0].message} in the configuration file`);
    }
    return texts;
  };
  const byBrand = Object.entries(sections).map(
    ([brand, section]) =>
      [brand, readSection(section, 'by-brand: ', ({ variable }) => isByBrand(variable.replace(/_FILE$/, '')))] as const,
  );
  return { texts: readSection(common, '', ({ variable }) => variable !== 'VDS_CONFIG_FILE'), byBrand };
}

const textList = v.pipe(v.array(v.string()), v.minLength(1));
/** What a setting may be in the file. */
const forms = {
  text: v.string('a string'),
  number: v.union([v.string(), v.number()], 'a number or a string'),
  boolean: v.union([v.string(), v.boolean()], 'true, false or a string'),
  list: v.union([v.string(), textList], 'a list of strings or a string'),
};
