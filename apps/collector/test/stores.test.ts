import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, folderStores } from '@vehicle-data/archive/store';
import S3rver from 's3rver';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { s3Blobs } from '../src/lake/s3-blobs.ts';
import { type Fault, makeBucket, placeAt, startFakeS3 } from './support/fake-s3.ts';
import { storeContract } from './support/store-contract.ts';

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vds-store-'));
  ends.push(() => rm(folder, { recursive: true }));
  return folder;
};
const quick = { retryMs: 1 };

/** A store that checks signatures. */
async function openS3rver(): Promise<BlobStore> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: await newFolder(),
    resetOnClose: true,
  });
  const { port } = await server.run();
  ends.push(() => server.close());
  const endpoint = `http://127.0.0.1:${port}`;
  await makeBucket(endpoint);
  return s3Blobs(placeAt(endpoint), quick);
}
async function openFake(options: { readonly hasVersions: boolean }): Promise<BlobStore> {
  const store = await startFakeS3(options);
  ends.push(store.close);
  return s3Blobs(store.place, quick);
}

// s3rver compares keys as words of a language, and not by their bytes as S3 does.
describe.for<{ readonly name: string; readonly open: () => Promise<BlobStore>; readonly isInOrder?: boolean }>([
  { name: 'a folder', open: async () => folderStores(await newFolder()).blobs },
  { name: 's3rver', open: openS3rver, isInOrder: false },
  { name: 'a bucket', open: () => openFake({ hasVersions: false }) },
  { name: 'a bucket that keeps versions', open: () => openFake({ hasVersions: true }) },
])('a store of bytes in $name', ({ open, isInOrder = true }) => storeContract(open, isInOrder));

const bytes = new TextEncoder().encode('trips of a week');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const key = 'brand=a/vehicle=01/x.parquet';

async function startFaulty(patience: { readonly timeoutMs?: number; readonly attempts?: number } = {}) {
  const store = await startFakeS3();
  onTestFinished(store.close);
  return { store, blobs: s3Blobs(store.place, { ...quick, ...patience }) };
}

test.for<Fault>(['unavailable', 'reset-before', 'reset-after', 'silent'])(
  'a request that ends %s twice is sent again, and its object is there once',
  async (fault) => {
    const { store, blobs } = await startFaulty({ timeoutMs: fault === 'silent' ? 200 : 30_000, attempts: 9 });
    for (const method of ['PUT', 'GET', 'HEAD', 'DELETE']) {
      let times = 2;
      store.failWith((request) => (request.method === method && times-- > 0 ? fault : undefined));
      await blobs.put(key, bytes, { sha256 });
      expect(await blobs.get(key)).toEqual(Buffer.from(bytes));
      expect((await blobs.list('brand=a/')).blobs).toEqual([{ key, bytes: bytes.byteLength }]);
      if (method === 'DELETE') await blobs.removeAll('brand=a/');
      expect(times).toBeLessThanOrEqual(0);
    }
    expect([...store.objects().keys()]).toEqual([]);
  },
);

test('a store that says it stored an object and did not is found out, and one that is told the wrong hash rejects it', async () => {
  const { store, blobs } = await startFaulty();
  store.failWith(({ method }) => (method === 'PUT' ? 'lose' : undefined));
  await expect(blobs.put(key, bytes, { sha256 })).rejects.toThrow('does not have it');
  store.failWith(() => undefined);
  await expect(blobs.put(key, bytes, { sha256: '0'.repeat(64) })).rejects.toThrow('XAmzContentSHA256Mismatch');
  expect(store.objects().size).toBe(0);
});

test('what a stale list still has, or has not yet, is not taken for gone', async () => {
  const { store, blobs } = await startFaulty();
  await blobs.put('brand=a/one', bytes, { sha256 });
  await blobs.put('brand=a/two', bytes, { sha256 });
  let lists = 0;
  // The first list does not have the second object.
  store.failWith(({ key: of }) => (of === '' && lists++ === 1 ? 'stale' : undefined));
  await blobs.removeAll('brand=a/');
  expect(store.objects().size).toBe(0);
  store.failWith(({ method }) => (method === 'DELETE' ? 'denied' : undefined));
  await blobs.put('brand=a/one', bytes, { sha256 });
  await expect(blobs.removeAll('brand=a/')).rejects.toThrow('s3:DeleteObject');
});

test('a right to remove that is lost on the way ends a removal before its next objects', async () => {
  const store = await startFakeS3({ pageSize: 100 });
  onTestFinished(store.close);
  const blobs = s3Blobs(store.place, quick);
  for (let count = 0; count < 40; count += 1) await blobs.put(`brand=a/${count}`, bytes, { sha256 });
  let asked = 0;
  const mayRemove = async () => {
    asked += 1;
    if (asked === 3) throw new Error('taken over');
  };
  await expect(blobs.removeAll('brand=a/', mayRemove)).rejects.toThrow('taken over');
  expect(store.objects().size).toBe(8);
  expect(await blobs.removeAll('brand=a/', async () => {})).toBe(8);
});

test('where one of several removals fails, the others have ended before it rejects', async () => {
  const { store, blobs } = await startFaulty({ timeoutMs: 1000, attempts: 2 });
  await blobs.put('brand=a/one', bytes, { sha256 });
  await blobs.put('brand=a/two', bytes, { sha256 });
  store.failWith(({ method, key: of }) => {
    if (method !== 'DELETE') return undefined;
    return of.endsWith('/one') ? 'denied' : 'silent';
  });
  await expect(blobs.removeAll('brand=a/')).rejects.toThrow('s3:DeleteObject');
  expect(store.asked.filter((one) => /^DELETE .*\/two$/.test(one))).toHaveLength(2);
});

test('of a bucket that keeps versions nothing is left of what was removed', async () => {
  const store = await startFakeS3({ hasVersions: true });
  onTestFinished(store.close);
  const blobs = s3Blobs(store.place, quick);
  for (const text of ['one', 'two', 'three']) {
    const content = new TextEncoder().encode(text);
    await blobs.put(key, content, { sha256: createHash('sha256').update(content).digest('hex') });
  }
  await blobs.remove(key);
  expect(store.everything()).toHaveLength(1);
  expect(await blobs.removeAll('brand=a/')).toBe(1);
  expect(store.everything()).toEqual([]);
});

test('a store that is down, one that rejects, and a bucket that does not exist: errors that say what to do, and name no key', async () => {
  const { store, blobs } = await startFaulty({ attempts: 2 });
  const failures: string[] = [];
  const fails = async (step: () => Promise<unknown>) => {
    const error = await step().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    failures.push(error instanceof Error ? error.message : 'none');
  };
  store.failWith(() => 'reset-before');
  await fails(() => blobs.get(key));
  store.failWith(() => 'denied');
  await fails(() => blobs.put(key, bytes, { sha256 }));
  store.failWith(() => undefined);
  const elsewhere = s3Blobs({ ...store.place, bucket: 'other' }, quick);
  await fails(() => elsewhere.get(key));
  await fails(() => elsewhere.list('brand=a/'));
  expect(failures).toEqual([
    expect.stringContaining('cannot be reached'),
    expect.stringContaining('s3:PutObject'),
    expect.stringContaining('no such bucket'),
    expect.stringContaining('no such bucket'),
  ]);
  expect(failures.join()).not.toContain('vehicle=01');
});
