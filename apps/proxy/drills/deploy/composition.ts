import { equal, match, ok } from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Compose, deployFolder, docker, run } from './engine.ts';
import { until } from './until.ts';

const keysFolder = join(deployFolder, 'keys');
const keysFile = join(keysFolder, 'keys.json');
const program = fileURLToPath(new URL('../../dist/node.js', import.meta.url));
/** The user of the container; the key file has to be his. */
const userId = 1000;

/** Brings up the compose file, with a key made as its first lines say, and plays with what is there. */
export async function composition(compose: Compose, holds: (sentence: string) => void): Promise<void> {
  if (existsSync(keysFolder)) throw new Error(`${keysFolder} exists; the drill makes it and takes it away`);
  mkdirSync(keysFolder);
  try {
    const key = await keys('create', '--name', 'drill');
    const [id = ''] = /(?<=^vds_)[0-9a-z]+/.exec(key) ?? [];
    process.env['VDS_USER'] = `${userId}:${userId}`;
    await compose('up', '--build', '-d');
    const call = async (headers: Record<string, string> = {}) =>
      fetch('http://127.0.0.1:8787/v1/vehicles/consent', { headers: { brand: 'brand_a', ...headers } });
    const status = async () =>
      call({ 'x-api-key': key }).then(
        (answer) => answer.status,
        () => 0,
      );
    await until(async () => (await status()) === 200, 30_000, 'answering');
    const proxy = await compose('ps', '-q', 'proxy');
    await until(
      async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', proxy)) === 'healthy',
      30_000,
      'healthy',
    );
    equal((await call()).status, 401);
    equal((await fetch('http://127.0.0.1:8787/readyz')).status, 200);
    holds('the compose file brings up proxy, Redis and sandbox; a call with a key is answered, one without is not');

    match(await compose('exec', '-T', 'redis', 'redis-cli', '--scan'), /^vds:/m);
    match(await metrics(), /^vds_proxy_limit_store_failures_total 0$/m);
    holds('calls are counted in Redis, and the admin port has the metrics');

    await docker('kill', await compose('ps', '-q', 'redis'));
    equal(await status(), 200);
    holds('calls are answered while Redis is dead');

    await keys('revoke', id);
    await until(async () => (await status()) === 401, 10_000, 'refused');
    holds('a key that is revoked on the host is refused in the container');
    await compose('stop', 'proxy');
    equal(await docker('inspect', '-f', '{{.State.ExitCode}}', proxy), '0');
  } finally {
    await compose('down', '-v');
    rmSync(keysFolder, { recursive: true, force: true });
  }
}

async function metrics(): Promise<string> {
  return (await fetch('http://127.0.0.1:9787/metrics')).text();
}

async function keys(command: string, ...list: string[]): Promise<string> {
  const {
    ok: good,
    stdout,
    end,
  } = await run(process.execPath, [program, 'keys', command, '--keys-file', keysFile, ...list]);
  ok(good, end);
  if (process.getuid?.() === 0) for (const path of [keysFolder, keysFile]) chownSync(path, userId, userId);
  return stdout;
}
