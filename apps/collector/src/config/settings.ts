// What the commands work with. Only here do names of the environment become options.
import { isAbsolute } from 'node:path';
import { dateAt, msPerDay } from '#kit/calendar.js';
import type { S3Place } from '../lake/s3-client.js';
import { UsageError } from '../usage-error.js';
import { readBucket } from './bucket-settings.js';
import { type Given, whole } from './options.js';

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
export function readLedgerSettings(given: Given): LedgerSettings {
  const { VDS_DATABASE_URL: databaseUrl, VDS_LEDGER: ledger, VDS_LAKE: lake } = given.settings();
  const bucket = lake === undefined ? undefined : readBucket(lake, given);
  if (databaseUrl !== undefined) return { ledger: '', databaseUrl, bucket };
  if (bucket && ledger === undefined)
    throw new UsageError('a lake in a bucket needs --database-url, or for one process --ledger FOLDER');
  return { ledger: ledger ?? `${lakeOf(given).replace(/\/+$/, '')}.ledger`, databaseUrl, bucket };
}

/** Folder or address of the lake. @throws UsageError */
export function lakeOf(given: Given): string {
  const { VDS_LAKE: lake } = given.settings();
  if (lake === undefined) throw new UsageError('--lake is missing; give it or set VDS_LAKE');
  return lake;
}

/** Brand of a new account. @throws UsageError */
export function brandOf(given: Given): string {
  const { VDS_BRAND: brand } = given.settings();
  if (brand === undefined) throw new UsageError('--brand is missing; give it or set VDS_BRAND');
  return brand;
}

/** @throws UsageError */
export function readSettings(given: Given, now: number): Settings {
  const values = given.settings();
  const confirmed = given.text('confirm-purge');
  const settings: Settings = {
    ...readLedgerSettings(given),
    lake: lakeOf(given),
    baseUrl: values.VDS_BASE_URL.replace(/\/+$/, ''),
    brand: values.VDS_BRAND,
    brands: values.VDS_BRANDS,
    since: values.VDS_SINCE ?? dateAt(now - 30 * msPerDay),
    zone: values.VDS_ZONE,
    concurrency: values.VDS_CONCURRENCY,
    maxRate: values.VDS_MAX_RATE,
    everyMs: values.VDS_EVERY * 60_000,
    leaseMs: values.VDS_LEASE_S * 1000,
    confirmPurge: confirmed === undefined ? undefined : whole('--confirm-purge', confirmed, 0, 1_000_000),
    once: given.flag('once'),
    accessToken: values.VDS_ACCESS_TOKEN,
    apiKey: values.VDS_API_KEY,
    tokenCommand: values.VDS_TOKEN_COMMAND,
    tokenUrl: values.VDS_ACCOUNT_TOKEN_URL,
    tokenUrlSecret: values.VDS_ACCOUNT_TOKEN_SECRET,
    port: values.VDS_PORT,
    host: values.VDS_HOST,
    pseudonymKey: values.VDS_PSEUDONYM_KEY,
    receiptKey: values.VDS_RECEIPTS_KEY,
    adoptLake: given.flag('adopt-lake'),
    acceptContract: given.flag('accept-contract'),
  };
  if (settings.since > dateAt(now)) throw new UsageError(`${given.nameOf('VDS_SINCE')}: must be a day until today`);
  checkTokens(settings, given);
  return settings;
}

function checkTokens({ accessToken, tokenCommand, tokenUrl, tokenUrlSecret }: Settings, { nameOf }: Given): void {
  if ([accessToken, tokenCommand, tokenUrl].filter((source) => source !== undefined).length > 1)
    throw new UsageError('give one of VDS_ACCESS_TOKEN, --token-command and --account-token-url');
  if (tokenCommand !== undefined && !isAbsolute(tokenCommand))
    throw new UsageError(`${nameOf('VDS_TOKEN_COMMAND')}: must be the absolute path of a program`);
  if (tokenUrl === undefined) {
    if (tokenUrlSecret !== undefined)
      throw new UsageError('VDS_ACCOUNT_TOKEN_SECRET is set, but no --account-token-url');
    return;
  }
  const { protocol, hostname } = new URL(tokenUrl);
  if (protocol !== 'https:' && !loopback.has(hostname))
    throw new UsageError(`${nameOf('VDS_ACCOUNT_TOKEN_URL')}: must be https://, or http:// on this machine`);
}
