// What every place for files promises, as the archive writes it down for `BlobStore`.
import { createHash } from 'node:crypto';
import type { BlobStore } from '@vehicle-data/archive/store';
import { expect, test } from 'vitest';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Every object below a prefix. */
export async function allOf(blobs: BlobStore, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await blobs.list(prefix, cursor);
    keys.push(...page.blobs.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return keys;
}

/**
 * Tests of a store that is empty at first.
 *
 * @param isInOrder Whether its lists are in the order of keys.
 */
export function storeContract(open: () => Promise<BlobStore>, isInOrder: boolean): void {
  const listOf = async (blobs: BlobStore, prefix: string) => {
    const keys = await allOf(blobs, prefix);
    return isInOrder ? keys : keys.toSorted();
  };
  const put = (blobs: BlobStore, key: string, text: string) =>
    blobs.put(key, bytesOf(text), { sha256: sha256Of(bytesOf(text)) });

  test('an object is written whole, replaced whole, and removed; one that is not there is undefined', async () => {
    const blobs = await open();
    const key = 'brand=a/vehicle=01/series=driving/month=2026-03/2026-03-01_2026-03-08.parquet';
    expect([await blobs.get(key), await blobs.head(key)]).toEqual([undefined, undefined]);
    for (const text of ['first', 'second, which is longer', 'second, which is longer', 'x']) {
      await put(blobs, key, text);
      expect(Buffer.from((await blobs.get(key)) ?? []).toString()).toBe(text);
      const head = await blobs.head(key);
      expect(head).toMatchObject({ key, bytes: text.length });
      expect([undefined, sha256Of(bytesOf(text))]).toContain(head?.sha256);
    }
    await blobs.remove(key);
    await blobs.remove(key);
    expect([await blobs.get(key), await blobs.head(key)]).toEqual([undefined, undefined]);
  });

  test('a list has every object below a prefix once, over pages, in the order of keys, and no other', async () => {
    const blobs = await open();
    const keys = ['a', 'a-b', 'b', 'b/c', 'd'].map((name) => `brand=l/vehicle=${name}/file.parquet`);
    for (const key of [...keys, 'brand=l2/file.parquet']) await put(blobs, key, key);
    expect(await listOf(blobs, 'brand=l/')).toEqual([...keys].sort());
    expect(await listOf(blobs, 'brand=l/vehicle=b/')).toEqual(keys.filter((key) => key.includes('=b/')).sort());
    expect(await listOf(blobs, 'brand=none/')).toEqual([]);
    expect(await listOf(blobs, '')).toEqual(expect.arrayContaining(['brand=l2/file.parquet']));
  });

  test('everything below a prefix goes where that is allowed, and is counted, and nothing beside it', async () => {
    const blobs = await open();
    const keys = Array.from(
      { length: 7 },
      (_, at) => `brand=r/vehicle=0f/series=driving/month=2026-0${at + 1}/x.parquet`,
    );
    for (const key of [...keys, 'brand=r/vehicle=0fa/kept.parquet']) await put(blobs, key, key);
    const mayNot = () => Promise.reject(new Error('taken over'));
    await expect(blobs.removeAll('brand=r/vehicle=0f/', mayNot)).rejects.toThrow('taken over');
    expect(await blobs.removeAll('brand=r/vehicle=0f/')).toBe(7);
    expect(await listOf(blobs, 'brand=r/')).toEqual(['brand=r/vehicle=0fa/kept.parquet']);
    expect(await blobs.removeAll('brand=r/vehicle=0f/')).toBe(0);
  });
}
