// Reads the command line and the environment. The command line wins. No message repeats what was typed, which may be a secret.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake in the options. The message names the option and never repeats its value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  ...{
    lake: text,
    ledger: text,
    'database-url': text,
    'base-url': text,
    brand: text,
    brands: text,
    since: text,
    zone: text,
  },
  ...{
    concurrency: text,
    'max-rate': text,
    every: text,
    'lease-seconds': text,
    'confirm-purge': text,
    once: flag,
    help: flag,
  },
  ...{ port: text, host: text, 'token-command': text, 'token-url': text, 'token-file': text },
  ...{ account: text, vehicle: text, json: flag },
  ...{
    's3-endpoint': text,
    's3-path-style': text,
    'adopt-lake': flag,
    'accept-contract': flag,
    'public-key': text,
    sample: text,
    repair: flag,
  },
} as const;
type Name = keyof typeof options;
type Flag = { [Each in Name]: (typeof options)[Each]['type'] extends 'boolean' ? Each : never }[Name];
/** Options that stand for one run alone, and are not read from the environment. */
const ofOneRun: ReadonlySet<string> = new Set([
  'confirm-purge',
  'token-file',
  'account',
  'vehicle',
  'public-key',
  'sample',
]);

/** What was given. */
export interface Given {
  readonly words: readonly string[];
  readonly text: (name: Exclude<Name, Flag>) => string | undefined;
  readonly flag: (name: Flag) => boolean;
}

/** @throws UsageError */
export function readGiven(args: readonly string[], env: Environment): Given {
  const { values, positionals } = parsed(args);
  return {
    words: positionals,
    text: (name) =>
      values[name] ??
      (ofOneRun.has(name) ? undefined : env[`VDS_${name.toUpperCase().replaceAll('-', '_')}`] || undefined),
    flag: (name) => values[name] === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new UsageError('an option is not known or has no value; see vds-collector --help');
  }
}

export function whole(name: string, value: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
}

/** A secret from a variable, or from the file that another one names. */
export function secret(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new UsageError(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new UsageError(`the file that ${name}_FILE names cannot be read`);
  }
}
