import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, usageError } from '../cli-error.js';
import { brands, vinPattern } from '../generated/commands.js';

/** Where a secret is kept. */
export type SecretStore = 'keyring' | 'file';

/** Settings of one profile. */
export interface Profile {
  readonly baseUrl?: string;
  readonly brand?: string;
  readonly zone?: string;
  /** Where `vds auth login` put the secret, and which header it is for. */
  readonly secret?: { readonly store: SecretStore; readonly kind: 'access-token' | 'api-key' };
}

/** The configuration file. It holds VINs (the aliases), so only its owner may read it. */
export interface ConfigFile {
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Name → VIN. */
  readonly aliases: Readonly<Record<string, string>>;
}

const profileMembers = new Set(['baseUrl', 'brand', 'zone', 'secret']);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The folder of the configuration: `VDS_CONFIG_DIR`, else `vds` in the user's configuration folder. */
export function configFolder(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? join(env['HOME'] ?? homedir(), '.config');
  return env['VDS_CONFIG_DIR'] ?? join(base, 'vds');
}

export const configPath = (env: NodeJS.ProcessEnv) => env['VDS_CONFIG_FILE'] ?? join(configFolder(env), 'config.json');

/**
 * Reads the configuration file; an absent one is an empty one.
 * @throws CliError that names the member which is wrong, without its value.
 */
export async function readConfig(env: NodeJS.ProcessEnv): Promise<ConfigFile> {
  const path = configPath(env);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isObject(error) && error['code'] === 'ENOENT') return { profiles: {}, aliases: {} };
    throw new CliError('config-unreadable', `the configuration file ${path} cannot be read`);
  }
  const wrong = (place: string) => usageError(`${path}: ${place}`, 'Fix the file, or delete it and start again.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('the file is not JSON');
  }
  const { profiles = {}, aliases = {}, ...unknown } = isObject(value) ? value : { '': 1 };
  const [stray] = Object.keys(unknown);
  if (stray !== undefined) throw wrong(`"${stray}" is not a member of this file`);
  if (!isObject(profiles) || !isObject(aliases)) throw wrong('"profiles" and "aliases" must be objects');
  return {
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, profile]) => [
        name,
        readProfile(profile, (place) => wrong(`profiles.${name}${place}`)),
      ]),
    ),
    aliases: Object.fromEntries(
      Object.entries(aliases).map(([name, vin]) => {
        if (typeof vin !== 'string' || !vinPattern.test(vin)) throw wrong(`aliases.${name} must be a VIN`);
        return [name, vin];
      }),
    ),
  };
}

function readProfile(value: unknown, wrong: (place: string) => Error): Profile {
  if (!isObject(value)) throw wrong(' must be an object');
  for (const name of Object.keys(value)) if (!profileMembers.has(name)) throw wrong(`.${name} is not known`);
  const { baseUrl, brand, zone, secret } = value;
  for (const [name, member] of Object.entries({ baseUrl, brand, zone }))
    if (member !== undefined && typeof member !== 'string') throw wrong(`.${name} must be a string`);
  const store = isObject(secret) ? secret['store'] : undefined;
  const kind = isObject(secret) ? secret['kind'] : undefined;
  if (
    secret !== undefined &&
    !((store === 'keyring' || store === 'file') && (kind === 'access-token' || kind === 'api-key'))
  )
    throw wrong('.secret must name a store and a kind');
  return {
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
    ...(typeof brand === 'string' ? { brand } : {}),
    ...(typeof zone === 'string' ? { zone } : {}),
    ...((store === 'keyring' || store === 'file') && (kind === 'access-token' || kind === 'api-key')
      ? { secret: { store, kind } }
      : {}),
  };
}

/** Replaces the configuration file in one step, readable by its owner alone. */
export async function writeConfig(env: NodeJS.ProcessEnv, config: ConfigFile): Promise<void> {
  await writePrivately(configPath(env), `${JSON.stringify(config, null, 2)}\n`);
}

/** Writes a file that only its owner can read, in one step: a crash leaves the old file or the new one. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  const mode = await stat(path).then(
    ({ mode: bits }) => bits & 0o600,
    () => 0o600,
  );
  await chmod(temporary, mode);
  await rename(temporary, path);
}

/** The brand of the contract that a word names. */
export function readBrand(text: string): (typeof brands)[number] {
  const brand = brands.find((name) => name === text);
  if (brand === undefined) throw usageError('the brand is not one of the contract', `Use one of ${brands.join(', ')}.`);
  return brand;
}
