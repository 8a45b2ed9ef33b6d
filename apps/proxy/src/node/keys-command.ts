import { hash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { changeKeyFile, readKeyFile } from '../auth/key-file.js';
import type { KeyRecord } from '../auth/key-record.js';
import { vinHash } from '../auth/vehicle-rights.js';
import { contractBrands, servedOperations } from '../config.js';
import { parseRate } from '../limits/rate.js';
import { usageLines } from './key-usage.js';

/** How the keys command is used. */
export const keysUsage = `Usage: vds-proxy keys create --keys-file FILE [--name TEXT] [--expires 90d|DATE] [--brands A,B]
                              [--operations A,B | --read-only] [--rate 600/60s] [--vehicles-file FILE]
       vds-proxy keys list --keys-file FILE
       vds-proxy keys rotate ID --keys-file FILE [--overlap 7d]
       vds-proxy keys revoke ID --keys-file FILE
       vds-proxy keys usage --keys-file FILE [--admin-url http://127.0.0.1:9787,...]
VDS_KEYS_FILE names the file, too. A key is shown once, when it is created. A running proxy sees changes within two seconds.
rotate creates a key with the same rights; the old one expires after the overlap, by default 7 days.
--vehicles-file names a file with one VIN a line: the key may use these vehicles and no operation that names none. The VINs are
kept as hashes under VDS_VIN_HASH_KEY, which the proxy needs as well. Brands are those of the contract; if your proxy serves others, set VDS_BRANDS.
`;

const options = {
  'keys-file': { type: 'string' },
  name: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  brands: { type: 'string' },
  operations: { type: 'string' },
  'read-only': { type: 'boolean' },
  rate: { type: 'string' },
  'admin-url': { type: 'string' },
  'vehicles-file': { type: 'string' },
} as const;

/** Where the command writes: results, and words for the person who runs it. */
export interface CommandOutput {
  result(text: string): void;
  say(line: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `keys create`, `keys list`, `keys rotate` or `keys revoke`. Returns the exit code. */
export async function runKeysCommand(
  list: readonly string[],
  environment: Environment,
  output: CommandOutput,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(list);
    const [verb, id, ...more] = positionals;
    const path = values['keys-file'] ?? environment['VDS_KEYS_FILE'] ?? '';
    if (path === '') throw new Error('--keys-file: must be set, or VDS_KEYS_FILE');
    if (verb === 'create' && id === undefined) return await create(path, values, environment, output);
    if (verb === 'usage' && id === undefined) return await showUsage(path, values, environment, output);
    if (verb === 'list' && id === undefined) return show(path, output);
    if (verb === 'rotate' && id !== undefined && more.length === 0) return await rotate(path, id, values, output);
    if (verb === 'revoke' && id !== undefined && more.length === 0) return await revoke(path, id, output);
    output.result(keysUsage);
    return 1;
  } catch (error) {
    output.say(error instanceof Error ? error.message : 'the command failed');
    return 1;
  }
}

type Values = ReturnType<typeof readArguments>['values'];

function readArguments(list: readonly string[]) {
  try {
    return parseArgs({ args: [...list], options, allowPositionals: true, strict: true });
  } catch {
    // The parser's own message quotes the arguments.
    throw new Error('keys: an argument is not known; see vds-proxy keys');
  }
}

async function create(path: string, values: Values, environment: Environment, output: CommandOutput): Promise<number> {
  const { id, key } = newKey();
  const record: KeyRecord = {
    id,
    hash: hash('sha256', key, 'hex'),
    name: nameOf(values.name),
    created: new Date().toISOString(),
    expires: expiryOf(values.expires),
    revoked: null,
    brands: namesOf('brands', values.brands, environment['VDS_BRANDS']?.split(',') ?? contractBrands()),
    operations: operationsOf(values),
    vehicles: await vehiclesOf(values['vehicles-file'], environment),
    rate: rateOf(values.rate),
  };
  await changeKeyFile(path, (records) => [...records, record]);
  output.say(`key ${id} is created; it is shown this once`);
  output.result(`${key}\n`);
  return 0;
}

async function rotate(path: string, id: string, values: Values, output: CommandOutput): Promise<number> {
  const days = daysOf(values.overlap ?? '7d');
  if (days === null) throw new Error('--overlap: must be days, such as 7d, or 0d to end the old key at once');
  const { id: newId, key } = newKey();
  const now = Date.now();
  const endOfOverlap = new Date(now + days * dayMs).toISOString();
  await changeKeyFile(path, (records) => {
    const old = records.find((record) => record.id === id && record.revoked === null);
    if (old === undefined) throw new Error('no key has this identifier');
    const expires = old.expires !== null && old.expires < endOfOverlap ? old.expires : endOfOverlap;
    const lifeMs = old.expires === null ? null : Date.parse(old.expires) - Date.parse(old.created);
    const record: KeyRecord = {
      ...old,
      id: newId,
      hash: hash('sha256', key, 'hex'),
      created: new Date(now).toISOString(),
      // As long a life as the old one was given.
      expires: lifeMs === null ? null : new Date(now + lifeMs).toISOString(),
    };
    return [...records.map((each) => (each === old ? { ...old, expires } : each)), record];
  });
  output.say(`key ${newId} takes the place of ${id}, which stays good until ${endOfOverlap}; it is shown this once`);
  output.result(`${key}\n`);
  return 0;
}

function newKey(): { readonly id: string; readonly key: string } {
  const id = Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('');
  return { id, key: `vds_${id}_${randomBytes(32).toString('base64url')}` };
}

async function showUsage(
  path: string,
  values: Values,
  environment: Environment,
  output: CommandOutput,
): Promise<number> {
  const records = readKeyFile(path);
  if (records === null) throw new Error('the key file cannot be read, or is not one');
  const port = environment['VDS_ADMIN_PORT'];
  const address = values['admin-url'] ?? (port === undefined ? undefined : `http://127.0.0.1:${port}`);
  if (address === undefined) throw new Error('--admin-url: must be set, or VDS_ADMIN_PORT');
  for (const line of await usageLines(records, address.split(','))) output.result(`${line}\n`);
  return 0;
}

function show(path: string, output: CommandOutput): number {
  const records = readKeyFile(path);
  if (records === null) throw new Error('the key file cannot be read, or is not one');
  for (const { id, name, created, expires, revoked, brands, operations, vehicles, rate } of records) {
    const expiry =
      expires === null ? 'never expires' : `${Date.parse(expires) <= Date.now() ? 'expired' : 'expires'} ${expires}`;
    const parts = [
      id,
      `created ${created}`,
      revoked === null ? expiry : `revoked ${revoked}`,
      `brands ${brands?.join(',') ?? 'all'}`,
      `operations ${operations?.join(',') ?? 'all'}`,
      `vehicles ${vehicles?.length ?? 'all'}`,
      `rate ${rate === null ? 'as set' : `${rate.calls}/${rate.seconds}s`}`,
      name,
    ];
    output.result(`${parts.join('  ').trimEnd()}\n`);
  }
  return 0;
}

async function revoke(path: string, id: string, output: CommandOutput): Promise<number> {
  let found = false;
  await changeKeyFile(path, (records) => {
    found = records.some((record) => record.id === id);
    const revoked = new Date().toISOString();
    return records.map((record) => (record.id === id ? { ...record, revoked: record.revoked ?? revoked } : record));
  });
  output.say(found ? 'the key is revoked' : 'no key has this identifier');
  return found ? 0 : 1;
}

function nameOf(text = ''): string {
  if (!/^[\p{L}\p{N} ._@-]{0,64}$/u.test(text)) throw new Error('--name: must be at most 64 letters, digits or spaces');
  return text;
}

const dayMs = 86_400_000;

function daysOf(text: string): number | null {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  return days === undefined ? null : Number(days);
}

function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const days = daysOf(text);
  const date = days === null ? dateOf(text) : new Date(Date.now() + days * dayMs);
  if (date === null || date.getTime() <= Date.now())
    throw new Error('--expires: must be days, such as 90d, or a date in the future, such as 2027-01-31');
  return date.toISOString();
}

function dateOf(text: string): Date | null {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : null;
}

function namesOf(flag: string, text: string | undefined, known: readonly string[]): readonly string[] | null {
  if (text === undefined) return null;
  const names = text.split(',');
  if (!names.every((name) => known.includes(name)))
    throw new Error(`--${flag}: must be names separated by commas, out of ${known.join(', ')}`);
  return names;
}

function operationsOf(values: Values): readonly string[] | null {
  const readOnly = servedOperations.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId);
  if (values['read-only'] !== true) {
    const known = servedOperations.map(({ operationId }) => operationId);
    return namesOf('operations', values.operations, known);
  }
  if (values.operations !== undefined)
    throw new Error('--read-only: names the operations itself; leave out --operations');
  return readOnly;
}

async function vehiclesOf(path: string | undefined, environment: Environment): Promise<readonly string[] | null> {
  if (path === undefined) return null;
  const secret =
    textOf(environment['VDS_VIN_HASH_KEY_FILE'], 'VDS_VIN_HASH_KEY_FILE') ?? environment['VDS_VIN_HASH_KEY'];
  if (secret === undefined || secret.length < 32)
    throw new Error('VDS_VIN_HASH_KEY: must be set to at least 32 characters, and to the same as for the proxy');
  const vins = (textOf(path, '--vehicles-file') ?? '').split(/\s+/).filter((vin) => vin !== '');
  if (vins.length === 0 || !vins.every((vin) => /^[0-9A-Za-z]{17}$/.test(vin)))
    throw new Error('--vehicles-file: must hold VINs of 17 letters and digits, one a line');
  return Promise.all(vins.map(vinHash(secret)));
}

function textOf(path: string | undefined, name: string): string | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path, 'utf8').trim();
  } catch {
    throw new Error(`${name}: the file cannot be read`);
  }
}

function rateOf(text: string | undefined): KeyRecord['rate'] {
  const rate = text === undefined ? null : parseRate(text);
  if (text !== undefined && rate === null) throw new Error('--rate: must be calls and seconds, such as 600/60s');
  return rate;
}
