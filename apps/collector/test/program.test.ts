import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createArchive, openArchive, type ReadWindow } from '@vehicle-data/archive';
import { createVehicleDataClient, NoDataError } from '@vehicle-data/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, prepareLedger, startPostgres } from './support/databases.ts';
import { runHere, startProcess, startSandbox } from './support/program.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const since = daysAgo(12);
const demo = { brand: 'brand_a', accessToken: 'demo-access-token' } as const;

let url: string;
let folder: string;
let stopSandbox: () => Promise<void>;
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-collector-'));
  ({ url, stop: stopSandbox } = await startSandbox());
});
afterAll(async () => {
  await stopSandbox();
  await postgres?.stop();
  await rm(folder, { recursive: true });
});

const pollMs = 50;

/** The command that collects into a lake of the folder, and its environment. */
function startOf(lake: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const first = more.includes('--since') ? [] : ['--since', since];
  const options = ['--lake', join(folder, lake), '--base-url', url, '--brand', demo.brand, ...first, ...more];
  return [['start', ...options], { VDS_ACCESS_TOKEN: demo.accessToken, ...env }] as const;
}
/** Starts the program on a lake, as a process. */
const start = (...given: Parameters<typeof startOf>) => startProcess(...startOf(...given));
/** Collects once into a lake, within the test. */
const collect = (...given: Parameters<typeof startOf>) => runHere(...startOf(...given));

/** Resolves when the lake has a file of trips. */
async function firstFile(lake: string): Promise<void> {
  while ((await filesOf(lake)).length === 0) await wait(pollMs);
}

const filesOf = async (lake: string) =>
  (await readdir(join(folder, lake), { recursive: true }).catch(() => []))
    .filter((name) => name.endsWith('.parquet'))
    .sort();

const control = async (name: string, body: object, method = 'POST') => {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/sandbox/${name}`, { method, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) });
};

test('a lake whose collector was killed and drained on the way is, file by file, what an export of the archive writes', async () => {
  // So slow that neither has everything before it ends.
  const killed = start('lake', ['--max-rate', '2']);
  await firstFile('lake');
  killed.child.kill('SIGKILL');
  expect((await killed.ended).code).toBeNull();
  const drained = start('lake', ['--max-rate', '2']);
  const before = (await filesOf('lake')).length;
  while ((await filesOf('lake')).length <= before) await wait(pollMs);
  drained.child.kill('SIGTERM');
  expect((await drained.ended).code).toBe(130);
  expect((await collect('lake', ['--once', '--max-rate', '1000'])).code).toBe(0);

  await using archive = await openArchive({ folder: join(folder, 'lake') });
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
  const today = daysAgo(0);
  const request = {
    vehicles: vehicles.map(({ vin }) => ({ brand: demo.brand, vin })),
    from: since,
    to: today,
    readWindow,
  };
  // Nothing is left to fetch but days that are not settled: the lake is an archive as any other.
  expect((await archive.plan(request)).filter(({ state }) => state === 'missing')).toEqual([]);
  expect((await archive.export(request)).vehicles.map(({ outcome }) => outcome)).toEqual(
    vehicles.map(() => 'complete'),
  );
  expect(await archive.verify()).toMatchObject({ ok: true, problems: [] });

  const other = join(folder, 'exported');
  await mkdir(other);
  for (const name of ['archive.json', 'archive.key']) await copyFile(join(folder, 'lake', name), join(other, name));
  await using exported = await createArchive({ folder: other, source: url });
  await exported.export(request);
  expect(await filesOf('lake')).toEqual(await filesOf('exported'));
  for (const name of await filesOf('lake'))
    expect(await readFile(join(folder, 'lake', name))).toEqual(await readFile(join(other, name)));
});

/** An embedded ledger that is migrated: a lake that the program starts anew is that of the first test. */
const withLedger = (lake: string) => prepareLedger(join(folder, `${lake}.ledger`));
/** A ledger in PostgreSQL where the machine has it: several starts of the embedded one take most of a test. */
async function ledgerOf(lake: string): Promise<Readonly<Record<string, string>>> {
  if (hasPostgres) {
    postgres ??= await startPostgres();
    return { VDS_DATABASE_URL: await postgres.create(lake) };
  }
  await withLedger(lake);
  return {};
}

test('a withdrawal removes what the lake holds of the vehicle, and a list without most vehicles waits for a person', async () => {
  const ledger = await ledgerOf('consent');
  const recent = daysAgo(1);
  const run = (more: readonly string[] = []) =>
    collect('consent', ['--once', '--max-rate', '1000', '--since', recent, ...more], ledger);
  onTestFinished(() => control('reset', {}));
  expect((await run()).code).toBe(0);
  const held = () => readdir(join(folder, 'consent', 'brand=brand_a'));
  const all = await held();
  const client = createVehicleDataClient({ baseUrl: url, ...demo });
  const [first, ...others] = (await client.listVehicles()).vehicles;
  await client.stopSharing({ vin: first?.vin ?? '' });
  const purged = await run();
  expect(purged.err).toContain('1 vehicles no longer share data');
  expect(all).toHaveLength(others.length + 1);
  expect(await held()).toHaveLength(others.length);
  for (const { vin } of others) await client.stopSharing({ vin });
  const kept = await run();
  expect(kept.err).toContain(`--confirm-purge ${others.length}`);
  expect(await held()).toHaveLength(others.length);
  expect((await run(['--confirm-purge', `${others.length}`])).code).toBe(0);
  expect(await filesOf('consent')).toEqual([]);
  for (const { err } of [purged, kept]) for (const { vin } of others) expect(err).not.toContain(vin);
});

test('a vehicle that was purged from the lake for good is not collected again', async () => {
  const ledger = await ledgerOf('erased');
  const run = () => collect('erased', ['--once', '--max-rate', '1000', '--since', daysAgo(1)], ledger);
  const vehicles = async () => (await readdir(join(folder, 'erased', 'brand=brand_a'))).sort();
  expect((await run()).code).toBe(0);
  const [first = '', ...others] = await vehicles();
  {
    await using archive = await openArchive({ folder: join(folder, 'erased') });
    await archive.purge({ vehicle: first.replace('vehicle=', '') });
  }
  expect(await vehicles()).toEqual(others);
  expect((await run()).code).toBe(0);
  expect(await vehicles()).toEqual(others);
});

test('a service that asks to wait is called again after that, and a rejected token ends a run with an exit code', async () => {
  onTestFinished(() => control('faults', {}, 'DELETE'));
  const days = ['--once', '--max-rate', '1000', '--concurrency', '1', '--since', daysAgo(0)];
  await control('faults', {
    kind: 'error',
    code: '429',
    operationId: 'getDrivingData',
    times: 1,
    retryAfterSeconds: 1,
  });
  const limited = await collect('limited', days, await ledgerOf('limited'));
  expect(limited.err).toContain('The service failed (429); the next call is in 1 s.');
  // The window that was limited is due again a little later, and ends the run as failed.
  expect(limited.code).toBe(1);
  const rejected = await collect('rejected', days, {
    ...(await ledgerOf('rejected')),
    VDS_ACCESS_TOKEN: 'not-a-token',
  });
  expect(rejected.code).toBe(1);
  expect(rejected.err).toContain('The service failed');
  expect(rejected.err).not.toContain('not-a-token');
});

test('a second collector on a lake, and options that are wrong, are rejected without repeating a value', async () => {
  await withLedger('locked');
  const running = start('locked');
  await firstFile('locked');
  const second = await collect('locked', ['--once']);
  expect(second.code).toBe(1);
  expect(second.err).toContain('another process works on this archive');
  running.child.kill('SIGTERM');
  await running.ended;
  expect((await start('unused', ['--SECRET']).ended).code).toBe(2);
  for (const wrong of [['--max-rate', 'SECRET', '--database-url', 'SECRET'], ['--since', 'SECRET'], ['--SECRET']]) {
    const { code, err } = await collect('unused', wrong);
    expect(code).toBe(2);
    expect(err).not.toContain('SECRET');
  }
});
