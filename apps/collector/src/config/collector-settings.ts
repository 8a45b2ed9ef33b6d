// The settings of the collector: what each is called, what it may hold, and what it is when not set. What each means is in `--help`.
import * as v from 'valibot';
import * as kind from '#kit/settings/kinds.js';
import { settingTable } from '#kit/settings/table.js';

const brand = kind.kind(
  kind.textOf(/^[\w-]{1,64}$/, 'must be the name of a brand: letters, digits, - and _'),
  'name of a brand',
);

const pem = kind.kind(
  kind.textOf(/^-----BEGIN [A-Z ]+-----\s[\s\S]+\s-----END [A-Z ]+-----\s*$/, 'must be a private key in PEM'),
  'private key in PEM',
  { secret: true },
);

const pseudonymKey = kind.kind(
  kind.textOf(/^[0-9a-f]{64}$/, 'must have 64 hexadecimal digits, as archive.key of a folder has'),
  '64 hexadecimal digits',
  { secret: true },
);

// It may be part of a path.
const callbackSecret = kind.kind(
  kind.textOf(/^[\w-]{32,128}$/, 'must have 32 to 128 letters, digits, - and _; make one with: openssl rand -hex 32'),
  'secret of 32 to 128 letters, digits, - and _',
  { secret: true },
);

export const collectorSettings = settingTable(
  'VDS_',
  {
    Lake: {
      VDS_LAKE: v.optional(kind.file),
      VDS_ZONE: v.optional(kind.text),
      VDS_S3_ENDPOINT: v.optional(kind.baseUrl),
      VDS_S3_PATH_STYLE: v.optional(kind.boolean),
      VDS_PSEUDONYM_KEY: v.optional(pseudonymKey),
    },
    Ledger: {
      VDS_LEDGER: v.optional(kind.file),
      VDS_DATABASE_URL: v.optional(kind.secretAddress('postgres', 'postgresql')),
      VDS_RECEIPTS_KEY: v.optional(pem),
    },
    Service: {
      VDS_BASE_URL: v.optional(kind.baseUrl, 'http://127.0.0.1:8787'),
      VDS_BRAND: v.optional(brand),
      VDS_BRANDS: v.optional(kind.names),
      VDS_API_KEY: v.optional(kind.password()),
      VDS_ACCESS_TOKEN: v.optional(kind.token),
      VDS_TOKEN_COMMAND: v.optional(kind.file),
      VDS_ACCOUNT_TOKEN_URL: v.optional(kind.url),
      VDS_ACCOUNT_TOKEN_SECRET: v.optional(kind.password()),
    },
    Work: {
      VDS_SINCE: v.optional(kind.day),
      VDS_CONCURRENCY: v.optional(kind.integer(1, 16), '4'),
      VDS_MAX_RATE: v.optional(kind.integer(1, 1000), '20'),
      VDS_EVERY: v.optional(kind.integer(1, 1440), '60'),
      VDS_LEASE_S: v.optional(kind.integer(2, 3600), '60'),
    },
    Server: {
      VDS_PORT: v.optional(kind.integer(0, 65_535)),
      VDS_HOST: v.optional(kind.text, '127.0.0.1'),
      VDS_EVENTS_SECRET: v.optional(kind.webhookSecrets),
      VDS_CALLBACK_SECRET: v.optional(callbackSecret),
    },
  },
  { variables: { VDS_S3_ENDPOINT: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] } },
);

/** Values of all settings, by the name of the variable. */
export type SettingValues = NonNullable<typeof collectorSettings.values>;

export type SettingName = keyof SettingValues;

/** Credentials of a bucket, by the names that S3 programs share. */
export const bucketCredentials = settingTable('', {
  Bucket: {
    AWS_ACCESS_KEY_ID: v.optional(kind.password()),
    AWS_SECRET_ACCESS_KEY: v.optional(kind.password()),
    AWS_SESSION_TOKEN: v.optional(kind.password()),
  },
});
