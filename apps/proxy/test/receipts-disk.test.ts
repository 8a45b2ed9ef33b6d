// What a disk does to receipts of withdrawals: the success waits until the name is on it, and one that fails in between takes no second number.
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FenceReceipts } from '../src/receipts/fence-receipts.ts';
import { newFile } from './support/program.ts';

/** Receipts in a new folder, and what happens before each time that names of it are forced to the disk. */
async function start(beforeSync: (names: readonly string[]) => void = () => {}) {
  const keyFile = newFile('receipts.key');
  writeFileSync(keyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
  const folder = join(newFile('receipts'), 'folder');
  const warnings = { raise: () => {}, clear: () => {} };
  const options = { folder, keyFile, hashKey: 'k'.repeat(32) };
  const receipts = await FenceReceipts.open(options, '0.0.0', warnings, () => {});
  const names = () => readdirSync(folder).filter((name) => name.endsWith('.json'));
  await using handle = await open(keyFile);
  const files: FileHandle = Object.getPrototypeOf(handle);
  const { sync } = files;
  const spy = vi.spyOn(files, 'sync').mockImplementation(async function (this: FileHandle) {
    if ((await this.stat()).isDirectory()) beforeSync(names());
    return sync.call(this);
  });
  onTestFinished(async () => {
    spy.mockRestore();
    await receipts.close();
  });
  const withdrawn = {
    brand: 'brand_a',
    vin: 'TESTVEHICLE000001',
    owner: '',
    client: '',
    requestId: 'request-1',
    timeMs: Date.now(),
    isKept: () => true,
  };
  return { names, issue: (tag: string) => receipts.issue({ ...withdrawn, tag }), counts: receipts.counts, receipts };
}

it('the success of a withdrawal waits until the name of its receipt is on the disk', async () => {
  let onDisk: readonly string[] = [];
  const { names, issue } = await start((there) => (onDisk = there));
  await issue('one');
  expect(names()).toHaveLength(1);
  expect(onDisk).toEqual(names());
});

it('a disk that fails after a receipt has its name gets no second number from the next try', async () => {
  let failures = 0;
  const { names, issue, counts } = await start((there) => {
    if (there.length === 0 || failures === 2) return;
    failures += 1;
    throw Object.assign(new Error('the disk failed'), { code: 'EIO' });
  });
  await issue('one');
  await expect.poll(() => counts.issued).toBe(1);
  expect(failures).toBe(2);
  expect(names()).toEqual([expect.stringMatching(/-1\.json$/)]);
});

it('a process that stops tries again to write a receipt when the disk fails once', async () => {
  let failures = 0;
  const { names, issue, counts, receipts } = await start((there) => {
    if (there.length === 0 || failures === 2) return;
    failures += 1;
    throw Object.assign(new Error('the disk failed'), { code: 'EIO' });
  });
  const issued = issue('one');
  await expect.poll(() => failures).toBeGreaterThan(0);
  await receipts.close();
  await issued;
  expect([counts, names().length]).toEqual([{ issued: 1, lost: 0 }, 1]);
});
