// When an owner withdraws, everything forgets, and proves it, whatever is killed meanwhile. VDS_CONSENT_RUNS=200 is the long form.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres, startPostgres } from '../../../apps/collector/test/support/databases.ts';
import { drill, type Servers } from '../consent-ends/drill.ts';
import { freePort } from './apps.ts';

const runs = Number(process.env['VDS_CONSENT_RUNS'] ?? '1');
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const canRun = hasPostgres && hasRedis;
if (!canRun)
  console.log('The end of a consent is not tried: PostgreSQL 15 or redis-server is missing (apt-get install).');

let servers: Servers;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  if (!canRun) return;
  const postgres = await startPostgres();
  ends.push(postgres.stop);
  const redisPort = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'vds-redis-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const redis = spawn('redis-server', [
    '--port',
    String(redisPort),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
  ]);
  const exited = once(redis, 'exit');
  ends.push(async () => {
    redis.kill();
    await exited;
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    redis.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes('Ready to accept connections')) resolve();
    });
    redis.once('error', reject);
    redis.once('exit', () => reject(new Error(`redis-server ended: ${printed}`)));
  });
  const postgresAt = (database: string) => postgres.url.replace(/\/postgres$/, `/${database}`);
  servers = { postgres: postgresAt, redisPort, postgresPrograms: '/usr/lib/postgresql/15/bin' };
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

test.skipIf(!canRun).for(Array.from({ length: runs }, (_, index) => index))(
  'within a minute of a withdrawal nothing of the vehicle is left, and receipts and the page of the owner say so (run %d)',
  { timeout: 300_000 },
  async (seed) => {
    const report = await drill(servers, seed);
    if (runs > 1) console.log(JSON.stringify(report));
    expect(report.left).toEqual([]);
    expect(report.ms).toBeLessThanOrEqual(60_000);
    expect(report.vinIn).toEqual([]);
    expect(report.kills).toBe(5);
    expect(report.receipts).toMatchObject({ collector: 1, archive: 1 });
    // A proxy that was killed before it responded to the owner issues none.
    if (report.isConfirmed) expect(report.receipts.proxy).toBeGreaterThan(0);
    expect(report.page).toContain('No longer shares');
    if (report.receipts.proxy > 0) expect(report.page).toContain('No longer passed on');
  },
);
