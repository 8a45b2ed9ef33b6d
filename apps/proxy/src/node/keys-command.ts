import { hash, randomBytes, randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { KeyRecord } from '../callers/key-record.js';
import { contractBrands, servedOperations } from '../config.js';
import { parseRate } from '../limits/rate.js';
import { changeKeyFile, readKeyFile } from './key-file.js';

/** How the keys command is used. */
export const keysUsage = `Usage: vds-proxy keys create --keys-file FILE [--name TEXT] [--expires 90d|DATE] [--brands A,B]
                              [--operations A,B | --read-only] [--rate 600/60s]
       vds-proxy keys list --keys-file FILE
       vds-proxy keys revoke ID --keys-file FILE
VDS_KEYS_FILE names the file, too. A key is shown once, when it is made. A running proxy sees changes within a second or two.
`;

const options = {
  'keys-file': { type: 'string' },
  name: { type: 'string' },
  expires: { type: 'string' },
  brands: { type: 'string' },
  operations: { type: 'string' },
  'read-only': { type: 'boolean' },
  rate: { type: 'string' },
} as const;

/** Where the command writes: results, and words for the person who runs it. */
export interface CommandOutput {
  result(text: string): void;
  say(line: string): void;
}

/** Runs `keys create`, `keys list` or `keys revoke`. Returns the exit code. */
export async function runKeysCommand(
  list: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: CommandOutput,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(list);
    const [verb, id, ...more] = positionals;
    const path = values['keys-file'] ?? environment['VDS_KEYS_FILE'] ?? '';
    if (path === '') throw new Error('--keys-file: must be set, or VDS_KEYS_FILE');
    if (verb === 'create' && id === undefined) return await create(path, values, output);
    if (verb === 'list' && id === undefined) return show(path, output);
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

async function create(path: string, values: Values, output: CommandOutput): Promise<number> {
  const id = Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('');
  const key = `vds_${id}_${randomBytes(32).toString('base64url')}`;
  const record: KeyRecord = {
    id,
    hash: hash('sha256', key, 'hex'),
    name: nameOf(values.name),
    created: new Date().toISOString(),
    expires: expiryOf(values.expires),
    brands: namesOf('brands', values.brands, null),
    operations: operationsOf(values),
    rate: rateOf(values.rate),
  };
  await changeKeyFile(path, (records) => [...records, record]);
  output.say(`key ${id} is made; it is shown this once`);
  output.result(`${key}\n`);
  return 0;
}

function show(path: string, output: CommandOutput): number {
  const records = readKeyFile(path);
  if (records === null) throw new Error('the key file cannot be read, or is not one');
  for (const { id, name, created, expires, brands, operations, rate } of records) {
    const parts = [
      id,
      `created ${created}`,
      expires === null ? 'never expires' : `${Date.parse(expires) <= Date.now() ? 'expired' : 'expires'} ${expires}`,
      `brands ${brands?.join(',') ?? 'all'}`,
      `operations ${operations?.join(',') ?? 'all'}`,
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
    const kept = records.filter((record) => record.id !== id);
    found = kept.length < records.length;
    return kept;
  });
  output.say(found ? 'the key is revoked' : 'no key has this identifier');
  return found ? 0 : 1;
}

function nameOf(text = ''): string {
  if (!/^[\p{L}\p{N} ._@-]{0,64}$/u.test(text)) throw new Error('--name: must be at most 64 letters, digits or spaces');
  return text;
}

function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  if (days !== undefined) return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  if (date === null || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text))
    throw new Error('--expires: must be days, such as 90d, or a date, such as 2027-01-31');
  return date.toISOString();
}

function namesOf(flag: string, text: string | undefined, known: readonly string[] | null): readonly string[] | null {
  if (text === undefined) return null;
  const names = text.split(',');
  if (!names.every((name) => /^[0-9A-Za-z._-]+$/.test(name) && (known?.includes(name) ?? true)))
    throw new Error(`--${flag}: must be names separated by commas, out of ${(known ?? contractBrands()).join(', ')}`);
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

function rateOf(text: string | undefined): KeyRecord['rate'] {
  const rate = text === undefined ? null : parseRate(text);
  if (text !== undefined && rate === null) throw new Error('--rate: must be calls and seconds, such as 600/60s');
  return rate;
}
