// What `vds-sandbox` gets from the command line and the environment. Only here do names of the environment become options.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type FlagKind, readArguments } from '#kit/arguments.js';
import * as kind from '#kit/settings/kinds.js';
import { type Environment, flagsOf, readPlace, textsOfEnvironment, textsOfFlags } from '#kit/settings/read.js';
import { settingTable } from '#kit/settings/table.js';
import type { SandboxOptions } from '../options.js';

const settings = settingTable(
  'VDS_SANDBOX_',
  {
    Server: {
      VDS_SANDBOX_HOST: v.optional(kind.text, '127.0.0.1'),
      VDS_SANDBOX_PORT: v.optional(kind.integer(0, 65_535), '8788'),
      VDS_SANDBOX_STATE: v.optional(kind.file),
      VDS_SANDBOX_ACCESS_TOKEN_LIFETIME_S: v.optional(kind.integer(0, 1e9), '3600'),
      VDS_SANDBOX_REFRESH_TOKEN_LIFETIME_S: v.optional(kind.integer(0, 1e9), '7776000'),
    },
    Fleet: {
      VDS_SANDBOX_SEED: v.optional(kind.integer(0, 2_147_483_647)),
      VDS_SANDBOX_VEHICLES: v.optional(kind.integer(0, 1_000_000)),
      VDS_SANDBOX_BRANDS: v.optional(kind.names),
      VDS_SANDBOX_SENSOR_NOISE: v.optional(kind.boolean),
    },
    'Page of an owner': {
      VDS_SANDBOX_OWNER_PROXY: v.optional(kind.url),
      VDS_SANDBOX_OWNER_WHO: v.optional(kind.file),
      VDS_SANDBOX_OWNER_RECEIPTS: v.optional(kind.file),
    },
  },
  { variables: { VDS_SANDBOX_HOST: ['HOST'], VDS_SANDBOX_PORT: ['PORT'] } },
);

const flags: ReadonlyMap<string, FlagKind> = new Map([
  ...flagsOf(settings),
  ...(['vin', 'month', 'out'] as const).map((name) => [name, 'value'] as const),
  ...(['help', 'version'] as const).map((name) => [name, 'switch'] as const),
]);

/** What a run is to do. */
export interface Command {
  readonly words: readonly string[];
  /** Values of flags that are no settings; of those without a value, `true` as text. */
  readonly given: Readonly<Record<string, string>>;
  /** What is wrong, each naming its flag or variable and never its value. */
  readonly mistakes: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly stateFile: string | undefined;
  readonly fleet: Pick<SandboxOptions, 'seed' | 'vehicles' | 'brands' | 'sensorNoise'>;
  readonly tokenLifetimes: NonNullable<SandboxOptions['tokenLifetimes']>;
  /** Where the page of an owner has from what it shows: an address, a program and a folder. */
  readonly owner: Readonly<Record<'proxyUrl' | 'who' | 'receipts', string | undefined>>;
}

/** Reads flags and variables; a flag wins. */
export function readCommand(list: readonly string[], environment: Environment): Command {
  const { values: given, words, mistakes } = readArguments(list, flags, true);
  const fromFlags = textsOfFlags(settings, given, mistakes);
  const { values } = readPlace(settings, [fromFlags, textsOfEnvironment(settings, environment)], {
    readFile: (path) => readFileSync(path, 'utf8'),
    mistakes,
    nameOf: (variable) =>
      variable in fromFlags ? `--${settings.settings.find((each) => each.variable === variable)?.flag}` : variable,
  });
  return {
    words,
    given,
    mistakes,
    host: values.VDS_SANDBOX_HOST,
    port: values.VDS_SANDBOX_PORT,
    stateFile: values.VDS_SANDBOX_STATE,
    fleet: {
      seed: values.VDS_SANDBOX_SEED,
      vehicles: values.VDS_SANDBOX_VEHICLES,
      brands: values.VDS_SANDBOX_BRANDS,
      sensorNoise: values.VDS_SANDBOX_SENSOR_NOISE,
    },
    tokenLifetimes: {
      accessMs: values.VDS_SANDBOX_ACCESS_TOKEN_LIFETIME_S * 1000,
      refreshMs: values.VDS_SANDBOX_REFRESH_TOKEN_LIFETIME_S * 1000,
    },
    owner: {
      proxyUrl: values.VDS_SANDBOX_OWNER_PROXY,
      who: values.VDS_SANDBOX_OWNER_WHO,
      receipts: values.VDS_SANDBOX_OWNER_RECEIPTS,
    },
  };
}
