// The options of `vds-collector start`. Each can be given in the environment as well; the command line wins.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Text of `--help`. */
export const usage = `vds-collector: collects the trips of every vehicle of an account into an archive

vds-collector start             lists the vehicles, fetches what is missing, and repeats until it is stopped

  --lake FOLDER                 the archive (VDS_LAKE)
  --ledger FOLDER               the embedded database (VDS_LEDGER; the folder of the archive with .ledger at its end by default)
  --database-url URL            PostgreSQL in place of the embedded database (VDS_DATABASE_URL, VDS_DATABASE_URL_FILE)
  --base-url URL                the service or its proxy (VDS_BASE_URL; http://127.0.0.1:8787 by default)
  --brand BRAND                 brand of the account (VDS_BRAND)
  --brands NAMES                brands that the service knows, separated by commas (VDS_BRANDS; those of the contract by default)
  --since DAY                   first day, yyyy-MM-dd (VDS_SINCE; 30 days ago by default)
  --zone ZONE                   time zone of days, for a new archive (VDS_ZONE; UTC by default)
  --concurrency NUMBER          windows that are fetched at a time, 1 to 16 (VDS_CONCURRENCY; 4 by default)
  --max-rate NUMBER             windows that are fetched a second at most, 1 to 1000 (VDS_MAX_RATE; 20 by default)
  --every MINUTES               how often vehicles are listed and recent windows are fetched again (VDS_EVERY; 60 by default)
  --confirm-purge NUMBER        purge although most vehicles no longer share data, if so many are missing
  --once                        end when nothing is due any more
  --help                        show this

The access token is read from VDS_ACCESS_TOKEN, an API key of the proxy from VDS_API_KEY, or each from a file that
VDS_ACCESS_TOKEN_FILE or VDS_API_KEY_FILE names. Without a token, the proxy adds its own.
`;

/** A mistake in the options. The message names the option and never repeats its value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What `start` works with. */
export interface Settings {
  readonly lake: string;
  readonly ledger: string;
  readonly databaseUrl: string | undefined;
  readonly baseUrl: string;
  readonly brand: string;
  readonly brands: readonly string[] | undefined;
  /** yyyy-MM-dd */
  readonly since: string;
  readonly zone: string | undefined;
  readonly concurrency: number;
  readonly maxRate: number;
  readonly everyMs: number;
  readonly confirmPurge: number | undefined;
  readonly once: boolean;
  readonly accessToken: string | undefined;
  readonly apiKey: string | undefined;
}

const text = { type: 'string' } as const;
const options = {
  lake: text,
  ledger: text,
  'database-url': text,
  'base-url': text,
  brand: text,
  brands: text,
  since: text,
  zone: text,
  concurrency: text,
  'max-rate': text,
  every: text,
  'confirm-purge': text,
  once: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/**
 * Reads the command line and the environment. `undefined`: help was asked for.
 *
 * @throws UsageError
 */
export function readSettings(
  given: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): Settings | undefined {
  const { values, positionals } = parsed(given);
  if (values.help === true) return undefined;
  if (positionals.length !== 1 || positionals[0] !== 'start') throw new UsageError('the command must be start');
  const read = (name: Exclude<keyof typeof options, 'once' | 'help' | 'confirm-purge'>) =>
    values[name] ?? (env[`VDS_${name.toUpperCase().replaceAll('-', '_')}`] || undefined);
  const required = (name: 'lake' | 'brand') => {
    const value = read(name);
    if (value) return value;
    throw new UsageError(`--${name} is missing; give it or set VDS_${name.toUpperCase()}`);
  };
  const lake = required('lake');
  const baseUrl = read('base-url') ?? 'http://127.0.0.1:8787';
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^@?#]+$/.test(baseUrl))
    throw new UsageError('--base-url must be http:// or https:// without user, query and fragment');
  const databaseUrl = values['database-url'] ?? secret(env, 'VDS_DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl))
    throw new UsageError('--database-url must begin with postgres:// or postgresql://');
  const since = read('since') ?? new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
  const at = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(`${since}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== since || at > now)
    throw new UsageError('--since must be a day until today, yyyy-MM-dd');
  const confirmed = values['confirm-purge'];
  return {
    lake,
    ledger: read('ledger') ?? `${lake.replace(/\/+$/, '')}.ledger`,
    databaseUrl,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    brand: required('brand'),
    brands: read('brands')?.split(','),
    since,
    zone: read('zone'),
    concurrency: whole('--concurrency', read('concurrency') ?? '4', 1, 16),
    maxRate: whole('--max-rate', read('max-rate') ?? '20', 1, 1000),
    everyMs: whole('--every', read('every') ?? '60', 1, 1440) * 60_000,
    confirmPurge: confirmed === undefined ? undefined : whole('--confirm-purge', confirmed, 0, 1_000_000),
    once: values.once === true,
    accessToken: secret(env, 'VDS_ACCESS_TOKEN'),
    apiKey: secret(env, 'VDS_API_KEY'),
  };
}

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true });
  } catch {
    // The message of the parser repeats what was typed, which may be a secret.
    throw new UsageError('an option is not known or has no value; see vds-collector --help');
  }
}

function whole(name: string, value: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
}

/** A secret from a variable, or from the file that another one names. */
function secret(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new UsageError(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new UsageError(`the file that ${name}_FILE names cannot be read`);
  }
}
