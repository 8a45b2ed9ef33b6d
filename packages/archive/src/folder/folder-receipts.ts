// Receipts of an archive in a folder. What a receipt will say is written down before the last record of the vehicle goes; the receipt
// itself is issued when the vehicle is gone. So a crash in between loses none, and none is issued too early.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, makeFolders, placeFile, replaceFile, textOf } from '../file-layer.js';
import { receiptDraft, receiptsFolder } from '../format/layout.js';
import {
  createReceiptKey,
  type ReceiptFacts,
  type ReceiptSigner,
  receiptSigner,
  receiptText,
  signReceipt,
} from '../receipts/receipt.js';
import type { VehicleKey } from '../store/state-store.js';
import { allOf } from './purged-folders.js';

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

  /** Writes the receipt of a vehicle. Its name survives a crash when the folder does. */
  async function issueOne({ brand, vehicle }: VehicleKey, there: readonly string[], made: ReceiptSigner) {
    const draft = JSON.parse((await textOf(files, join(folder, draftOf({ brand, vehicle })))) ?? '') as DraftedReceipt;
    const own = there.filter((name) => name.startsWith(`${brand}-${vehicle}-`));
    // A crash may have come between a receipt and the end of its draft.
    for (const name of own) {
      const text = (await textOf(files, join(folder, receiptsFolder, name))) ?? '';
      if (text.includes(JSON.stringify(draft.record_id))) return `${receiptsFolder}/${name}`;
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
      made,
    );
    const path = `${receiptsFolder}/${brand}-${vehicle}-${generation}.json`;
    await placeFile(files, join(folder, path), receiptText(receipt));
    return path;
  }

  return {
    /** Whether it is written down what the receipt of a purge will say. */
    hasDraft: async (vehicle: VehicleKey) => (await files.stat(join(folder, draftOf(vehicle)))) !== undefined,
    /** Writes down what the receipt of a purge will say. It survives a crash once `syncDrafts` has resolved as well. */
    draft: (vehicle: VehicleKey, draft: DraftedReceipt) =>
      placeFile(files, join(folder, draftOf(vehicle)), JSON.stringify(draft)),
    syncDrafts: () => files.syncFolder(folder),
    /** Vehicles whose receipt was drafted and not issued. */
    async drafts(): Promise<readonly VehicleKey[]> {
      return (await files.list(folder, 'files', '', false)).flatMap((name) => {
        const { brand, vehicle } = receiptDraft.exec(name)?.groups ?? {};
        return brand === undefined || vehicle === undefined ? [] : [{ brand, vehicle }];
      });
    },
    /** Issues the receipts of vehicles that are gone, from their drafts. Returns their paths. */
    async issue(vehicles: readonly VehicleKey[]): Promise<readonly string[]> {
      if (vehicles.length === 0) return [];
      const [there, made] = [await names(), await signer()];
      const paths = await allOf(vehicles.map((vehicle) => issueOne(vehicle, there, made)));
      // Before the drafts go.
      await files.syncFolder(join(folder, receiptsFolder));
      await allOf(vehicles.map((vehicle) => files.remove(join(folder, draftOf(vehicle)))));
      await files.syncFolder(folder);
      return paths;
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
