import { CliError, didYouMean, usageError } from './cli-error.js';
import { readBrand, readBrands, readConfig } from './config/config-file.js';
import { type Credentials, findCredentials } from './config/secrets.js';
import { vinPattern } from './generated/commands.js';
import { Output } from './output/output.js';
import type { Streams } from './streams.js';

export interface GlobalOptions {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly brand?: string;
  readonly brands?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly columns?: string;
  readonly timeoutMs: string;
  readonly tokenCommand?: string;
}

/** One run of a command: options, which the environment may give as well, and the configuration file. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** @param isBrandTyped Whether the brand stands on the command line. */
export async function createContext(streams: Streams, options: GlobalOptions, isBrandTyped: boolean) {
  const { env, signal } = streams;
  const config = await readConfig(env);
  const profileName = options.profile ?? 'default';
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(profileName))
    throw usageError('the profile must be 1 to 40 letters, digits, - or _');
  const profile = config.profiles[profileName] ?? {};
  const baseUrl = readBaseUrl(options.baseUrl ?? profile.baseUrl ?? 'http://127.0.0.1:8787');
  const brands = readBrands(options.brands, profile);
  const brandName = options.brand ?? profile.brand;
  const brand = brandName === undefined ? undefined : readBrand(brandName, brands);
  const timeoutMs = readNumber(options.timeoutMs, '--timeout-ms', 1, 600_000);
  const { tokenCommand } = options;
  const credentials = () => findCredentials({ env, profileName, profile, tokenCommand, signal });

  /** The brand of this run. Without one there is nothing to call. */
  function requireBrand(): string {
    if (brand !== undefined) return brand;
    throw usageError('no brand is set', 'Use --brand, VDS_BRAND, or: vds auth login --brand …');
  }

  /** The client of this run: one, so that its calls share a renewed token. */
  let made: ReturnType<typeof createClient> | undefined;
  const client = () => {
    made ??= createClient();
    return made;
  };

  async function createClient() {
    const required = requireBrand();
    const secret = await credentials();
    const { createVehicleDataClient } = await import('@vehicle-data/client');
    return createVehicleDataClient({
      baseUrl,
      brands,
      brand: required,
      timeoutMs,
      headers: { 'User-Agent': 'vds' },
      signal,
      ...(secret?.kind === 'api-key' ? { apiKey: secret.value } : {}),
      // Without a secret none is sent on purpose: the proxy may add its own.
      accessToken: secret?.kind === 'access-token' ? tokenSourceOf(secret) : null,
    });
  }

  return {
    streams,
    signal,
    output: new Output(streams, options),
    config,
    profileName,
    profile,
    baseUrl,
    /** Whose vehicles an archive holds: accounts at one address are different profiles. */
    source: profileName === 'default' ? baseUrl : `${baseUrl}#${profileName}`,
    brand,
    brands,
    isBrandTyped,
    requireBrand,
    credentials,
    client,
    /** The vehicles that share data. Purges follow it, so a list that is not whole counts as none. */
    async vehicles() {
      const { vehicles } = await (await client()).listVehicles({ signal });
      // The SDK reads tolerantly.
      if (vehicles.every((one: { readonly vin?: unknown } | null) => typeof one?.vin === 'string')) return vehicles;
      throw new CliError('malformed-list', 'the list of vehicles has an entry without a VIN');
    },
    /** The zone of dates: an option, `VDS_ZONE`, the profile, else UTC. */
    zone: (option: string | undefined) => option ?? (env['VDS_ZONE'] || profile.zone || 'UTC'),

    /** The VIN that an argument names: an alias or a VIN. The message of an error never repeats it. */
    vin(text: string): string {
      const vin = config.aliases[text];
      if (vin !== undefined) return vin;
      if (vinPattern.test(text)) return text;
      const hint = didYouMean(text, Object.keys(config.aliases)) ?? 'Make an alias first: vds alias set NAME';
      throw usageError('the vehicle is neither an alias nor a VIN of 17 letters and digits', hint);
    },

    /** VINs by their aliases. */
    aliases: config.aliases,

    aliasOf: (vin: string) => Object.entries(config.aliases).find(([, each]) => each === vin)?.[0],
  };
}

/** The token of a run. One that can be renewed is, once for all calls, when the API rejects it. */
function tokenSourceOf({ value, renew }: Credentials) {
  if (renew === undefined) return value;
  return ({ refresh }: { readonly refresh: boolean }) => (refresh ? renew() : value);
}

function readBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\/[^@?#]+$/.test(text))
    throw usageError('the base address must be http:// or https:// without user, query and fragment');
  return text.replace(/\/+$/, '');
}

export function readNumber(text: string, option: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least || value > most)
    throw usageError(`${option} must be a whole number from ${least} to ${most}`);
  return value;
}
