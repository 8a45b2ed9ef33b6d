// `vds-collector receipts`: what was purged, and whether its receipts are as they were issued.
import { readFile } from 'node:fs/promises';
import { readReceipt, verifyReceipt } from '@vehicle-data/archive/receipts';
import type { Given } from '../config/options.js';
import type { Queries } from '../ledger/database.js';
import { receiptKeys, storedReceipts } from '../ledger/receipts.js';
import { UsageError } from '../usage-error.js';

/** What a command printed, and its exit code. */
export interface Outcome {
  readonly text: string;
  readonly code: number;
}

/** Lists receipts, verifies those of the ledger or of a file, or prints the public keys. @throws UsageError */
export async function runReceipts(database: Queries, given: Given): Promise<Outcome> {
  const [, action = 'list', file, ...more] = given.words;
  if (more.length > 0 || (file !== undefined && action !== 'verify'))
    throw new UsageError('receipts takes list, key, or verify with one file at most');
  const vehicle = given.text('vehicle');
  if (vehicle !== undefined && !/^[0-9a-f]{32}$/.test(vehicle))
    throw new UsageError('--vehicle must be a pseudonym of 32 hexadecimal digits');
  switch (action) {
    case 'list':
      return { text: await listText(database, vehicle, given.flag('json')), code: 0 };
    case 'key':
      return { text: (await receiptKeys(database)).join(''), code: 0 };
    case 'verify':
      return verify(database, file === undefined ? storedReceipts(database, vehicle) : linesOf(file), given);
    default:
      throw new UsageError('receipts takes list, verify or key');
  }
}

async function listText(database: Queries, vehicle: string | undefined, asJson: boolean): Promise<string> {
  let text = '';
  for await (const receipt of storedReceipts(database, vehicle)) {
    const { completed, brand, pii_principal_id, account, signal, storage } = readReceipt(receipt) ?? {};
    const files = storage?.reduce((sum, one) => sum + one.files, 0);
    const bytes = storage?.reduce((sum, one) => sum + one.bytes, 0) ?? 0;
    text += asJson
      ? receipt
      : `${completed?.time}  ${brand}  ${pii_principal_id}  ${account}  ${signal?.event_type}  ${files} files  ${(bytes / 1e6).toFixed(1)} MB\n`;
  }
  return text || (asJson ? '' : 'There are no receipts.\n');
}

async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError('the file of receipts cannot be read');
  });
  for (const line of text.split('\n')) if (line !== '') yield `${line}\n`;
}

async function verify(database: Queries, receipts: AsyncIterable<string>, given: Given): Promise<Outcome> {
  const path = given.text('public-key');
  const keys =
    path === undefined
      ? await receiptKeys(database)
      : [
          await readFile(path, 'utf8').catch(() => {
            throw new UsageError('the file of --public-key cannot be read');
          }),
        ];
  let [count, text] = [0, ''];
  for await (const receipt of receipts) {
    count += 1;
    const check = await verifyReceipt(receipt, keys);
    if (!check.ok) text += `receipt ${count}: ${check.reason}\n`;
  }
  return text === '' ? { text: `${count} receipts verified.\n`, code: 0 } : { text, code: 1 };
}
