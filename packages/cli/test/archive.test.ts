import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstVin, program, useWorld } from './support/vds.ts';

const world = useWorld();
const lines = (text: string) => text.trim().split('\n');
const failure = (stderr: string): { code: string; message: string; hint?: string } =>
  JSON.parse(lines(stderr).at(-1) ?? '').error;
const march = '--from 2026-03-01 --to 2026-03-31';
const month = `${march} --zone Europe/Berlin --series driving,powertrain`;

async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.parquet')) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length), await readFile(path, 'base64'));
  }
  return files;
}

describe('vds export', () => {
  it('a dry run fetches nothing and writes nothing', async () => {
    const out = join(world.folder, 'dry');
    const { code, stdout } = await world.vds(`export --vehicle ${firstVin} ${month} --out ${out} --dry-run`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ windows: 8, requests: 8, settled: 0 });
    await expect(readdir(out)).rejects.toThrow();
  });

  it('writes Parquet, and the same command again fetches nothing', async () => {
    const out = join(world.folder, 'archive');
    const first = await world.vds(`export --vehicle ${firstVin} ${month} --out ${out}`);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ windowsTotal: 8, windowsFetched: 8 });
    const again = await world.vds(`export --vehicle ${firstVin} ${month} --out ${out}`);
    expect(JSON.parse(again.stdout)).toMatchObject({ windowsFetched: 0, windowsSkipped: 8 });
    const paths = (await readdir(out, { recursive: true })).join('\n');
    expect(paths).not.toContain(firstVin);
  });

  it('Ctrl-C leaves an archive that the same command completes, byte for byte', async () => {
    const out = join(world.folder, 'interrupted');
    const days = '--from 2025-01-01 --to 2025-02-28';
    const line = `export --vehicle ${firstVin} ${days} --out ${out} --series driving,powertrain --concurrency 1`;
    const child = spawn(process.execPath, [program, ...line.split(' ')], {
      env: world.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    // Interrupted once the first file is there.
    for (let tries = 0; tries < 400; tries++) {
      const names = await readdir(out, { recursive: true }).catch(() => []);
      if (names.some((name) => name.endsWith('.parquet'))) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(failure(stderr).hint).toBe('Run the same command again to continue.');
    expect((await world.vds(line)).code).toBe(0);
    expect((await world.vds(`verify --out ${out}`)).code).toBe(0);
    const files = await filesOf(out);
    await rm(out, { recursive: true });
    // The key decides the names of vehicles, so only the contents are compared.
    expect((await world.vds(line)).code).toBe(0);
    expect([...(await filesOf(out)).keys()].map((path) => path.replace(/vehicle=\w+/, ''))).toEqual(
      [...files.keys()].map((path) => path.replace(/vehicle=\w+/, '')),
    );
  });

  it('a terminal gets a progress bar on stderr and a sentence at the end', async () => {
    const out = join(world.folder, 'bar');
    const { code, stdout } = await world.terminal(`export --vehicle ${firstVin} ${month} --format ndjson --out ${out}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+\/8 windows \|/);
    expect(stdout).toMatch(/\d+ trips in 8 windows written to/);
  });

  it('another zone for the same folder is rejected with the difference', async () => {
    const out = join(world.folder, 'archive');
    const { code, stderr } = await world.vds(`export --vehicle ${firstVin} ${march} --zone UTC --out ${out}`);
    expect(code).toBe(4);
    expect(failure(stderr)).toMatchObject({ code: 'settings-differ' });
  });

  it('a vehicle that is not shared stops alone: exit code 2', async () => {
    const out = join(world.folder, 'partial');
    const { code, stdout } = await world.vds(`export --vehicle ${firstVin},SANDB0XA000000005 ${month} --out ${out}`);
    expect(code).toBe(2);
    const { vehicles } = JSON.parse(stdout);
    expect(vehicles.map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual(['complete', 'purged']);
  });
});

describe('an archive', () => {
  it('is queried in SQL, by a SELECT and nothing else', async () => {
    const out = join(world.folder, 'archive');
    const { code, stdout } = await world.vds(
      `query --out ${out} "SELECT count(*) AS trips, max(trip_length_ms) AS longest FROM driving_trips"`,
    );
    expect(code).toBe(0);
    expect(Number(JSON.parse(stdout).trips)).toBeGreaterThan(10);
    const target = join(out, 'stolen.csv');
    for (const sql of [
      `COPY (SELECT 1) TO '${target}'`,
      'SELECT 1; SELECT 2',
      "SELECT * FROM read_csv('/etc/passwd')",
      'CREATE TABLE t AS SELECT 1',
      'SET enable_external_access = true',
      "ATTACH ':memory:' AS other",
    ]) {
      const rejected = await world.vds(`query --out ${out} "${sql}"`);
      expect(rejected.code, sql).toBe(4);
    }
    await expect(readFile(target)).rejects.toThrow();
  });

  it('of one series is queried like any other', async () => {
    const out = join(world.folder, 'one-series');
    const days = '--from 2026-03-01 --to 2026-03-08 --zone Europe/Berlin';
    await world.vds(`export --vehicle ${firstVin} --series driving ${days} --out ${out}`);
    const { code, stdout, stderr } = await world.vds(
      `query --out ${out} "SELECT count(*) AS trips FROM driving_trips"`,
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(Number(JSON.parse(stdout).trips)).toBeGreaterThan(0);
  });

  it('verify finds a file that was changed: exit code 3', async () => {
    const out = join(world.folder, 'archive');
    expect((await world.vds(`verify --out ${out}`)).code).toBe(0);
    const [path] = (await filesOf(out)).keys();
    const file = join(out, path ?? '');
    const content = await readFile(file);
    await writeFile(file, content.subarray(0, content.length - 1));
    const { code, stdout } = await world.vds(`verify --out ${out}`);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).problems.length).toBeGreaterThan(0);
    await writeFile(file, content);
  });

  it('sync purges a vehicle that no longer shares data, and never most of them by mistake', async () => {
    const out = join(world.folder, 'archive');
    const held = lines((await world.vds(`archive --out ${out}`)).stdout).map((line) => JSON.parse(line));
    expect(new Set(held.map(({ vehicle }) => vehicle)).size).toBe(1);
    expect((await world.vds(`consent stop ${firstVin} --confirm ${firstVin}`)).code).toBe(0);
    const stopped = await world.vds(`sync --out ${out}`);
    expect(failure(stopped.stderr)).toMatchObject({ code: 'purge-not-confirmed' });
    expect((await filesOf(out)).size).toBeGreaterThan(0);
    const synced = await world.vds(`sync --out ${out} --confirm-purge 1 --since yesterday --quiet`);
    expect(synced.code).toBe(0);
    const text =
      (await readdir(out, { recursive: true })).join('\n') + (await readFile(join(out, 'manifest.ndjson'), 'utf8'));
    expect(text).not.toContain(held[0].vehicle);
  });

  it('purge deletes one vehicle after its name was given', async () => {
    const out = join(world.folder, 'archive');
    const [held] = lines((await world.vds(`archive --out ${out}`)).stdout).map((line) => JSON.parse(line));
    expect((await world.vds(`purge ${held.vehicle} --out ${out}`)).code).toBe(4);
    expect((await world.vds(`purge ${held.vehicle} --out ${out} --confirm ${held.vehicle}`)).code).toBe(0);
    expect((await world.vds(`archive --out ${out}`)).stdout).not.toContain(held.vehicle);
  });
});
