import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFleetService, wrongToken } from './proofs/fleet-service.ts';
import { newLedger, untilCollected } from './support/databases.ts';
import { hasPostgres } from './support/postgres.ts';
import { runHere, startProcess } from './support/program.ts';
import { newDatabase } from './support/shared-postgres.ts';

const since = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-processes-'));
});
afterAll(() => rm(folder, { recursive: true }));

const filesOf = async (lake: string) =>
  (await readdir(join(folder, lake), { recursive: true }).catch(() => []))
    .filter((name) => name.endsWith('.parquet'))
    .sort();

test.skipIf(!hasPostgres)(
  'three processes, one of them killed, write what one writes, and a rejected token parks its account alone',
  async () => {
    const service = await startFleetService(8);
    onTestFinished(service.close);
    service.failWith(({ authorization }) => (authorization === 'Bearer demo-access-token' ? undefined : wrongToken));
    const url = await newDatabase();
    const tokens = join(folder, 'token');
    const answer = `{"access_token":"'$t'","expires_in":600}`;
    await writeFile(tokens, `#!/bin/sh\nt=demo-access-token; [ "$1" = revoked ] && t=secret-7; echo '${answer}'\n`);
    await chmod(tokens, 0o700);
    const shared = {
      ...{ VDS_DATABASE_URL: url, VDS_TOKEN_COMMAND: tokens, VDS_LAKE: join(folder, 'many') },
      ...{ VDS_MAX_RATE: '10', VDS_CONCURRENCY: '2' },
    };
    for (const name of ['owner', 'revoked'])
      expect((await runHere(['accounts', 'add', name, '--brand', 'brand_a'], shared)).code).toBe(0);
    const options = ['--base-url', service.url, '--since', since, '--lease-s', '2'];
    const processes = Array.from({ length: 3 }, () => startProcess(['start', ...options], shared));
    while ((await filesOf('many')).length === 0) await wait(50);
    processes[0]?.child.kill('SIGKILL');
    await untilCollected(url, 'owner');
    const statusNow = async () => JSON.parse((await runHere(['status', '--json'], shared)).out);
    // The one that was killed may have had the list of the other account: it is fetched again when that lease is over.
    await expect.poll(statusNow).toMatchObject({ accountsParked: 1 });
    const status = await statusNow();
    expect(status).toMatchObject({ due: 0, vehicles: 8, collected: status.windows });
    const accounts = await runHere(['accounts', 'list'], shared);
    expect(accounts.out).toMatch(/owner +brand_a +active/);
    expect(accounts.out).toMatch(/revoked +brand_a +parked .*next try \d{4}-/);
    for (const { child } of processes) child.kill('SIGTERM');
    for (const { ended } of processes.slice(1)) {
      const { code, err } = await ended;
      expect([code, err]).toEqual([0, expect.not.stringContaining('secret-7')]);
    }

    await mkdir(join(folder, 'one'));
    for (const name of ['archive.json', 'archive.key'])
      await copyFile(join(folder, 'many', name), join(folder, 'one', name));
    const alone = {
      ...{ VDS_ACCESS_TOKEN: 'demo-access-token', VDS_BRAND: 'brand_a', VDS_LAKE: join(folder, 'one') },
      ...{ VDS_DATABASE_URL: await newDatabase(), VDS_MAX_RATE: '1000' },
    };
    expect((await runHere(['start', '--once', ...options], alone)).code).toBe(0);
    const files = await filesOf('one');
    expect(await filesOf('many')).toEqual(files);
    for (const name of files)
      expect(await readFile(join(folder, 'many', name))).toEqual(await readFile(join(folder, 'one', name)));
  },
);

test('a bucket without credentials or with a wrong name, and an account command that is wrong, are rejected', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'PRIVATE', AWS_SECRET_ACCESS_KEY: 'PRIVATE' };
  const fleet = 's3://fleet/lake';
  for (const { lake, given, message } of [
    { lake: 's3://PRIVATE/lake', given: keys, message: '--lake must be a folder, or s3://bucket/prefix' },
    { lake: fleet, given: {}, message: 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY' },
    { lake: fleet, given: keys, message: 'needs --database-url' },
    {
      lake: fleet,
      given: { ...keys, AWS_ENDPOINT_URL_S3: 'http://PRIVATE@127.0.0.1' },
      message: 'VDS_S3_ENDPOINT: must not hold user information',
    },
    {
      lake: fleet,
      given: { ...keys, VDS_PSEUDONYM_KEY: 'PRIVATE', VDS_LEDGER: join(folder, 'x') },
      message: 'VDS_PSEUDONYM_KEY: must have 64 hexadecimal digits',
    },
  ]) {
    const { code, err } = await runHere(['start', '--lake', lake, '--brand', 'brand_a'], given);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('PRIVATE');
  }
  const env = { VDS_LAKE: join(folder, 'wrong'), ...(await newLedger(folder)) };
  for (const command of [
    ['accounts', 'add', 'A B'],
    ['accounts', 'add', 'a'],
    ['accounts', 'pause', 'nobody'],
  ]) {
    const { code, err } = await runHere(command, env);
    expect(code).toBe(2);
    expect(err).not.toContain('A B');
  }
});
