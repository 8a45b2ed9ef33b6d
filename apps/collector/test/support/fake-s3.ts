// An object store for tests: the part of S3 that a lake uses, without signatures, with versions and with faults to order.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createS3Client, type S3Place } from '../../dist/lake/s3-client.js';

/** What happens to a request. */
export type Fault =
  | 'unavailable'
  /** Never responds. */
  | 'silent'
  | 'reset-before'
  /** Does what was asked for, and cuts the connection. */
  | 'reset-after'
  /** Says that it stored the object, and forgets it. */
  | 'lose'
  /** The list of before the last change. */
  | 'stale'
  | 'denied';

interface Version {
  readonly id: string;
  /** `undefined` for a delete marker. */
  readonly bytes: Buffer | undefined;
  readonly sha256: string | undefined;
}

/** Starts a store with one bucket, `lake`. */
export async function startFakeS3({ hasVersions = false, pageSize = 3 } = {}) {
  const objects = new Map<string, Version[]>();
  const asked: string[] = [];
  let fault: (request: { readonly method: string; readonly key: string }) => Fault | undefined = () => undefined;
  let listed: readonly string[] = [];
  let number = 0;
  const current = (key: string) => objects.get(key)?.at(-1);
  const keys = () => [...objects.keys()].filter((key) => current(key)?.bytes).sort();

  function put(key: string, version: Omit<Version, 'id'>): void {
    number += 1;
    const id = hasVersions ? `v${number}` : 'null';
    objects.set(key, [...(hasVersions ? (objects.get(key) ?? []) : []), { id, ...version }]);
  }
  function remove(key: string, id: string | null): void {
    if (id === null && hasVersions) {
      put(key, { bytes: undefined, sha256: undefined });
      return;
    }
    const left = (objects.get(key) ?? []).filter((version) => id !== null && version.id !== id);
    if (left.length === 0) objects.delete(key);
    else objects.set(key, left);
  }
  function list(query: URLSearchParams, all: readonly string[]): string {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const found = all.filter((key) => key.startsWith(prefix) && key > after);
    const page = found.slice(0, pageSize);
    const isCut = found.length > page.length;
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${current(key)?.bytes?.length ?? 0}</Size></Contents>`,
    );
    const token = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`;
  }
  function listVersions(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const found = [...objects].filter(([key]) => key.startsWith(prefix)).slice(0, pageSize);
    const entries = found.flatMap(([key, versions]) =>
      versions.map(({ id, bytes }) => {
        const name = bytes ? 'Version' : 'DeleteMarker';
        return `<${name}><Key>${key}</Key><VersionId>${id}</VersionId></${name}>`;
      }),
    );
    return `<ListVersionsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListVersionsResult>`;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://store');
    const method = request.method ?? '';
    const key = decodeURIComponent(url.pathname.replace(/^\/lake\/?/, ''));
    const body = await buffer(request);
    const now = fault({ method, key });
    asked.push(`${method} ${key}`);
    const send = (status: number, text: string | Buffer = '', headers: Readonly<Record<string, string>> = {}) => {
      if (now === 'reset-after') return request.socket.destroy();
      response.writeHead(status, {
        etag: '"of another object"',
        'content-length': `${Buffer.byteLength(text)}`,
        ...headers,
      });
      return response.end(method === 'HEAD' ? undefined : text);
    };
    if (now === 'silent') return;
    if (now === 'reset-before') return void request.socket.destroy();
    if (now === 'unavailable') return void send(503, '<Error><Code>SlowDown</Code></Error>', { 'retry-after': '0' });
    if (now === 'denied') return void send(403, '<Error><Code>AccessDenied</Code></Error>');
    if (!url.pathname.startsWith('/lake')) return void send(404, '<Error><Code>NoSuchBucket</Code></Error>');
    if (key === '' && url.searchParams.has('versions'))
      return void (hasVersions
        ? send(200, listVersions(url.searchParams))
        : send(501, '<Error><Code>NotImplemented</Code></Error>'));
    if (key === '') {
      const all = now === 'stale' ? listed : keys();
      return void send(200, list(url.searchParams, all));
    }
    listed = keys();
    if (method === 'PUT') {
      const sha256 = createHash('sha256').update(body).digest('hex');
      if (request.headers['x-amz-content-sha256'] !== sha256)
        return void send(400, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>');
      if (now !== 'lose') put(key, { bytes: body, sha256: request.headers['x-amz-meta-sha256'] as string | undefined });
      return void send(200);
    }
    if (method === 'DELETE') {
      remove(key, url.searchParams.get('versionId'));
      return void send(204);
    }
    const found = current(key);
    if (!found?.bytes) return void send(404, '<Error><Code>NoSuchKey</Code></Error>');
    send(200, found.bytes, found.sha256 === undefined ? {} : { 'x-amz-meta-sha256': found.sha256 });
  }

  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    place: placeAt(endpoint),
    /** What was asked for, as `PUT key`. */
    asked,
    /** Objects by key, without those that a version hides. */
    objects: () => new Map(keys().map((key) => [key, current(key)?.bytes ?? Buffer.of()])),
    /** Everything that the store still has, versions included. */
    everything: () => [...objects.keys()],
    /** Changes an object behind the back of everyone. */
    damage(key: string, bytes: Buffer | undefined) {
      if (bytes) objects.set(key, [{ id: 'null', bytes, sha256: undefined }]);
      else objects.delete(key);
    },
    failWith(next: typeof fault) {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A bucket `lake` at an address. */
export const placeAt = (endpoint: string): S3Place => ({
  ...{ bucket: 'lake', prefix: 'fleet/a/', endpoint, region: 'eu-central-1', isPathStyle: true },
  credentials: () => ({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: undefined }),
});

/** Makes a bucket `lake`. */
export async function makeBucket(endpoint: string): Promise<void> {
  await createS3Client(placeAt(endpoint))({ method: 'PUT', key: '' });
}
