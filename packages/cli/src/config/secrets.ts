import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { configFolder, type Profile, type SecretStore, writePrivately } from './config-file.js';
import { runTokenCommand } from './token-command.js';

/** How a run proves itself, and where the secret came from. */
export interface Credentials {
  readonly kind: 'access-token' | 'api-key';
  readonly value: string;
  /** For people: `VDS_ACCESS_TOKEN`, `the OS keyring`, a file name. */
  readonly from: string;
  /** Reads the secret again, after the API has rejected it. Absent where it would be the same. */
  readonly renew?: () => Promise<string>;
}

/** Where the secret of a run may be. */
export interface SecretPlaces {
  readonly env: NodeJS.ProcessEnv;
  readonly profileName: string;
  readonly profile: Profile;
  /** `--token-command` or `VDS_TOKEN_COMMAND`. */
  readonly tokenCommand: string | undefined;
  readonly signal: AbortSignal;
}

const longestSecret = 8192;

/** The entry of a profile in the OS keyring. @throws where the package or the keyring is missing. */
async function keyringEntry(profile: string) {
  const { Entry } = await import('@napi-rs/keyring');
  return new Entry('vehicle-data-cli', profile);
}

const fileOf = (env: NodeJS.ProcessEnv, profile: string) => join(configFolder(env), `secret-${profile}`);

const readText = (path: string, from: string) =>
  readFile(path, 'utf8').catch(() => {
    throw usageError(`${from} cannot be read`);
  });

/** What a secret is made of: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 for tokens. */
const forms = {
  'access-token': [/^[\w~+/.-]+=*$/, 'an access token without "Bearer"'],
  'api-key': [/^[\x21-\x7e]+$/, 'an API key of visible ASCII characters'],
} as const;

/** Reads a secret from a file or an environment value. The message of an error never holds it. */
function readSecret(kind: Credentials['kind'], text: string, source: string): string {
  const secret = text.trim();
  const [form, words] = forms[kind];
  if (!form.test(secret) || secret.length > longestSecret)
    throw usageError(`the secret from ${source} must be ${words}, at most ${longestSecret} long`);
  return secret;
}

/**
 * Finds the secret of a run: the token command first, then a file or an environment variable, then where `vds auth login` put it.
 * Returns `null` when there is none, which is right for a proxy that asks for none.
 */
export async function findCredentials(places: SecretPlaces): Promise<Credentials | null> {
  const { env, profileName, profile, tokenCommand, signal } = places;
  if (tokenCommand !== undefined) {
    const from = 'the token command';
    const ask = async (refresh: boolean) =>
      readSecret('access-token', await runTokenCommand(tokenCommand, env, refresh, signal), from);
    return { kind: 'access-token', value: await ask(false), from, renew: () => ask(true) };
  }
  const given = await fromEnvironment(env);
  if (given !== undefined) return given;
  const { secret } = profile;
  if (secret === undefined) return null;
  const missing = (message: string) =>
    new CliError('secret-missing', message, { hint: 'Run "vds auth login" again.', exitCode: exitCodes.usage });
  if (secret.store === 'keyring') {
    const from = 'the OS keyring';
    const value = await keyringEntry(profileName)
      .then((entry) => entry.getPassword())
      .catch(() => null);
    if (value === null) throw missing(`${from} no longer holds the secret of this profile`);
    return { kind: secret.kind, value: readSecret(secret.kind, value, from), from };
  }
  const from = fileOf(env, profileName);
  const about = await stat(from).catch(() => null);
  if (about === null) throw missing(`${from} is missing`);
  if ((about.mode & 0o077) !== 0 && process.platform !== 'win32')
    throw usageError(`${from} can be read by others`, `Run: chmod 600 ${from}`);
  return { kind: secret.kind, value: readSecret(secret.kind, await readText(from, from), from), from };
}

/** The secret that the environment states, or a file that it names. */
async function fromEnvironment(env: NodeJS.ProcessEnv): Promise<Credentials | undefined> {
  for (const [kind, variable] of [
    ['api-key', 'VDS_API_KEY'],
    ['access-token', 'VDS_ACCESS_TOKEN'],
  ] as const) {
    const file = env[`${variable}_FILE`];
    if (file) {
      const from = `the file of ${variable}_FILE`;
      // Whoever renews the token writes the file again.
      const renew = async () => readSecret(kind, await readText(file, from), from);
      return { kind, value: await renew(), from, renew };
    }
    const value = env[variable];
    if (value) return { kind, value: readSecret(kind, value, variable), from: variable };
  }
  return undefined;
}

export const forgetFile = (env: NodeJS.ProcessEnv, profile: string) => rm(fileOf(env, profile), { force: true });

/**
 * Forgets what a profile keeps in the keyring. Configurations share it: of another profile nothing is forgotten.
 * @returns why that failed
 */
export async function forgetInKeyring(profileName: string, { secret }: Profile): Promise<CliError | undefined> {
  if (secret?.store !== 'keyring' && secret?.mayBeInKeyring !== true) return undefined;
  try {
    (await keyringEntry(profileName)).deletePassword();
    return undefined;
  } catch {
    const message = 'the OS keyring cannot be used and may still hold a secret of this profile';
    const hint =
      'Unlock it, then run the same command again. If that is impossible, run first: vds auth login --store file';
    return new CliError('keyring-failed', message, { hint });
  }
}

/** Keeps the secret of a profile in the keyring and no longer in a file, or in a file when that was asked for. */
export async function keepSecret(
  env: NodeJS.ProcessEnv,
  profile: string,
  kind: Credentials['kind'],
  text: string,
  store: SecretStore,
): Promise<string> {
  const secret = readSecret(kind, text, 'standard input');
  if (store === 'file') {
    const path = fileOf(env, profile);
    await writePrivately(path, `${secret}\n`);
    return path;
  }
  try {
    // Without a running service, some keyrings read nothing and fail at the first write.
    (await keyringEntry(profile)).setPassword(secret);
  } catch {
    throw new CliError('no-keyring', 'this machine has no OS keyring that vds can use', {
      hint: 'Set VDS_ACCESS_TOKEN_FILE, or keep the secret in a file of mode 0600: vds auth login --store file',
      exitCode: exitCodes.usage,
    });
  }
  await forgetFile(env, profile);
  return 'the OS keyring';
}
