// The files of a lake in a bucket. Nothing rests on conditional writes, on ETags, or on what a store says of a put: each is looked at again.
import { setTimeout as wait } from 'node:timers/promises';
import type { BlobInfo, BlobStore } from '@vehicle-data/archive/store';
import { createS3Client, S3Error, type S3Patience, type S3Place, type S3Request } from './s3-client.js';
import { readPage, type S3Page } from './s3-pages.js';

/** So many objects are removed at a time. */
const removedAtOnce = 16;
/** How often a store is asked again that still lists what was removed, or does not know yet what was put. */
const looks = 6;
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

/**
 * A store in a bucket.
 *
 * @throws S3Error from its functions, where the store failed after several attempts or rejects the request.
 */
export function s3Blobs(place: S3Place, patience: S3Patience = {}): BlobStore {
  const send = createS3Client(place, patience);
  const { retryMs = 100 } = patience;
  const { prefix: root } = place;

  async function head(key: string): Promise<BlobInfo | undefined> {
    const { status, headers } = await send({ method: 'HEAD', key, expected: [404] });
    if (status === 404) return undefined;
    const sha256 = headers.get('x-amz-meta-sha256') ?? undefined;
    return { key, bytes: Number(headers.get('content-length') ?? Number.NaN), ...(sha256 && { sha256 }) };
  }

  async function* pages(query: Readonly<Record<string, string>>, more: Partial<S3Request> = {}) {
    let next: S3Page['next'];
    do {
      const page = await pageOf({ ...query, ...next }, more);
      if (!page) return;
      yield page;
      next = page.next;
    } while (next);
  }
  async function pageOf(query: Readonly<Record<string, string>>, more: Partial<S3Request> = {}) {
    const { status, bytes } = await send({ method: 'GET', key: '', query, ...more });
    const page = status === 200 ? readPage(textOf(bytes)) : undefined;
    if (status === 200 && !page)
      throw new S3Error('NoList', 'the object store sent no list of objects; check the endpoint');
    return page;
  }

  /** Removes what a list names. Returns the keys. */
  async function removeListed(page: S3Page, mayRemove?: () => Promise<void>): Promise<readonly string[]> {
    for (let at = 0; at < page.entries.length; at += removedAtOnce) {
      await mayRemove?.();
      const some = page.entries.slice(at, at + removedAtOnce);
      const removals = some.map(({ key, version }) =>
        send({
          method: 'DELETE',
          key: key.slice(root.length),
          ...(version !== undefined && { query: { versionId: version } }),
          expected: [404],
        }),
      );
      // None continues after this: whoever waits may lose the right to remove.
      await Promise.allSettled(removals);
      await Promise.all(removals);
    }
    return page.entries.map(({ key }) => key);
  }

  return {
    async put(key, bytes, { sha256 }) {
      // The store checks the hash that is signed; the one in the metadata says later what was put.
      const headers = { 'x-amz-content-sha256': sha256, 'x-amz-meta-sha256': sha256, 'content-type': typeOf(key) };
      await send({ method: 'PUT', key, headers, body: bytes });
      for (let look = 1; ; look += 1) {
        const found = await head(key);
        if (found?.bytes === bytes.byteLength && (found.sha256 ?? sha256) === sha256) return;
        if (look === looks)
          throw new S3Error('Lost', 'the object store said that it stored an object, and does not have it');
        await wait(retryMs * look);
      }
    },
    async get(key) {
      const { status, bytes } = await send({ method: 'GET', key, expected: [404] });
      if (status !== 404) return bytes;
      if (textOf(bytes).includes('NoSuchBucket'))
        throw new S3Error('NoSuchBucket', 'there is no such bucket', { status });
      return undefined;
    },
    head,
    async list(prefix, cursor) {
      const from = cursor === undefined ? {} : { 'continuation-token': cursor };
      const page = await pageOf({ 'list-type': '2', prefix: root + prefix, ...from });
      const blobs = (page?.entries ?? []).map(({ key, bytes }) => ({ key: key.slice(root.length), bytes }));
      const next = page?.next?.['continuation-token'];
      return { blobs, ...(next !== undefined && { cursor: next }) };
    },
    async remove(key) {
      await send({ method: 'DELETE', key, expected: [404] });
    },
    async removeAll(prefix, mayRemove) {
      if (!prefix.endsWith('/')) throw new TypeError('a prefix that is removed ends with a slash');
      const keys = new Set<string>();
      for (let look = 0; look < looks; look += 1) {
        let found = 0;
        const remove = async (page: S3Page) => {
          for (const key of await removeListed(page, mayRemove)) keys.add(key);
          found += page.entries.length;
        };
        // A bucket that keeps versions hides what is removed, and has it still. A store without versions rejects the query.
        let hasVersions = false;
        for await (const page of pages({ versions: '', prefix: root + prefix }, { expected: [400, 405, 501] })) {
          hasVersions ||= page.isOfVersions;
          await remove(page);
        }
        if (!hasVersions)
          for await (const page of pages({ 'list-type': '2', prefix: root + prefix })) await remove(page);
        if (found === 0) return keys.size;
        if (look > 1) await wait(retryMs * look);
      }
      throw new S3Error('StillListed', 'the object store still lists objects that were removed');
    },
  };
}

function typeOf(key: string): string {
  if (key.endsWith('.parquet')) return 'application/vnd.apache.parquet';
  return key.endsWith('json') ? 'application/json' : 'text/plain; charset=utf-8';
}
