import type { VehicleDataClient } from '@vehicle-data/client';
import { didYouMean, usageError } from './cli-error.js';
import { type ConfigFile, type Profile, readBrand, readConfig } from './config/config-file.js';
import { type Credentials, findCredentials } from './config/secrets.js';
import { type Brand, vinPattern } from './generated/commands.js';
import { Output } from './output/output.js';
import type { Streams } from './streams.js';

/** The options that every command has. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly brand?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly timeoutMs: string;
  /** Whether the brand stands on the command line. */
  readonly isBrandTyped: boolean;
}

const defaultBaseUrl = 'http://127.0.0.1:8787';

/** One run of a command: options, which the environment may give as well, and the configuration file. */
export class Context {
  readonly streams: Streams;
  readonly output: Output;
  readonly profileName: string;
  readonly profile: Profile;
  readonly config: ConfigFile;
  readonly baseUrl: string;
  readonly brand: Brand | undefined;
  readonly isBrandTyped: boolean;
  readonly #timeoutMs: number;

  private constructor(streams: Streams, output: Output, config: ConfigFile, options: GlobalOptions) {
    this.streams = streams;
    this.output = output;
    this.config = config;
    this.profileName = options.profile ?? 'default';
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(this.profileName))
      throw usageError('the profile must be 1 to 40 letters, digits, - or _');
    this.profile = config.profiles[this.profileName] ?? {};
    this.baseUrl = readBaseUrl(options.baseUrl ?? this.profile.baseUrl ?? defaultBaseUrl);
    const brand = options.brand ?? this.profile.brand;
    this.brand = brand === undefined ? undefined : readBrand(brand);
    this.isBrandTyped = options.isBrandTyped;
    this.#timeoutMs = readNumber(options.timeoutMs, '--timeout-ms', 1, 600_000);
  }

  static async create(streams: Streams, options: GlobalOptions): Promise<Context> {
    return new Context(streams, new Output(streams, options), await readConfig(streams.env), options);
  }

  get signal(): AbortSignal {
    return this.streams.signal;
  }

  /** The zone of dates: an option, `VDS_ZONE`, the profile, else UTC. */
  zone(option: string | undefined): string {
    return option ?? this.streams.env['VDS_ZONE'] ?? this.profile.zone ?? 'UTC';
  }

  /** The brand of this run. Without one there is nothing to call. */
  requireBrand(): Brand {
    if (this.brand === undefined)
      throw usageError('no brand is set', 'Use --brand, VDS_BRAND, or: vds auth login --brand …');
    return this.brand;
  }

  credentials(): Promise<Credentials | null> {
    return findCredentials(this.streams.env, this.profileName, this.profile);
  }

  /** The SDK with the settings of this run. */
  async client(): Promise<VehicleDataClient> {
    const brand = this.requireBrand();
    const { createVehicleDataClient } = await import('@vehicle-data/client');
    const credentials = await this.credentials();
    return createVehicleDataClient({
      baseUrl: this.baseUrl,
      brand,
      timeoutMs: this.#timeoutMs,
      headers: { 'User-Agent': 'vds' },
      signal: this.signal,
      ...(credentials?.kind === 'api-key' ? { apiKey: credentials.value } : {}),
      // Without a secret none is sent on purpose: the proxy may add its own.
      accessToken: credentials?.kind === 'access-token' ? credentials.value : null,
    });
  }

  /** The VIN that an argument names: an alias or a VIN. The message of an error never repeats it. */
  vin(text: string): string {
    const vin = this.config.aliases[text];
    if (vin !== undefined) return vin;
    if (vinPattern.test(text)) return text;
    const hint = didYouMean(text, Object.keys(this.config.aliases)) ?? 'Make an alias first: vds alias set NAME';
    throw usageError('the vehicle is neither an alias nor a VIN of 17 letters and digits', hint);
  }

  /** The alias of a VIN, where it has one. */
  aliasOf(vin: string): string | undefined {
    return Object.entries(this.config.aliases).find(([, each]) => each === vin)?.[0];
  }
}

function readBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\/[^@?#]+$/.test(text))
    throw usageError('the base address must be http:// or https:// without user, query and fragment');
  return text.replace(/\/+$/, '');
}

/** A whole number of an option. */
export function readNumber(text: string, option: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least || value > most)
    throw usageError(`${option} must be a whole number from ${least} to ${most}`);
  return value;
}
