import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openArchive } from '@vehicle-data/archive';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFleetService } from './proofs/fleet-service.ts';
import { newLedger } from './support/databases.ts';
import { startFakeS3 } from './support/fake-s3.ts';
import { runHere } from './support/program.ts';

const since = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10);
const key = '5a'.repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-bucket-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A bucket, a service with some vehicles, and the settings to collect from one into the other. */
async function startBoth(options: Parameters<typeof startFakeS3>[0]) {
  const [store, service] = [await startFakeS3(options), await startFleetService(3)];
  onTestFinished(store.close);
  onTestFinished(service.close);
  const env = {
    ...{ VDS_LAKE: 's3://lake/fleet', VDS_S3_ENDPOINT: store.endpoint, VDS_PSEUDONYM_KEY: key, VDS_BRAND: 'brand_a' },
    ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', VDS_BASE_URL: service.url },
    ...{ VDS_SINCE: since, VDS_MAX_RATE: '1000', VDS_CONCURRENCY: '2' },
  };
  return { store, service, env };
}
const isTrips = (name: string) => name.endsWith('.parquet');

/** What the bucket has below the prefix, as a folder: what copying the bucket gives. */
async function copyOf(objects: ReadonlyMap<string, Buffer>, name: string): Promise<string> {
  const copy = join(folder, name);
  for (const [path, bytes] of objects) {
    const at = join(copy, path.replace('fleet/', ''));
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, bytes);
  }
  await writeFile(join(copy, 'archive.key'), `${key}\n`);
  await chmod(join(copy, 'archive.key'), 0o600);
  return copy;
}
/** The hash of each file of trips. */
const tripFiles = async (lake: string) =>
  new Map(
    await Promise.all(
      (await readdir(lake, { recursive: true })).filter(isTrips).map(async (name) => {
        const hash = createHash('sha256').update(await readFile(join(lake, name)));
        return [name, hash.digest('hex')] as const;
      }),
    ),
  );

test('a bucket that fails now and then has, byte by byte, what a folder has; its copy is an archive; a withdrawal leaves nothing', async () => {
  const { store, service, env: given } = await startBoth({ hasVersions: true, pageSize: 50 });
  const env = { ...given, ...(await newLedger(folder)) };
  let requests = 0;
  const faults = ['unavailable', 'reset-before', 'reset-after'] as const;
  store.failWith(() => (++requests % 9 === 0 ? faults[requests % faults.length] : undefined));
  const first = await runHere(['start', '--once'], env);
  expect([first.code, first.err]).toEqual([0, expect.any(String)]);

  const copy = await copyOf(store.objects(), 'copy');
  {
    await using archive = await openArchive({ folder: copy, readOnly: true });
    expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });
    expect(new Set((await archive.vehicles()).map(({ vehicle }) => vehicle)).size).toBe(3);
  }
  // The same windows in a folder, with the same pseudonyms.
  const other = join(folder, 'folder');
  await mkdir(other);
  await writeFile(join(other, 'archive.key'), `${key}\n`, { mode: 0o600 });
  const inFolder = { ...env, VDS_LAKE: other, ...(await newLedger(folder)) };
  expect((await runHere(['start', '--once'], inFolder)).code).toBe(0);
  expect(await tripFiles(copy)).toEqual(await tripFiles(other));
  expect(store.objects().get('fleet/views.duckdb.sql')?.toString()).toContain("'s3://lake/fleet/brand=*/");

  const vehicles = () =>
    new Set(
      store
        .everything()
        .map((path) => /vehicle=\w+/.exec(path)?.[0])
        .filter(Boolean),
    );
  const before = vehicles().size;
  const [vin = ''] = service.sharing;
  service.sharing.delete(vin);
  expect((await runHere(['start', '--once'], env)).err).toContain('1 vehicles no longer share data');
  expect(vehicles().size).toBe(before - 1);
  expect([...store.everything()].filter((path) => path.includes('probe'))).toEqual([]);
  const receipts = await runHere(['receipts', 'list', '--json'], env);
  expect(JSON.parse(receipts.out)).toMatchObject({
    account: 'brand_a',
    signal: { event_type: 'list' },
    storage_complete: true,
  });
  const file = join(folder, 'receipts.ndjson');
  await writeFile(file, receipts.out);
  expect((await runHere(['receipts', 'verify', file], env)).out).toBe('1 receipts verified.\n');
  await writeFile(file, receipts.out.replace('"list"', '"error"'));
  expect(await runHere(['receipts', 'verify', file], env)).toMatchObject({
    code: 1,
    out: 'receipt 1: wrong-signature\n',
  });
});

test('a bucket of another ledger, and one that cannot be written, are left alone; one whose ledger is gone is taken over', async () => {
  const { store, env } = await startBoth({ pageSize: 1000 });
  const ledgers = { first: await newLedger(folder), other: await newLedger(folder), wrong: await newLedger(folder) };
  const once = (ledger: keyof typeof ledgers, more: readonly string[] = [], changes = {}) =>
    runHere(['start', '--once', ...more], { ...env, ...ledgers[ledger], ...changes });
  // As an init step does, in every replica.
  const migrated = [
    await runHere(['migrate'], { ...env, ...ledgers.first }),
    await runHere(['migrate'], { ...env, ...ledgers.first }),
  ].map(({ out }) => out);
  expect(migrated).toEqual([
    expect.stringMatching(/was at version 0 and is at (\d+) now/),
    expect.stringMatching(/^The ledger is at version/),
  ]);
  expect((await once('first')).code).toBe(0);
  const asked = store.asked.length;
  const other = await once('other');
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('--adopt-lake')]);
  const wrongKey = await once('wrong', [], { VDS_PSEUDONYM_KEY: '00'.repeat(32) });
  expect([wrongKey.code, wrongKey.err]).toEqual([1, expect.stringContaining('another keyId')]);
  store.failWith(({ method }) => (method === 'PUT' ? 'denied' : undefined));
  const readOnly = await once('first');
  expect([readOnly.code, readOnly.err]).toEqual([1, expect.stringContaining('must be writable')]);
  store.failWith(() => undefined);
  expect(store.asked.slice(asked).filter((line) => line.startsWith('PUT'))).toHaveLength(1);

  const from = store.asked.length;
  const adopted = await once('other', ['--adopt-lake']);
  expect(adopted.code).toBe(0);
  // Settled windows are known from the manifests.
  const settled = [...store.objects()].flatMap(([path, bytes]) =>
    path.endsWith('_manifest.ndjson')
      ? String(bytes)
          .split('\n')
          .filter((line) => line.includes('"settled":true'))
      : [],
  );
  expect(settled.length).toBeGreaterThan(0);
  const put = store.asked.slice(from).filter((line) => line.startsWith('PUT') && isTrips(line));
  expect(put).toEqual([]);
  expect((await once('first')).err).toContain('--adopt-lake');
});

test('a plan says what collecting takes, and files that are missing or damaged are found and fetched again', async () => {
  const { store, env: given } = await startBoth({ pageSize: 7 });
  const env = { ...given, ...(await newLedger(folder)) };
  type Plan = { vehicles: number; windowsOfVehicle: number; calls: number; bytesOfWindow?: number };
  const plan = async () => JSON.parse((await runHere(['plan', '--json'], env)).out) as Plan;
  const before = await plan();
  expect(before.vehicles).toBeGreaterThan(1);
  expect(before.calls).toBe(before.vehicles * before.windowsOfVehicle);
  expect(before.bytesOfWindow).toBeUndefined();
  expect((await runHere(['start', '--once'], env)).code).toBe(0);
  const after = await plan();
  expect([after.vehicles, after.calls]).toEqual([before.vehicles, 0]);
  expect(after.bytesOfWindow).toBeGreaterThan(100);

  type Report = { problems: { code: string; path: string }[]; repaired: number; files: number };
  const verify = async (...options: string[]) => {
    const { code, out } = await runHere(['verify', '--json', ...options], env);
    return { code, ...(JSON.parse(out) as Report) };
  };
  const objects = store.objects();
  const trips = [...objects.keys()].filter(isTrips);
  expect(await verify()).toMatchObject({ code: 0, problems: [], files: trips.length });
  const [lost = '', damaged = '', other = ''] = trips;
  const foreign = `fleet/brand=brand_a/vehicle=${'e'.repeat(32)}/x.parquet`;
  store.damage(lost, undefined);
  store.damage(damaged, Buffer.from('PAR1'));
  store.damage(foreign, objects.get(other));
  const found = await verify();
  expect(found.code).toBe(1);
  expect(found.problems.map(({ code, path }) => `${code} fleet/${path}`).sort()).toEqual(
    [`missing-file ${lost}`, `unknown-file ${foreign}`, `wrong-file ${damaged}`].sort(),
  );
  expect((await verify('--sample', '2')).files).toBeLessThan(trips.length);
  expect(await verify('--repair')).toMatchObject({ code: 1, repaired: 2 });
  expect((await runHere(['start', '--once'], env)).code).toBe(0);
  expect((await verify()).problems.map(({ code }) => code)).toEqual(['unknown-file']);
  for (const path of [lost, damaged]) expect(store.objects().get(path)).toEqual(objects.get(path));
});
