// Receipts of an archive in a folder. What a receipt will say is written down before the last record of the vehicle goes; the receipt
// itself is issued when the vehicle is gone. So a crash in between loses none, and none is issued too early.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, makeFolders, replaceFile, textOf } from '../file-layer.js';
import { receiptDraft, receiptsFolder } from '../format/layout.js';
import { createReceiptKey, type ReceiptFacts, receiptSigner, receiptText, signReceipt } from '../receipts/receipt.js';
import type { VehicleKey } from '../store/state-store.js';

/** What is known of a purge before it is done. */
export type DraftedReceipt = Pick<ReceiptFacts, 'record_id' | 'signal' | 'storage' | 'storage_complete'>;

/** A receipt in a folder. */
export interface StoredReceipt {
  /** Path from the folder of the archive. */
  readonly path: string;
  /** The text that verifies. */
  readonly text: string;
}

/** Receipts of one archive. */
export type FolderReceipts = ReturnType<typeof folderReceipts>;

const keyName = 'receipts.key';

/** The receipts of an archive in a folder, and its key, which is made for the first of them. */
export function folderReceipts(files: FileLayer, folder: string, now: () => number) {
  const draftOf = ({ brand, vehicle }: VehicleKey) => `.receipt-${brand}-${vehicle}.json`;
  const names = async () => files.list(join(folder, receiptsFolder), 'files', '', false);

  async function signer() {
    const path = join(folder, keyName);
    if ((await textOf(files, path)) === undefined) await replaceFile(files, path, await createReceiptKey(), 0o600);
    const mode = (await files.stat(path))?.mode ?? 0;
    if (process.platform !== 'win32' && mode & 0o077)
      throw new ArchiveError('key-file-unsafe', `other users may read ${keyName}; run chmod 600 on it`);
    const made = await receiptSigner((await textOf(files, path)) ?? '').catch((cause: unknown) => {
      const reason = `${keyName} holds no key; restore it from a copy, or remove it and a new one is made`;
      throw new ArchiveError('key-file-unsafe', reason, { cause });
    });
    const open = join(folder, receiptsFolder, `${made.key}.pem`);
    await makeFolders(files, folder, receiptsFolder);
    if ((await textOf(files, open)) !== made.publicKey) await replaceFile(files, open, made.publicKey);
    return made;
  }

  return {
    /** Whether it is written down what the receipt of a purge will say. */
    hasDraft: async (vehicle: VehicleKey) => (await files.stat(join(folder, draftOf(vehicle)))) !== undefined,
    draft: (vehicle: VehicleKey, draft: DraftedReceipt) =>
      replaceFile(files, join(folder, draftOf(vehicle)), JSON.stringify(draft)),
    /** Vehicles whose receipt was drafted and not issued. */
    async drafts(): Promise<readonly VehicleKey[]> {
      return (await files.list(folder, 'files', '', false)).flatMap((name) => {
        const { brand, vehicle } = receiptDraft.exec(name)?.groups ?? {};
        return brand === undefined || vehicle === undefined ? [] : [{ brand, vehicle }];
      });
    },
    /** Issues the receipt of a vehicle that is gone, from its draft. Returns its path. */
    async issue({ brand, vehicle }: VehicleKey): Promise<string> {
      const at = join(folder, draftOf({ brand, vehicle }));
      const draft = JSON.parse((await textOf(files, at)) ?? '') as DraftedReceipt;
      const own = (await names()).filter((name) => name.startsWith(`${brand}-${vehicle}-`));
      // A crash may have come between a receipt and the end of its draft.
      for (const name of own) {
        const text = (await textOf(files, join(folder, receiptsFolder, name))) ?? '';
        if (text.includes(JSON.stringify(draft.record_id))) {
          await files.remove(at);
          return `${receiptsFolder}/${name}`;
        }
      }
      const numbers = own.map((name) => Number(/-(\d+)\.json$/.exec(name)?.[1] ?? 0));
      const generation = Math.max(0, ...numbers) + 1;
      const receipt = await signReceipt(
        {
          issuer: { component: 'archive', software: '@vehicle-data/archive', software_version: version() },
          pii_principal_id: vehicle,
          account: null,
          brand,
          ...draft,
          processing: 'dpv:Erase',
          completed: { time: new Date(now()).toISOString(), method: 'listed-empty' },
          generation,
        },
        await signer(),
      );
      const path = `${receiptsFolder}/${brand}-${vehicle}-${generation}.json`;
      await replaceFile(files, join(folder, path), receiptText(receipt));
      await files.remove(at);
      await files.syncFolder(folder);
      return path;
    },
    /** All receipts, in the order of brand, pseudonym and purge. */
    async list(): Promise<readonly StoredReceipt[]> {
      const found: StoredReceipt[] = [];
      for (const name of await names()) {
        const path = `${receiptsFolder}/${name}`;
        const text =
          name.endsWith('.json') && !name.startsWith('.') ? await textOf(files, join(folder, path)) : undefined;
        if (text !== undefined) found.push({ path, text });
      }
      return found;
    },
    /** The public keys of all receipts, as PEM. */
    async publicKeys(): Promise<readonly string[]> {
      const keys: string[] = [];
      for (const name of await names())
        if (/^[\w-]{43}\.pem$/.test(name)) keys.push((await textOf(files, join(folder, receiptsFolder, name))) ?? '');
      return keys;
    },
  };
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}
