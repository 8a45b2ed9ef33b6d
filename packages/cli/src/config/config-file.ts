import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { replaceFile } from '#kit/replace-file.js';
import { CliError, usageError } from '../cli-error.js';
import { brands as contractBrands, vinPattern } from '../generated/commands.js';

export type SecretStore = 'keyring' | 'file';

export interface Profile {
  readonly baseUrl?: string;
  readonly brand?: string;
  /** The brands of the deployment. Default: the contract's. */
  readonly brands?: readonly string[];
  readonly zone?: string;
  /** Where `vds auth login` put the secret, and which header it is for. */
  readonly secret?: {
    readonly store: SecretStore;
    readonly kind: 'access-token' | 'api-key';
    /** An earlier secret could not be deleted from the keyring. */
    readonly mayBeInKeyring?: boolean;
  };
}

/** The configuration file. It holds VINs (the aliases), so only its owner may read it. */
export interface ConfigFile {
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Name → VIN. */
  readonly aliases: Readonly<Record<string, string>>;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The folder of the configuration: `VDS_CONFIG_DIR`, else `vds` in the user's configuration folder. An empty variable is an unset one. */
export function configFolder(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(env['HOME'] || homedir(), '.config');
  return env['VDS_CONFIG_DIR'] || join(base, 'vds');
}

export const configPath = (env: NodeJS.ProcessEnv) => join(configFolder(env), 'config.json');

/**
 * Reads the configuration file; an absent one is an empty one.
 * @throws CliError that names the member which is wrong, without its value.
 */
export async function readConfig(env: NodeJS.ProcessEnv): Promise<ConfigFile> {
  const path = configPath(env);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isObject(error) && error['code'] === 'ENOENT') return '{}';
    throw new CliError('config-unreadable', `the configuration file ${path} cannot be read`);
  });
  const wrong = (place: string) => usageError(`${path}: ${place}`, 'Fix the file, or delete it and start again.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('the file is not JSON');
  }
  if (!isObject(value)) throw wrong('the file holds no object');
  const { profiles = {}, aliases = {}, ...unknown } = value;
  for (const name of Object.keys(unknown)) throw wrong(`"${name}" is not a member of this file`);
  if (!isObject(profiles) || !isObject(aliases)) throw wrong('"profiles" and "aliases" must be objects');
  // Without a prototype, no name of the file or of the command line is one of its members.
  const config: { profiles: Record<string, Profile>; aliases: Record<string, string> } = {
    profiles: Object.create(null),
    aliases: Object.create(null),
  };
  for (const [name, profile] of Object.entries(profiles)) {
    if (isProfile(profile, (place) => wrong(`profiles.${name}${place}`))) config.profiles[name] = profile;
  }
  for (const [name, vin] of Object.entries(aliases)) {
    if (typeof vin !== 'string' || !vinPattern.test(vin)) throw wrong(`aliases.${name} must be a VIN`);
    config.aliases[name] = vin;
  }
  return config;
}

const isOneOf = (value: unknown, ...values: readonly unknown[]) => values.includes(value);
const isSecret = (value: unknown) =>
  isObject(value) &&
  isOneOf(value['store'], 'keyring', 'file') &&
  isOneOf(value['kind'], 'access-token', 'api-key') &&
  isOneOf(value['mayBeInKeyring'], undefined, false, true);

/** Whether a value is a profile. @throws what `wrong` makes of the place and the rule that it breaks. */
function isProfile(value: unknown, wrong: (place: string) => Error): value is Profile {
  if (!isObject(value)) throw wrong(' must be an object');
  const { baseUrl, brand, brands, zone, secret, ...unknown } = value;
  for (const name of Object.keys(unknown)) throw wrong(`.${name} is not known`);
  for (const [name, member] of Object.entries({ baseUrl, brand, zone }))
    if (member !== undefined && typeof member !== 'string') throw wrong(`.${name} must be a string`);
  if (brands !== undefined && !(Array.isArray(brands) && brands.length > 0 && brands.every(isBrandName)))
    throw wrong('.brands must be a list of brand names');
  if (secret !== undefined && !isSecret(secret)) throw wrong('.secret must name a store and a kind');
  return true;
}

/** Replaces the configuration file in one step, readable by its owner alone. */
export const writeConfig = (env: NodeJS.ProcessEnv, config: ConfigFile) =>
  writePrivately(configPath(env), `${JSON.stringify(config, null, 2)}\n`);

/** Writes a file that only its owner can read, in one step: a crash leaves the old file or the new one. */
export async function writePrivately(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await replaceFile(path, text);
  } catch (error) {
    const reason = isObject(error) ? error['code'] : 'unknown reason';
    const hint = 'Choose another folder with VDS_CONFIG_DIR.';
    throw new CliError('config-unwritable', `${path} cannot be written (${reason})`, { hint });
  }
}

const isBrandName = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);

/** The brands of the deployment: an option, else the profile, else the contract's. */
export function readBrands(option: string | undefined, profile: Profile): readonly string[] {
  if (option === undefined) return profile.brands ?? contractBrands;
  const names = option.split(',');
  if (!names.every(isBrandName)) throw usageError('--brands must be names separated by commas, without spaces');
  return names;
}

export function readBrand(text: string, brands: readonly string[]): string {
  if (brands.includes(text)) return text;
  const hint = `Use one of ${brands.join(', ')}. Other brands: --brands, VDS_BRANDS, or vds auth login --brands …`;
  const owner = brands === contractBrands ? 'the contract' : 'this service';
  throw usageError(`the brand is not one of ${owner}`, hint);
}
