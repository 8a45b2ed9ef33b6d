import { ask, readInput } from '../ask.js';
import { type SecretStore, writeConfig } from '../config/config-file.js';
import { forgetFile, forgetInKeyring, keepSecret } from '../config/secrets.js';
import type { Context } from '../context.js';
import { brands as contractBrands } from '../generated/commands.js';

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
  const where = await keepSecret(streams.env, profileName, kind, secret, store);
  const { brand, brands, baseUrl } = context;
  const { zone = profile.zone } = options;
  // A keyring that is gone must not keep the profile from moving to a file.
  const failure = store === 'file' ? await forgetInKeyring(profileName, profile) : undefined;
  const kept = { store, kind, ...(failure && { mayBeInKeyring: true }) } as const;
  // Those of the contract may change with it.
  const own = brands === contractBrands ? {} : { brands };
  const next = { ...(brand && { brand }), ...own, ...(zone && { zone }), baseUrl, secret: kept };
  await writeConfig(streams.env, { ...config, profiles: { ...config.profiles, [profileName]: next } });
  if (failure) output.note(`Note: ${failure.message}.`);
  // The environment and a token command are stronger than a profile.
  const used = await context.credentials().catch(() => null);
  if (used !== null && used.from !== where) output.note(`Note: ${used.from} is set and is used instead.`);
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

export async function logout(context: Context): Promise<void> {
  const { streams, profileName, profile, config, output } = context;
  await forgetFile(streams.env, profileName);
  const failure = await forgetInKeyring(profileName, profile);
  const { secret, ...rest } = profile;
  // A profile that has moved to a file cannot do more.
  if (failure && secret?.store === 'keyring') throw failure;
  await writeConfig(streams.env, { ...config, profiles: { ...config.profiles, [profileName]: rest } });
  output.record({ profile: profileName, mayBeInKeyring: failure !== undefined }, () => [
    failure
      ? `The file is deleted, but ${failure.message}, in the entry vehicle-data-cli.`
      : `The secret of the profile ${profileName} is gone from this machine.`,
  ]);
}
