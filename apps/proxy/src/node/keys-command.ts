import { hash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { readArguments } from '#kit/arguments.js';
import { dayNumber, msPerDay } from '#kit/calendar.js';
import { namesOutOf } from '#kit/settings/kinds.js';
import type { Environment } from '#kit/settings/read.js';
import { attempt } from '../attempt.js';
import { vinHash } from '../auth/client.js';
import { changeKeyFile, recordsIn } from '../auth/key-file.js';
import type { KeyRecord } from '../auth/key-record.js';
import { type CommandEnvironment, commandEnvironment } from '../config/command-environment.js';
import { rate } from '../config/kinds.js';
import { servedOperations } from '../contract.js';

export const keysUsage = `Usage: vds-proxy keys create --keys-file FILE [--name TEXT] [--expires 90d|DATE] [--brands A,B]
                              [--operations A,B | --read-only] [--rate 600/60s] [--vehicles-file FILE]
       vds-proxy keys list --keys-file FILE
       vds-proxy keys rotate ID --keys-file FILE [--overlap 7d]
       vds-proxy keys revoke ID --keys-file FILE
       vds-proxy keys usage --keys-file FILE --admin-url http://127.0.0.1:9787,...
VDS_KEYS_FILE names the file, too. A key is shown once, when it is created. A running proxy sees changes within two seconds.
rotate creates a key with the same rights; the old one expires after the overlap, by default 7 days.
--vehicles-file names a file with one VIN a line: the key may use these vehicles and no operation that names none. The VINs are
kept as hashes under VDS_VIN_HASH_KEY, which the proxy needs as well. Brands are those of the contract; if your
proxy serves others, set VDS_BRANDS. usage asks only the addresses that you list: name the
admin port of every process, VDS_ADMIN_PORT for the first and a port higher for each further one.
`;

const daysForm = /^\d{1,4}d$/;

/** What the flags of a key may hold. @param brands those that the proxy serves */
const flagsSchema = (brands: readonly string[]) =>
  v.object({
    'keys-file': v.optional(v.string()),
    'admin-url': v.optional(v.string()),
    'vehicles-file': v.optional(v.string()),
    'read-only': v.optional(v.boolean(), false),
    name: v.optional(
      v.pipe(v.string(), v.regex(/^[\p{L}\p{N} ._@-]{0,64}$/u, 'must be at most 64 letters, digits or spaces')),
      '',
    ),
    expires: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => (daysForm.test(text) ? new Date(Date.now() + daysOf(text)) : dateOf(text))),
        v.check(
          (date) => date.getTime() > Date.now(),
          'must be days, such as 90d, or a date in the future, such as 2027-01-31',
        ),
      ),
    ),
    overlap: v.optional(
      v.pipe(v.string(), v.regex(daysForm, 'must be days, such as 7d, or 0d to end the old key at once')),
      '7d',
    ),
    brands: v.optional(namesOutOf(brands)),
    operations: v.optional(namesOutOf(servedOperations.map(({ operationId }) => operationId))),
    rate: v.optional(rate),
  });

function daysOf(text: string): number {
  return Number.parseInt(text, 10) * msPerDay;
}

/** The first moment of a day; `Invalid Date` when there is no such day, such as February 30. */
function dateOf(text: string): Date {
  return new Date((dayNumber(text) ?? Number.NaN) * msPerDay);
}

/** Where the command writes: results, and words for the person who runs it. */
export interface CommandOutput {
  result(text: string): void;
  say(line: string): void;
}

type Flags = ReturnType<typeof readFlags>;

export async function runKeysCommand(
  list: readonly string[],
  variables: Environment,
  output: CommandOutput,
): Promise<number> {
  try {
    const environment = commandEnvironment(variables);
    const flags = readFlags(list, environment);
    const [verb, id, ...more] = flags.positionals;
    const path = flags['keys-file'] ?? environment.keysFile ?? '';
    if (path === '') throw new Error('--keys-file: must be set, or VDS_KEYS_FILE');
    if (verb === 'create' && id === undefined) await create(path, flags, environment, output);
    else if (verb === 'usage' && id === undefined) await showUsage(path, flags, output);
    else if (verb === 'list' && id === undefined) show(path, output);
    else if (verb === 'rotate' && id !== undefined && more.length === 0) await rotate(path, id, flags, output);
    else if (verb === 'revoke' && id !== undefined && more.length === 0) await revoke(path, id, output);
    else {
      output.result(keysUsage);
      return 1;
    }
    return 0;
  } catch (error) {
    output.say(error instanceof Error ? error.message : 'the command failed');
    return 1;
  }
}

function readFlags(list: readonly string[], { brands }: CommandEnvironment) {
  const schema = flagsSchema(brands);
  const { values, positionals } = argumentsOf('keys', list, Object.keys(schema.entries));
  const read = v.safeParse(schema, values, { abortEarly: true, abortPipeEarly: true });
  if (!read.success) throw new Error(`--${read.issues[0].path?.[0]?.key}: ${read.issues[0].message}`);
  return { ...read.output, positionals };
}

const switches = new Set(['read-only', 'csv', 'html', 'json']);

/** The arguments of a command, with the flags that it knows. @throws {Error} for one that is wrong */
export function argumentsOf(command: 'keys' | 'audit', list: readonly string[], names: readonly string[]) {
  const flags = new Map(names.map((name) => [name, switches.has(name) ? 'switch' : 'value'] as const));
  const { values, words, mistakes } = readArguments(list, flags, true);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw new Error(`${mistake}; see vds-proxy ${command} --help`);
  return {
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, switches.has(name) ? true : value]),
    ),
    positionals: words,
  };
}

async function create(
  path: string,
  flags: Flags,
  environment: CommandEnvironment,
  output: CommandOutput,
): Promise<void> {
  const { id, key, hash } = newKey();
  const record: KeyRecord = {
    id,
    hash,
    name: flags.name,
    created: new Date().toISOString(),
    expires: flags.expires?.toISOString() ?? null,
    revoked: null,
    brands: flags.brands ?? null,
    operations: operationsOf(flags),
    vehicles: await vehiclesOf(flags['vehicles-file'], environment),
    rate: flags.rate ?? null,
  };
  await changeKeyFile(path, (records) => [...records, record]);
  output.say(`key ${id} is created; it is shown this once`);
  output.result(`${key}\n`);
}

async function rotate(path: string, id: string, { overlap }: Flags, output: CommandOutput): Promise<void> {
  const { id: newId, key, hash } = newKey();
  const now = Date.now();
  let oldExpires = new Date(now + daysOf(overlap)).toISOString();
  await changeKeyFile(path, (records) => {
    const old = records.find((record) => record.id === id && record.revoked === null);
    if (old === undefined) throw new Error('no key has this identifier');
    if (old.expires !== null && Date.parse(old.expires) <= now)
      throw new Error('this key has expired; create a new one');
    if (old.expires !== null && old.expires < oldExpires) oldExpires = old.expires;
    const { unrotatedExpires = old.expires, ...rights } = old;
    const lifeMs = unrotatedExpires === null ? null : Date.parse(unrotatedExpires) - Date.parse(old.created);
    const record: KeyRecord = {
      ...rights,
      id: newId,
      hash,
      created: new Date(now).toISOString(),
      // As long a life as the old one was given.
      expires: lifeMs === null ? null : new Date(now + lifeMs).toISOString(),
    };
    const rotated = { ...old, expires: oldExpires, unrotatedExpires };
    return [...records.map((each) => (each === old ? rotated : each)), record];
  });
  output.say(`key ${newId} takes the place of ${id}, which stays good until ${oldExpires}; it is shown this once`);
  output.result(`${key}\n`);
}

function newKey() {
  const id = Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('');
  const key = `vds_${id}_${randomBytes(32).toString('base64url')}`;
  return { id, key, hash: hash('sha256', key, 'hex') };
}

async function revoke(path: string, id: string, output: CommandOutput): Promise<void> {
  await changeKeyFile(path, (records) => {
    if (!records.some((record) => record.id === id)) throw new Error('no key has this identifier');
    const revoked = new Date().toISOString();
    return records.map((record) => (record.id === id ? { ...record, revoked: record.revoked ?? revoked } : record));
  });
  output.say('the key is revoked');
}

function show(path: string, output: CommandOutput): void {
  for (const { id, name, created, expires, revoked, brands, operations, vehicles, rate } of recordsIn(path)) {
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
}

const counts = { requests: v.number(), errors: v.number(), limited: v.number() };
const usagePage = v.object({ clients: v.array(v.object({ client: v.string(), ...counts, lastUsed: v.string() })) });

/** Shows what each key has done since the processes started, by the admin ports of all of them. */
async function showUsage(path: string, flags: Flags, output: CommandOutput): Promise<void> {
  const records = recordsIn(path);
  const addresses = flags['admin-url']?.split(',');
  if (addresses === undefined) throw new Error('--admin-url: must be set to the address of each admin port');
  const usageAt = async (address: string) => {
    const response = await fetch(new URL('/usage', address), { signal: AbortSignal.timeout(5000) });
    return v.parse(usagePage, await response.json()).clients;
  };
  const pages = await Promise.all(addresses.map(usageAt)).catch(() => {
    throw new Error('--admin-url: an admin port cannot be reached, or is none of this proxy');
  });
  for (const { id, name, revoked } of records) {
    const own = pages.flat().filter(({ client }) => client === id);
    const isUnknown = pages.some(
      (page) => !page.some(({ client }) => client === id) && page.some(({ client }) => client === 'others'),
    );
    const unknown = isUnknown ? 'unknown' : null;
    const sums = (['requests', 'errors', 'limited'] as const).map(
      (what) => `${what} ${unknown ?? own.reduce((sum, usage) => sum + usage[what], 0)}`,
    );
    const times = own.map((usage) => usage.lastUsed).sort();
    const lastUsed = unknown ?? times.at(-1) ?? 'never';
    const parts = [id, ...sums, `last used ${lastUsed}`, ...(revoked === null ? [] : ['revoked']), name];
    output.result(`${parts.join('  ').trimEnd()}\n`);
  }
}

function operationsOf({ operations, 'read-only': readOnly }: Flags): string[] | null {
  if (!readOnly) return operations ?? null;
  if (operations !== undefined) throw new Error('--read-only: names the operations itself; leave out --operations');
  return servedOperations.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId);
}

async function vehiclesOf(path: string | undefined, environment: CommandEnvironment): Promise<string[] | null> {
  if (path === undefined) return null;
  const secret = environment.vinHashKey();
  if (secret === undefined || secret.length < 32)
    throw new Error('VDS_VIN_HASH_KEY: must be set to at least 32 characters, and to the same as for the proxy');
  const vins = textOf(path, '--vehicles-file')
    .split(/\s+/)
    .filter((vin) => vin !== '');
  if (vins.length === 0 || !vins.every((vin) => /^[0-9A-Za-z]{17}$/.test(vin)))
    throw new Error('--vehicles-file: must hold VINs of 17 letters and digits, one a line');
  return Promise.all(vins.map(vinHash(secret)));
}

function textOf(path: string, name: string): string {
  const text = attempt(() => readFileSync(path, 'utf8').trim());
  if (text === null) throw new Error(`${name}: the file cannot be read`);
  return text;
}
