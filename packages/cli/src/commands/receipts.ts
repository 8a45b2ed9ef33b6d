// Receipts of what was purged: listed, shown, verified.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '@vehicle-data/archive';
import type { CheckedReceipt, Receipt } from '@vehicle-data/archive/receipts';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { namesIn, pseudonymPattern } from './archive-names.js';

interface ReceiptsOptions {
  readonly out: string;
  /** Aliases, VINs or pseudonyms; undefined: all. */
  readonly vehicle?: string;
  /** A public key, or a folder of them; undefined: those beside the receipts. */
  readonly publicKey?: string;
  readonly html?: boolean;
  readonly output?: string;
}

/** A receipt, where it came from and what its verification said. */
interface Found extends CheckedReceipt {
  readonly path: string;
}

async function openReceipts(context: Context, { out, vehicle, publicKey }: ReceiptsOptions) {
  const { openArchive } = await import('@vehicle-data/archive');
  const { readReceipt, verifyReceipt } = await import('@vehicle-data/archive/receipts');
  await using archive = await openArchive({ folder: out, readOnly: true });
  const keys = publicKey === undefined ? await archive.receiptKeys() : await readKeys(publicKey);
  const wanted = vehicle === undefined ? undefined : pseudonymsOf(context, archive, vehicle);
  const found: Found[] = [];
  for (const { path, text } of await archive.receipts()) {
    const name = readReceipt(text)?.pii_principal_id;
    // One that cannot be read may be of any vehicle.
    if (wanted && name !== undefined && !wanted.has(name)) continue;
    found.push({ path, text, check: await verifyReceipt(text, keys) });
  }
  return { found, names: namesIn(archive, Object.entries(context.aliases)) };
}

function pseudonymsOf(context: Context, archive: Archive, text: string): ReadonlySet<string> {
  return new Set(
    text.split(',').map((name) => (pseudonymPattern.test(name) ? name : archive.pseudonymOf(context.vin(name)))),
  );
}

async function readKeys(path: string): Promise<readonly string[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  const files = names?.filter((name) => name.endsWith('.pem')).map((name) => join(path, name)) ?? [path];
  const keys = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  if (!keys.some((text) => text.includes('PUBLIC KEY')))
    throw usageError(
      '--public-key names no public key',
      'Give a PEM file such as archive/receipts/….pem, or the folder of it.',
    );
  return keys;
}

/** `vds receipts list`: what was purged, when and why. */
export async function listReceipts(context: Context, options: ReceiptsOptions): Promise<void> {
  const { found, names } = await openReceipts(context, options);
  if (options.html === true) return writePage(context, found, options.output);
  const rows = found.map(({ path, check }) => {
    const receipt = check.ok ? check.receipt : undefined;
    const vehicle = receipt?.pii_principal_id ?? /-([0-9a-f]{32})-/.exec(path)?.[1] ?? null;
    return {
      receipt: path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, ''),
      vehicle,
      alias: names.get(vehicle ?? '') ?? null,
      brand: receipt?.brand ?? null,
      signal: receipt?.signal.event_type ?? null,
      done: receipt?.completed.time ?? null,
      files: receipt ? sum(receipt, 'files') : null,
      bytes: receipt ? sum(receipt, 'bytes') : null,
      verified: check.ok ? 'yes' : check.reason,
    };
  });
  const alias = names.size > 0 ? (['alias'] as const) : [];
  const columns = ['receipt', ...alias, 'signal', 'done', 'files', 'bytes', 'verified'] as const;
  context.output.list(rows, columns, 'No vehicle was purged.');
}

const sum = ({ storage }: Receipt, of: 'files' | 'bytes') => storage.reduce((all, one) => all + one[of], 0);

/** `vds receipts show`: one receipt, as JSON or as a page. */
export async function showReceipt(context: Context, options: ReceiptsOptions, name: string): Promise<void> {
  const { found } = await openReceipts(context, options);
  const one = found.find(({ path, check }) => {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return [file, file.replace(/\.json$/, '')].includes(name) || (check.ok && check.receipt.record_id === name);
  });
  if (!one) throw usageError('there is no such receipt', 'List them: vds receipts list');
  if (options.html === true) await writePage(context, [one], options.output);
  // As it is stored: only that text verifies.
  else if (context.output.isJson) context.output.raw(one.text);
  else context.output.raw(`${one.check.ok ? JSON.stringify(one.check.receipt, null, 2) : one.text.trimEnd()}\n`);
  requireRight([one]);
}

/** `vds receipts verify`: every receipt of an archive, or those of files. Works offline. */
export async function verifyReceipts(context: Context, options: ReceiptsOptions, ...files: string[]): Promise<void> {
  const given = files.filter(Boolean);
  const { verifyReceipt } = await import('@vehicle-data/archive/receipts');
  if (given.length > 0 && options.publicKey === undefined)
    throw usageError('files need --public-key, the public key of who issued them');
  const keys = options.publicKey === undefined ? [] : await readKeys(options.publicKey);
  const found =
    given.length === 0
      ? (await openReceipts(context, options)).found
      : await Promise.all(
          given.map(async (path) => {
            const bytes = await readFile(path);
            return { path, text: bytes.toString('utf8'), check: await verifyReceipt(bytes, keys) };
          }),
        );
  const bad = found.flatMap(({ path, check }) => (check.ok ? [] : [{ path, reason: check.reason }]));
  context.output.record({ receipts: found.length, bad }, () => [
    `${found.length} receipts, ${found.length - bad.length} verified.`,
    ...bad.map(({ path, reason }) => `${reason}  ${path}`),
  ]);
  requireRight(found);
}

function requireRight(found: readonly Found[]): void {
  const bad = found.filter(({ check }) => !check.ok).length;
  if (bad === 0) return;
  throw new CliError('different', `${bad} receipts are not verified`, {
    hint: 'not-a-receipt, wrong-signature: it was changed. unknown-key: give the public key of its issuer with --public-key.',
    exitCode: exitCodes.different,
  });
}

async function writePage(context: Context, found: readonly Found[], output: string | undefined): Promise<void> {
  const { receiptsPage } = await import('@vehicle-data/archive/receipts');
  const page = receiptsPage(found);
  if (output === undefined) context.output.raw(page);
  else await writeFile(output, page);
}
