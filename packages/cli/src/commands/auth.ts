import { ask, readInput } from '../ask.js';
import { type SecretStore, writeConfig } from '../config/config-file.js';
import { forgetInKeyring, forgetSecret, keepSecret } from '../config/secrets.js';
import type { Context } from '../context.js';

/** Keeps an access token or API key, read from the terminal without echo or from standard input. */
export async function login(
  context: Context,
  options: { readonly store?: SecretStore; readonly apiKey?: boolean; readonly zone?: string },
): Promise<void> {
  const { streams, profileName, profile, config, output } = context;
  const kind = options.apiKey === true ? 'api-key' : 'access-token';
  const { store = profile.secret?.store ?? 'keyring' } = options;
  const secret =
    streams.stdin.isTTY === true
      ? await ask(streams, kind === 'api-key' ? 'API key: ' : 'Access token: ', true)
      : await readInput(streams);
  const where = await keepSecret(streams.env, profileName, secret, store);
  const { brand, baseUrl } = context;
  const { zone = profile.zone } = options;
  const next = { ...(brand && { brand }), ...(zone && { zone }), baseUrl, secret: { store, kind } } as const;
  await writeConfig(streams.env, { ...config, profiles: { ...config.profiles, [profileName]: next } });
  // A keyring that is gone must not keep the profile from moving to a file.
  if (store === 'file')
    await forgetInKeyring(profileName, profile).catch(({ message }: Error) => output.note(`Note: ${message}.`));
  output.record({ profile: profileName, kept: where }, () => [`Kept in ${where} for the profile ${profileName}.`]);
}

/** Says which profile is used, where its secret is, and never the secret. */
export async function status(context: Context): Promise<void> {
  const { profileName, output, baseUrl, brand } = context;
  const { kind = 'none', from = null } = (await context.credentials()) ?? {};
  const shown = { profile: profileName, baseUrl, brand: brand ?? null, credentials: kind, from };
  output.record(shown, () => [
    `profile      ${profileName}`,
    `address      ${baseUrl}`,
    `brand        ${brand ?? 'none'}`,
    `credentials  ${kind}${from === null ? '' : `, from ${from}`}`,
  ]);
}

/** Forgets the secret of the profile. */
export async function logout(context: Context): Promise<void> {
  const { streams, profileName, profile, config, output } = context;
  await forgetSecret(streams.env, profileName, profile);
  const { secret: _, ...rest } = profile;
  await writeConfig(streams.env, { ...config, profiles: { ...config.profiles, [profileName]: rest } });
  output.record({ profile: profileName }, () => [
    `The secret of the profile ${profileName} is gone from this machine.`,
  ]);
}
