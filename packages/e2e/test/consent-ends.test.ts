// When an owner withdraws, everything forgets, and proves it, whatever is killed meanwhile. VDS_CONSENT_RUNS=200 is the long form.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../apps/collector/test/support/postgres.ts';
import { boundOf } from '../../../scripts/patience.ts';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { endConsent, type RunReport } from '../consent-ends/drill.ts';
import { ownerSays, placesWith, whatIsStored } from '../consent-ends/traces.ts';
import { type Servers, World } from '../consent-ends/world.ts';

const runs = Number(process.env['VDS_CONSENT_RUNS'] ?? '1');
/** The first run has this seed, the next one the number after it. */
const firstSeed = Number(process.env['VDS_CONSENT_SEED'] ?? '0');
/** Consents that end in one world, at most: setting it up takes longer than a run. */
const runsInWorld = 8;
const seedsByWorld = Array.from({ length: Math.ceil(runs / runsInWorld) }, (_, world) =>
  Array.from(
    { length: Math.min(runsInWorld, runs - world * runsInWorld) },
    (_, run) => firstSeed + world * runsInWorld + run,
  ),
);
const postgresPrograms = '/usr/lib/postgresql/15/bin';
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const canRun = existsSync(join(postgresPrograms, 'initdb')) && hasRedis;
if (!canRun)
  console.log('The end of a consent is not tried: PostgreSQL 15 or redis-server is missing (apt-get install).');

async function startRedis(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const port = await reservedPort();
  const folder = await mkdtemp(join(tmpdir(), 'vds-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = spawn('redis-server', flags);
  const exited = once(redis, 'exit');
  const stop = async () => {
    redis.kill();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  let printed = '';
  const isListening = new Promise<boolean>((resolve) => {
    redis.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes('Ready to accept connections')) resolve(true);
    });
    redis.once('exit', () => resolve(false));
  });
  if (await isListening) return { port, stop };
  await stop();
  throw new Error(`redis-server ended: ${printed}`);
}

let servers: Servers;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  if (!canRun) return;
  const postgres = await startPostgres();
  ends.push(postgres.stop);
  const { port: redisPort, stop } = await startRedis();
  ends.push(stop);
  const postgresAt = (database: string) => {
    const address = new URL(postgres.url);
    address.pathname = `/${database}`;
    return address.href;
  };
  servers = { postgres: postgresAt, redisPort, postgresPrograms };
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

test.skipIf(!canRun).for(seedsByWorld)(
  'within a minute of a withdrawal nothing of the vehicle is left, and receipts and the page of the owner say so (seeds %j)',
  { timeout: 900_000 },
  async (seeds) => {
    const world = await World.open(servers, seeds.length);
    onTestFinished(() => world.close());
    const reports: RunReport[] = [];
    for (const seed of seeds) {
      const report = await endConsent(world, seed);
      const { vehicle: _, ...printed } = report;
      if (runs > 1) console.log(JSON.stringify(printed));
      reports.push(report);
    }
    for (const { receipts, isConfirmed, ...found } of reports) {
      const good = { left: [], missing: [], vinIn: [], kills: 5 };
      expect.soft(found).toMatchObject(good);
      expect.soft(found.ms, `seed ${found.seed}`).toBeLessThanOrEqual(boundOf(60_000));
      expect.soft(receipts, `seed ${found.seed}`).toMatchObject({ collector: 1, archive: 1 });
      // A proxy that was killed before it knew of the withdrawal issues none.
      if (isConfirmed) expect.soft(receipts.proxy, `seed ${found.seed}`).toBeGreaterThan(0);
    }
    const vehicles = reports.map(({ vehicle }) => vehicle);
    const said = await ownerSays(world, vehicles);
    for (const [index, { seed, receipts }] of reports.entries()) {
      expect.soft(said[index], `seed ${seed}`).toContain('No longer shares');
      if (receipts.proxy > 0) expect.soft(said[index], `seed ${seed}`).toContain('No longer passed on');
    }
    await world.stop();
    // Nothing has come back since.
    expect
      .soft(
        await placesWith(
          world,
          vehicles.map(({ vin }) => vin),
        ),
      )
      .toEqual([]);
    for (const vehicle of vehicles) expect.soft(await whatIsStored(world, vehicle, vehicle.pseudonyms)).toEqual([]);
  },
);
