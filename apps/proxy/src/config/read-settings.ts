import * as v from 'valibot';
import { attempt } from '../attempt.js';
import { checkTogether } from './check-together.js';
import { flagOf, type Setting, type SettingTexts } from './setting.js';
import { type SettingPlace, type Settings, settings, settingsSchema } from './settings.js';

export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly arguments: readonly string[];
  readonly readFile: (path: string) => string;
}

/** The settings, or every mistake in them, each naming its setting and never its value. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** Reads flags, environment and configuration file; a flag wins over a variable, and a variable over the file. */
export function readSettings({ environment, arguments: flags, readFile }: SettingSources): SettingsReading {
  const mistakes: string[] = [];
  const readText = (path: string, name: string) =>
    attempt(
      () => readFile(path),
      () => mistakes.push(`${name}: the file cannot be read`),
    );
  const fromFlags = readFlags(flags, mistakes);
  const fromEnvironment = readEnvironment(environment, mistakes);
  const path = fromFlags['VDS_CONFIG_FILE'] ?? fromEnvironment['VDS_CONFIG_FILE'];
  const file = readFileText(path === undefined ? '{}' : (readText(path, 'VDS_CONFIG_FILE') ?? '{}'), mistakes);

  /** The settings of one place. Where its layers have none, those hold that are inherited, whose mistakes are said elsewhere. */
  const readPlace = (layers: readonly SettingTexts[], inherited: SettingTexts, place: string): SettingPlace => {
    const texts = merge(layers, readText, mistakes);
    const values = Object.entries(settingsSchema.entries).map(([name, schema]) => {
      const read = v.safeParse(schema, texts[name] ?? inherited[name], { abortEarly: true, abortPipeEarly: true });
      const start = `${name}${place}: `;
      // One line for each setting.
      if (!read.success && name in texts && !mistakes.some((mistake) => mistake.startsWith(start)))
        mistakes.push(start + read.issues[0].message);
      return [name, read.success ? read.output : v.parse(schema, undefined)];
    });
    return { values: Object.fromEntries(values), texts };
  };
  const common = readPlace([fromFlags, fromEnvironment, file.texts], {}, '');
  const byBrand = file.byBrand.map(
    ([brand, section]) => [brand, readPlace([section], common.texts, ' (by-brand)')] as const,
  );
  const read: Settings = { ...common, byBrand: new Map(byBrand) };
  checkTogether(read, mistakes);
  return mistakes.length === 0 ? { ok: true, settings: read } : { ok: false, mistakes: [...new Set(mistakes)] };
}

/** Settings by the names of their flags, which are the keys of the file as well, with the variable that each name sets. */
const byFlag = new Map<string, Setting>();
for (const setting of settings) {
  const { variable, alsoFlags, secret } = setting;
  for (const flag of [flagOf(variable), ...alsoFlags]) byFlag.set(flag, setting);
  if (secret) byFlag.set(`${flagOf(variable)}-file`, { ...setting, variable: `${variable}_FILE` });
}

function readFlags(list: readonly string[], mistakes: string[]): SettingTexts {
  const found: Record<string, string> = {};
  let secretMissing = false;
  for (let index = 0; index < list.length; index++) {
    const [, name = '', joined] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(list[index] ?? '') ?? [];
    const setting = byFlag.get(name);
    if (setting === undefined) {
      // What is not a flag may be a value, so it is not repeated; nor is what follows a secret whose value is missing.
      mistakes.push(name === '' || secretMissing ? `argument ${index + 1}: not a flag` : `--${name}: no such flag`);
      continue;
    }
    let value = joined;
    if (value === undefined && list[index + 1]?.startsWith('--') === false) value = list[++index];
    if (value === undefined && setting.json === 'boolean') value = 'true';
    secretMissing = value === undefined && setting.secret === true;
    if (value === undefined) mistakes.push(`--${name}: a value is missing`);
    else if (setting.variable in found) mistakes.push(`--${name}: given twice`);
    else found[setting.variable] = value;
  }
  return found;
}

// Kubernetes puts the addresses of all Services into every container, under names made of theirs:
// https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
const linkName = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const linkAddress = /^(?:tcp|udp|sctp):\/\//;

/** The variables of settings. Addresses of Services would be taken for settings when a Service is called `vds-proxy`. */
function readEnvironment(environment: SettingSources['environment'], mistakes: string[]): SettingTexts {
  const isLink = (name: string, value = '') =>
    linkName.test(name) || (name.endsWith('_PORT') && linkAddress.test(value));
  const texts: Record<string, string | undefined> = {};
  for (const { variable, alsoVariables, secret } of settings) {
    const values = [variable, ...alsoVariables].map((name) => environment[name]);
    texts[variable] = values.find((value) => value !== undefined && value !== '' && !isLink(variable, value));
    if (secret) texts[`${variable}_FILE`] = environment[`${variable}_FILE`] || undefined;
  }
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('VDS_') && !(name in texts) && !isLink(name, value)) mistakes.push(`${name}: no such setting`);
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
      const setting = byFlag.get(key);
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
    ([brand, section]) => [brand, readSection(section, 'by-brand: ', (setting) => setting.byBrand)] as const,
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

/** The first layer that has a setting decides; a secret can be there itself or be named by its file, but not both. */
function merge(
  layers: readonly SettingTexts[],
  readText: (path: string, name: string) => string | null,
  mistakes: string[],
): SettingTexts {
  const merged: Record<string, string> = {};
  for (const { variable } of settings) {
    const pathName = `${variable}_FILE`;
    const layer = layers.find((each) => each[variable] !== undefined || each[pathName] !== undefined) ?? {};
    const { [variable]: value, [pathName]: path } = layer;
    const text = path === undefined ? value : readText(path, pathName)?.trim();
    if (value !== undefined && path !== undefined) mistakes.push(`${variable}: given twice, as a value and as a file`);
    else if (text !== undefined) merged[variable] = text;
  }
  return merged;
}
