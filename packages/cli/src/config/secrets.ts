import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, usageError } from '../cli-error.js';
import { configFolder, type Profile, type SecretStore, writePrivately } from './config-file.js';

/** How a run proves itself, and where the secret came from. */
export interface Credentials {
  readonly kind: 'access-token' | 'api-key';
  readonly value: string;
  /** For people: `VDS_ACCESS_TOKEN`, `the OS keyring`, a file name. */
  readonly from: string;
}

const service = 'vehicle-data-cli';
const longestSecret = 8192;

interface KeyringEntry {
  getPassword(): string | null;
  setPassword(secret: string): void;
  deletePassword(): boolean;
}

/** The entry of a profile in the OS keyring; `null` where there is no keyring. */
async function keyringEntry(profile: string): Promise<KeyringEntry | null> {
  try {
    const { Entry } = await import('@napi-rs/keyring');
    const entry = new Entry(service, profile);
    entry.getPassword();
    return entry;
  } catch {
    return null;
  }
}

/** Returns whether the keyring took the secret: without a running service, some read nothing and fail at the first write. */
async function keepInKeyring(profile: string, secret: string): Promise<boolean> {
  const entry = await keyringEntry(profile);
  try {
    entry?.setPassword(secret);
    return entry !== null;
  } catch {
    return false;
  }
}

const fileOf = (env: NodeJS.ProcessEnv, profile: string) => join(configFolder(env), `secret-${profile}`);

/** Reads a secret from a file or an environment value. The message of an error never holds it. */
function readSecret(text: string, source: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longestSecret)
    throw usageError(`the secret from ${source} must be 1 to ${longestSecret} visible ASCII characters`);
  return secret;
}

/**
 * Finds the secret of a run: a file or an environment variable first, then where `vds auth login` put it.
 * Returns `null` when there is none, which is right for a proxy that asks for none.
 */
export async function findCredentials(
  env: NodeJS.ProcessEnv,
  profileName: string,
  profile: Profile,
): Promise<Credentials | null> {
  for (const [kind, variable] of [
    ['api-key', 'VDS_API_KEY'],
    ['access-token', 'VDS_ACCESS_TOKEN'],
  ] as const) {
    const file = env[`${variable}_FILE`];
    if (file !== undefined) {
      const text = await readFile(file, 'utf8').catch(() => {
        throw usageError(`the file of ${variable}_FILE cannot be read`);
      });
      return { kind, value: readSecret(text, `${variable}_FILE`), from: `the file of ${variable}_FILE` };
    }
    const value = env[variable];
    if (value !== undefined && value !== '') return { kind, value: readSecret(value, variable), from: variable };
  }
  const { secret } = profile;
  if (secret === undefined) return null;
  if (secret.store === 'keyring') {
    const value = (await keyringEntry(profileName))?.getPassword() ?? null;
    if (value === null) {
      throw new CliError('secret-missing', 'the OS keyring no longer holds the secret of this profile', {
        hint: 'Run "vds auth login" again.',
        exitCode: 4,
      });
    }
    return { kind: secret.kind, value: readSecret(value, 'the OS keyring'), from: 'the OS keyring' };
  }
  const path = fileOf(env, profileName);
  const about = await stat(path).catch(() => null);
  if (about === null)
    throw new CliError('secret-missing', `${path} is missing`, { hint: 'Run "vds auth login" again.', exitCode: 4 });
  if ((about.mode & 0o077) !== 0 && process.platform !== 'win32')
    throw usageError(`${path} can be read by others`, `Run: chmod 600 ${path}`);
  return { kind: secret.kind, value: readSecret(await readFile(path, 'utf8'), path), from: path };
}

/** Keeps a secret. The keyring is the default; a file only when it was asked for. */
export async function keepSecret(
  env: NodeJS.ProcessEnv,
  profile: string,
  text: string,
  store: SecretStore,
): Promise<string> {
  const secret = readSecret(text, 'standard input');
  if (store === 'file') {
    const path = fileOf(env, profile);
    await writePrivately(path, `${secret}\n`);
    return path;
  }
  if (!(await keepInKeyring(profile, secret))) {
    throw new CliError('no-keyring', 'this machine has no OS keyring that vds can use', {
      hint: 'Set VDS_ACCESS_TOKEN_FILE, or keep the secret in a file of mode 0600: vds auth login --store file',
      exitCode: 4,
    });
  }
  return 'the OS keyring';
}

/** Forgets the secret of a profile wherever it is. */
export async function forgetSecret(env: NodeJS.ProcessEnv, profile: string): Promise<void> {
  await rm(fileOf(env, profile), { force: true });
  const entry = await keyringEntry(profile);
  if (entry !== null && entry.getPassword() !== null) entry.deletePassword();
}
