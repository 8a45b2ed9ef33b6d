import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createArchive, openArchive, type ReadWindow } from '@vehicle-data/archive';
import { createVehicleDataClient, NoDataError } from '@vehicle-data/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFleetService, wrongToken } from './proofs/fleet-service.ts';
import { newLedger } from './support/databases.ts';
import { runHere, startProcess, startSandbox } from './support/program.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const demo = { brand: 'brand_a', accessToken: 'demo-access-token' } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-collector-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pollMs = 50;

/** The command that collects into a lake of the folder, and its environment. */
function startOf(lake: string, url: string, options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const all = ['--lake', join(folder, lake), '--base-url', url, '--brand', demo.brand, ...options];
  return [['start', ...all], { VDS_ACCESS_TOKEN: demo.accessToken, ...env }] as const;
}
/** Starts the program on a lake, as a process. */
const start = (...given: Parameters<typeof startOf>) => startProcess(...startOf(...given));
/** Collects into a lake until nothing is due, within the test. */
const collectOnce = (lake: string, url: string, options: readonly string[], env?: Readonly<Record<string, string>>) =>
  runHere(...startOf(lake, url, ['--once', '--max-rate', '1000', '--concurrency', '2', ...options], env));

/** Resolves when the lake has a file of trips. */
async function firstFile(lake: string): Promise<void> {
  while ((await filesOf(lake)).length === 0) await wait(pollMs);
}

const filesOf = async (lake: string) =>
  (await readdir(join(folder, lake), { recursive: true }).catch(() => []))
    .filter((name) => name.endsWith('.parquet'))
    .sort();

/** Compares a lake with what the archive makes of the same windows without a collector. */
async function expectAsExported(lake: string, url: string, since: string): Promise<void> {
  await using archive = await openArchive({ folder: join(folder, lake) });
  const client = createVehicleDataClient({ baseUrl: url, ...demo });
  const { vehicles } = await client.listVehicles();
  const calls = { driving: client.getDrivingData, powertrain: client.getPowertrainData };
  const readWindow: ReadWindow = async ({ series, signal, vin, startDate, endDate, zoneId }) => {
    try {
      return (await calls[series]({ vin, startDate, endDate, zoneId }, { signal })).trips;
    } catch (error) {
      if (error instanceof NoDataError) return [];
      throw error;
    }
  };
  const request = {
    vehicles: vehicles.map(({ vin }) => ({ brand: demo.brand, vin })),
    from: since,
    to: daysAgo(0),
    readWindow,
  };
  // Nothing is left to fetch but days that are not settled: the lake is an archive as any other.
  expect((await archive.plan(request)).filter(({ state }) => state === 'missing')).toEqual([]);
  expect((await archive.export(request)).vehicles.map(({ outcome }) => outcome)).toEqual(
    vehicles.map(() => 'complete'),
  );
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });

  const other = join(folder, `${lake}-exported`);
  await mkdir(other);
  for (const name of ['archive.json', 'archive.key']) await copyFile(join(folder, lake, name), join(other, name));
  await using exported = await createArchive({ folder: other, source: url });
  await exported.export(request);
  const files = await filesOf(lake);
  expect(files.length).toBeGreaterThan(1);
  expect(files).toEqual(await filesOf(`${lake}-exported`));
  for (const name of files)
    expect((await readFile(join(folder, lake, name))).equals(await readFile(join(other, name))), name).toBe(true);
}

test('what the sandbox sends is, file by file, what an export of the archive writes', async () => {
  const { url, stop } = await startSandbox(1);
  onTestFinished(stop);
  const since = daysAgo(2);
  expect((await collectOnce('sandbox', url, ['--since', since], await newLedger(folder))).code).toBe(0);
  await expectAsExported('sandbox', url, since);
});

test('so is a lake whose collector was killed and drained on the way, and a second collector beside it is rejected', async () => {
  const service = await startFleetService(5);
  onTestFinished(service.close);
  const since = daysAgo(12);
  // So slow that neither has everything before it ends.
  const slow = ['--since', since, '--max-rate', '1', '--concurrency', '1'];
  const killed = start('lake', service.url, slow);
  await firstFile('lake');
  const second = await collectOnce('lake', service.url, ['--since', since]);
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('another process works on this archive')]);
  killed.child.kill('SIGKILL');
  expect((await killed.ended).code).toBeNull();
  const drained = start('lake', service.url, slow);
  const before = (await filesOf('lake')).length;
  while ((await filesOf('lake')).length <= before) await wait(pollMs);
  drained.child.kill('SIGTERM');
  const { code, out } = await drained.ended;
  expect([code, out]).toEqual([130, expect.stringMatching(/^\d+ windows collected\./)]);
  expect((await collectOnce('lake', service.url, ['--since', since])).code).toBe(0);
  await expectAsExported('lake', service.url, since);
});

test('a withdrawal removes what the lake holds of the vehicle, and a list without most vehicles waits for a person', async () => {
  const service = await startFleetService(4);
  onTestFinished(service.close);
  const ledger = await newLedger(folder);
  const run = (more: readonly string[] = []) =>
    collectOnce('consent', service.url, ['--since', daysAgo(1), ...more], ledger);
  expect((await run()).code).toBe(0);
  const held = () => readdir(join(folder, 'consent', 'brand=brand_a'));
  expect(await held()).toHaveLength(4);
  const [first = '', ...others] = service.sharing;
  service.sharing.delete(first);
  const purged = await run();
  expect(purged.err).toContain('1 vehicles no longer share data');
  expect(await held()).toHaveLength(3);
  service.sharing.clear();
  const kept = await run();
  expect(kept.err).toContain('--confirm-purge 3');
  expect(await held()).toHaveLength(3);
  expect((await run(['--confirm-purge', '3'])).code).toBe(0);
  expect(await filesOf('consent')).toEqual([]);
  for (const { err } of [purged, kept]) for (const vin of [first, ...others]) expect(err).not.toContain(vin);
});

test('a vehicle that was purged from the lake for good is not collected again', async () => {
  const service = await startFleetService(2);
  onTestFinished(service.close);
  const ledger = await newLedger(folder);
  const run = () => collectOnce('erased', service.url, ['--since', daysAgo(1)], ledger);
  const vehicles = async () => (await readdir(join(folder, 'erased', 'brand=brand_a'))).sort();
  expect((await run()).code).toBe(0);
  const [first = '', ...others] = await vehicles();
  expect(others).toHaveLength(1);
  {
    await using archive = await openArchive({ folder: join(folder, 'erased') });
    await archive.purge({ vehicle: first.replace('vehicle=', '') });
  }
  expect(await vehicles()).toEqual(others);
  expect((await run()).code).toBe(0);
  expect(await vehicles()).toEqual(others);
});

test('a service that asks to wait is called again after that, and a rejected token ends a run with an exit code', async () => {
  const service = await startFleetService(2);
  onTestFinished(service.close);
  const days = ['--since', daysAgo(0)];
  let times = 1;
  service.failWith(({ series }) =>
    series === 'driving' && times-- > 0 ? { status: 429, code: '429', headers: { 'retry-after': '1' } } : undefined,
  );
  const limited = await collectOnce('limited', service.url, days, await newLedger(folder));
  expect(limited.err).toContain('The service failed (429); the next call is in 1 s.');
  // The window that was limited is due again a little later, and ends the run as failed.
  expect(limited.code).toBe(1);
  expect([...service.calls.values()].length).toBeGreaterThan(0);
  service.failWith(({ authorization }) => (authorization === `Bearer ${demo.accessToken}` ? undefined : wrongToken));
  const rejected = await collectOnce('rejected', service.url, days, {
    ...(await newLedger(folder)),
    VDS_ACCESS_TOKEN: 'not-a-token',
  });
  expect(rejected.code).toBe(1);
  expect(rejected.err).toContain('The service failed');
  expect(rejected.err).not.toContain('not-a-token');
});

test('options that are wrong are rejected without repeating a value', async () => {
  const wrong = [['--max-rate', 'SECRET', '--database-url', 'SECRET'], ['--since', 'SECRET'], ['--SECRET']];
  const processes = [start('unused', 'http://127.0.0.1:1', ['--SECRET']).ended];
  for (const { code, err } of await Promise.all([
    ...processes,
    ...wrong.map((options) => runHere(...startOf('unused', 'http://127.0.0.1:1', options))),
  ])) {
    expect(code).toBe(2);
    expect(err).not.toContain('SECRET');
  }
});
