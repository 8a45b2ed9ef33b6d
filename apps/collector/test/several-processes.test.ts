import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, prepareLedger, startPostgres, watchStatus } from './support/databases.ts';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const sandboxProgram = fileURLToPath(new URL('../../sandbox/dist/node.js', import.meta.url));
const since = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10);

let folder: string;
let url: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vds-processes-'));
  ends.push(() => rm(folder, { recursive: true }));
  const sandbox = spawn(process.execPath, [sandboxProgram, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  ends.push(async () => sandbox.kill());
  let printed = '';
  while (!/http:\S+\s/.test(printed)) printed += String((await once(sandbox.stdout, 'data'))[0]);
  url = /http:\S+/.exec(printed)?.[0] ?? '';
  if (!hasPostgres) return;
  postgres = await startPostgres();
  ends.push(postgres.stop);
}, 600_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Runs a command of the program. */
function run(command: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program, ...command], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err, closed] = [text(child.stdout), text(child.stderr), once(child, 'close')];
  const ended = (async () => ({ code: (await closed)[0] as number | null, out: await out, err: await err }))();
  return { child, ended };
}
const filesOf = async (lake: string) =>
  (await readdir(join(folder, lake), { recursive: true }).catch(() => []))
    .filter((name) => name.endsWith('.parquet'))
    .sort();

test.skipIf(!hasPostgres)(
  'four processes, one of them killed, write what one writes, and a rejected token parks its account alone',
  async () => {
    const tokens = join(folder, 'token');
    const answer = `{"access_token":"'$t'","expires_in":600}`;
    await writeFile(tokens, `#!/bin/sh\nt=demo-access-token; [ "$1" = revoked ] && t=secret-7; echo '${answer}'\n`);
    await chmod(tokens, 0o700);
    const shared = { VDS_DATABASE_URL: postgres.url, VDS_TOKEN_COMMAND: tokens, VDS_LAKE: join(folder, 'many') };
    for (const name of ['owner', 'revoked'])
      expect((await run(['accounts', 'add', name, '--brand', 'brand_a'], shared).ended).code).toBe(0);
    const options = ['--base-url', url, '--since', since, '--lease-s', '2', '--max-rate', '100'];
    const processes = Array.from({ length: 4 }, () => run(['start', ...options], shared));
    while ((await filesOf('many')).length === 0) await wait(50);
    processes[0]?.child.kill('SIGKILL');
    type Status = { windows: number; collected: number; due: number; accountsParked: number };
    const ledger = watchStatus<Status>(postgres.url);
    onTestFinished(ledger.close);
    let now = await ledger.status();
    while (now.due > 0 || now.collected < now.windows) {
      await wait(50);
      now = await ledger.status();
    }
    expect(JSON.parse((await run(['status', '--json'], shared).ended).out)).toMatchObject({
      due: 0,
      windows: now.windows,
    });
    const accounts = await run(['accounts', 'list'], shared).ended;
    expect(accounts.out).toMatch(/owner +brand_a +active/);
    expect(accounts.out).toMatch(/revoked +brand_a +parked .*next try \d{4}-/);
    for (const { child } of processes) child.kill('SIGTERM');
    for (const { ended } of processes.slice(1)) {
      const { code, err } = await ended;
      expect([code, err]).toEqual([0, expect.not.stringContaining('secret-7')]);
    }

    await mkdir(join(folder, 'one'));
    await prepareLedger(join(folder, 'one.ledger'));
    for (const name of ['archive.json', 'archive.key'])
      await copyFile(join(folder, 'many', name), join(folder, 'one', name));
    const alone = { VDS_ACCESS_TOKEN: 'demo-access-token', VDS_BRAND: 'brand_a', VDS_LAKE: join(folder, 'one') };
    expect((await run(['start', '--once', ...options], alone).ended).code).toBe(0);
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
    const { code, err } = await run(['start', '--lake', lake, '--brand', 'brand_a'], given).ended;
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('PRIVATE');
  }
  const env = { VDS_LAKE: join(folder, 'wrong') };
  await prepareLedger(join(folder, 'wrong.ledger'));
  for (const command of [
    ['accounts', 'add', 'A B'],
    ['accounts', 'add', 'a'],
    ['accounts', 'pause', 'nobody'],
  ]) {
    const { code, err } = await run(command, env).ended;
    expect(code).toBe(2);
    expect(err).not.toContain('A B');
  }
});
