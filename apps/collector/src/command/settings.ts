// What the commands work with. Each setting can be given in the environment as well; the command line wins.
import { isAbsolute } from 'node:path';
import { readBucket } from '../lake/bucket-settings.js';
import type { S3Place } from '../lake/s3-client.js';
import { type Environment, type Given, secret, UsageError, whole } from './options.js';

/** Where a ledger is. */
export interface LedgerSettings {
  readonly ledger: string;
  readonly databaseUrl: string | undefined;
  /** `undefined` for a lake in a folder. */
  readonly bucket: S3Place | undefined;
}

/** What `start` works with. */
export interface Settings extends LedgerSettings {
  readonly lake: string;
  readonly baseUrl: string;
  /** Brand of the one account, named after it, where no other was added. */
  readonly brand: string | undefined;
  readonly brands: readonly string[] | undefined;
  /** yyyy-MM-dd */
  readonly since: string;
  readonly zone: string | undefined;
  readonly concurrency: number;
  readonly maxRate: number;
  readonly everyMs: number;
  readonly leaseMs: number;
  readonly confirmPurge: number | undefined;
  readonly once: boolean;
  readonly accessToken: string | undefined;
  readonly apiKey: string | undefined;
  readonly tokenCommand: string | undefined;
  readonly tokenUrl: string | undefined;
  readonly tokenUrlSecret: string | undefined;
  /** Port of health, readiness and metrics; `undefined` for none. */
  readonly port: number | undefined;
  readonly host: string;
  /** Key of the pseudonyms of a lake in a bucket, 64 hexadecimal digits; `undefined` for that of the ledger. */
  readonly pseudonymKey: string | undefined;
  /** PEM of the key that signs receipts; `undefined` for that of the ledger. */
  readonly receiptKey: string | undefined;
  /** Takes over a bucket whose ledger is gone. */
  readonly adoptLake: boolean;
  /** Continues a lake of another contract. */
  readonly acceptContract: boolean;
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** @throws UsageError */
export function readLedgerSettings(given: Given, env: Environment): LedgerSettings {
  const databaseUrl = given.text('database-url') ?? secret(env, 'VDS_DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl))
    throw new UsageError('--database-url must begin with postgres:// or postgresql://');
  const bucket = readBucket(given.text('lake') ?? '', given, env);
  if (databaseUrl !== undefined) return { ledger: '', databaseUrl, bucket };
  const ledger = given.text('ledger');
  if (bucket && ledger === undefined)
    throw new UsageError('a lake in a bucket needs --database-url, or for one process --ledger FOLDER');
  return { ledger: ledger ?? `${lakeOf(given).replace(/\/+$/, '')}.ledger`, databaseUrl, bucket };
}

/** Folder or address of the lake. @throws UsageError */
export function lakeOf(given: Given): string {
  const lake = given.text('lake');
  if (!lake) throw new UsageError('--lake is missing; give it or set VDS_LAKE');
  return lake;
}

/** @throws UsageError */
export function readSettings(given: Given, env: Environment, now: number): Settings {
  const lake = lakeOf(given);
  const baseUrl = given.text('base-url') ?? 'http://127.0.0.1:8787';
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^@?#]+$/.test(baseUrl))
    throw new UsageError('--base-url must be http:// or https:// without user, query and fragment');
  const confirmed = given.text('confirm-purge');
  const port = given.text('port');
  const settings: Settings = {
    ...readLedgerSettings(given, env),
    lake,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    brand: given.text('brand'),
    brands: given.text('brands')?.split(','),
    since: readSince(given.text('since'), now),
    zone: given.text('zone'),
    concurrency: whole('--concurrency', given.text('concurrency') ?? '4', 1, 16),
    maxRate: whole('--max-rate', given.text('max-rate') ?? '20', 1, 1000),
    everyMs: whole('--every', given.text('every') ?? '60', 1, 1440) * 60_000,
    leaseMs: whole('--lease-seconds', given.text('lease-seconds') ?? '60', 2, 3600) * 1000,
    confirmPurge: confirmed === undefined ? undefined : whole('--confirm-purge', confirmed, 0, 1_000_000),
    once: given.flag('once'),
    accessToken: secret(env, 'VDS_ACCESS_TOKEN'),
    apiKey: secret(env, 'VDS_API_KEY'),
    tokenCommand: given.text('token-command'),
    tokenUrl: given.text('token-url'),
    tokenUrlSecret: secret(env, 'VDS_TOKEN_URL_SECRET'),
    port: port === undefined ? undefined : whole('--port', port, 0, 65_535),
    host: given.text('host') ?? '127.0.0.1',
    pseudonymKey: readPseudonymKey(env),
    receiptKey: secret(env, 'VDS_RECEIPT_KEY'),
    adoptLake: given.flag('adopt-lake'),
    acceptContract: given.flag('accept-contract'),
  };
  checkTokens(settings);
  return settings;
}

function readPseudonymKey(env: Environment): string | undefined {
  const key = secret(env, 'VDS_PSEUDONYM_KEY');
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key))
    throw new UsageError('VDS_PSEUDONYM_KEY must have 64 hexadecimal digits, as archive.key of a folder has');
  return key;
}

function checkTokens({ accessToken, tokenCommand, tokenUrl, tokenUrlSecret }: Settings): void {
  if ([accessToken, tokenCommand, tokenUrl].filter((source) => source !== undefined).length > 1)
    throw new UsageError('give one of VDS_ACCESS_TOKEN, --token-command and --token-url');
  if (tokenCommand !== undefined && !isAbsolute(tokenCommand))
    throw new UsageError('--token-command must be the absolute path of a program');
  if (tokenUrl === undefined) {
    if (tokenUrlSecret !== undefined) throw new UsageError('VDS_TOKEN_URL_SECRET is set, but no --token-url');
    return;
  }
  const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
  if (!isSafe || url?.username !== '') throw new UsageError('--token-url must be https://, or http:// on this machine');
}

function readSince(given: string | undefined, now: number): string {
  const since = given ?? new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
  const at = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(`${since}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== since || at > now)
    throw new UsageError('--since must be a day until today, yyyy-MM-dd');
  return since;
}
