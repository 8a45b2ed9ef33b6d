import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiKeys } from '../src/auth/api-keys.js';
import { type KeyRecord, parseKeys } from '../src/auth/key-record.js';
import { vinHash } from '../src/auth/vehicle-rights.js';
import type { UpstreamAuth } from '../src/config.js';
import { runKeysCommand } from '../src/node/keys-command.js';
import { startGuarded } from './support/guarded-proxy.ts';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';
const hashKey = 'h'.repeat(32);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function service() {
  const seen: (readonly string[])[] = [];
  const upstream = await listen((request, response) => {
    seen.push(request.rawHeaders);
    response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, seen };
}

async function keyFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'vds-keys-')), 'keys.json');
}

/** Makes a key with the command and returns it. */
async function createKey(file: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await keys(['create', ...flags], { VDS_KEYS_FILE: file, VDS_VIN_HASH_KEY: hashKey });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Runs the command in this process. */
async function keys(list: readonly string[], environment: Record<string, string> = {}) {
  const output = { stdout: '', stderr: '' };
  const code = await runKeysCommand(list, environment, {
    result(text) {
      output.stdout += text;
    },
    say(line) {
      output.stderr += `vds-proxy: ${line}\n`;
    },
  });
  return { code, ...output };
}

/** Runs the keys command as another user, who can read the program but owns nothing. */
async function keysAs(uid: number, list: readonly string[]) {
  const program = fileURLToPath(new URL('../dist/node.js', import.meta.url));
  return spawnSync(process.execPath, [program, 'keys', ...list], { uid, gid: uid, env: {}, encoding: 'utf8' });
}

async function proxyWith(file: string, upstreamAuth: UpstreamAuth = { kind: 'static', accessToken: 'own' }) {
  const upstream = await service();
  const clients = new ApiKeys(sha256, upstreamAuth.kind !== 'forward', vinHash(hashKey));
  clients.use(parseKeys(await readFile(file, 'utf8')) ?? []);
  const proxy = await startGuarded({ upstreamUrl: upstream.url, upstreamAuth }, { clientAuth: clients });
  cleanUp.push(proxy.close);
  const call = async (headers: Record<string, string>, method = 'GET', path = '/v1/vehicles/consent') => {
    const answer = await fetch(proxy.url + path, { method, headers: { brand: 'brand_a', ...headers } });
    const body = (await answer.json()) as { error?: { code: string } };
    return { status: answer.status, code: body.error?.code, challenge: answer.headers.get('www-authenticate') };
  };
  return { ...proxy, ...upstream, call };
}

describe('vds-proxy keys', () => {
  it('shows a key once and keeps only its hash, in a file for its owner alone', async () => {
    const file = await keyFile();
    const run = await keys(['create', '--name', 'fleet app', '--expires', '90d'], { VDS_KEYS_FILE: file });
    const key = run.stdout.trim();
    expect(key).toMatch(/^vds_[0-9a-z]{10}_[0-9A-Za-z_-]{43}$/);
    expect(run.stderr).not.toContain(key.slice(15));
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(key.slice(15));
    expect(text).toContain(sha256(key));
    expect((await stat(file)).mode & 0o077).toBe(0);
    const list = await keys(['list', '--keys-file', file]);
    expect(list.stdout).toMatch(new RegExp(`^${key.slice(4, 14)} .* expires .* brands all .* fleet app\n$`));
    expect(list.stdout).not.toContain(sha256(key));
  });

  it.each([
    [['create'], '--keys-file: must be set, or VDS_KEYS_FILE'],
    [['create', '--keys-file', '/dev/null/x'], 'the key file cannot be read'],
    [['create', '--keys-file', 'F', '--zebra'], 'keys: an argument is not known; see vds-proxy keys'],
    [['create', '--keys-file', 'F', '--expires', 'zebra'], '--expires: must be days, such as 90d, or a date'],
    [['create', '--keys-file', 'F', '--expires', '2026-02-30'], '--expires: must be days, such as 90d, or a date'],
    [
      ['create', '--keys-file', 'F', '--expires', '2020-01-01'],
      '--expires: must be days, such as 90d, or a date in the',
    ],
    [
      ['create', '--keys-file', 'F', '--brands', 'zebra'],
      '--brands: must be names separated by commas, out of brand_a',
    ],
    [['rotate', 'zebra', '--keys-file', 'F'], 'no key has this identifier'],
    [
      ['create', '--keys-file', 'F', '--operations', 'zebra'],
      '--operations: must be names separated by commas, out of',
    ],
    [['create', '--keys-file', 'F', '--rate', 'zebra'], '--rate: must be calls and seconds'],
    [['create', '--keys-file', 'F', '--name', 'zebra\n'], '--name: must be at most 64'],
    [['revoke', 'zebra', '--keys-file', 'F'], 'no key has this identifier'],
  ])('%j says what is wrong, without the value', async (list, text) => {
    const file = await keyFile();
    const run = await keys(list.map((argument) => (argument === 'F' ? file : argument)));
    expect(run.code).toBe(1);
    if (list[1] !== '--keys-file' || list[2] === 'F') expect(run.stderr).toContain(`vds-proxy: ${text}`);
    expect(run.stderr).not.toContain('zebra');
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('revokes a key, and a running proxy refuses it from then on', async () => {
    const file = await keyFile();
    const key = await createKey(file);
    const other = await createKey(file);
    const upstream = await service();
    const proxy = await startProgram({
      VDS_UPSTREAM_URL: upstream.url,
      VDS_CLIENT_AUTH: 'api-key',
      VDS_KEYS_FILE: file,
      VDS_HOST: '0.0.0.0',
      VDS_ADMIN_PORT: '0',
    });
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    const call = async (value: string) => {
      const headers = { brand: 'brand_a', 'x-api-key': value, authorization: 'Bearer clients' };
      return (await fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, { headers })).status;
    };
    expect(await call(key)).toBe(200);
    expect(await runProgram({}, ['keys', 'revoke', key.slice(4, 14), '--keys-file', file]).exit).toBe(0);
    await expect.poll(() => call(key), { timeout: 8000, interval: 200 }).toBe(401);
    expect(await call(other)).toBe(200);
    await writeFile(file, '{zebra');
    await expect.poll(() => proxy.output.stderr, { timeout: 8000 }).toContain('VDS_KEYS_FILE: the file cannot be read');
    expect(await call(other)).toBe(200);
    const get = async (address: string) => (await fetch(address)).text();
    const ready = `http://127.0.0.1:${proxy.port}/readyz`;
    const admin = /metrics on (\S+)\n/.exec(proxy.output.stdout)?.[1] ?? '';
    expect(await get(ready)).toBe('{"status":"ready","warnings":["keys-file"]}');
    expect(await get(admin)).toContain('vds_proxy_warning{name="keys-file"} 1');
    await writeFile(file, '{"keys":[]}');
    await expect.poll(() => call(other), { timeout: 8000, interval: 200 }).toBe(401);
    expect(await get(ready)).toBe('{"status":"ready"}');
    expect(await get(admin)).not.toContain('vds_proxy_warning{');
    expect(proxy.output.stderr + proxy.output.stdout).not.toContain(other.slice(15));
    expect(JSON.stringify(upstream.seen)).not.toContain('vds_');
  });

  it('gives the key file back to its owner with its mode, or changes nothing', async () => {
    const file = await keyFile();
    const key = await createKey(file);
    if (process.getuid?.() !== 0) return console.warn('not root: the key file of another user is not tried');
    await chown(file, 65_534, 65_534);
    await chmod(file, 0o640);
    expect((await keys(['revoke', key.slice(4, 14), '--keys-file', file])).code).toBe(0);
    expect(await stat(file)).toMatchObject({ uid: 65_534, gid: 65_534, mode: 0o100_640 });
    // A user who may write the folder, and must not take the file from its owner.
    await chmod(dirname(file), 0o777);
    await chown(file, 65_533, 65_534);
    await chmod(file, 0o666);
    const before = await readFile(file, 'utf8');
    const other = await keysAs(65_534, ['create', '--keys-file', file]);
    expect(other).toMatchObject({ status: 1, stdout: '' });
    expect(other.stderr).toBe(
      'vds-proxy: the key file belongs to another user or group; run the command as that user, or as root\n',
    );
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('are run at the same time without a failure', async () => {
    const file = await keyFile();
    const run = () => runProgram({ VDS_KEYS_FILE: file }, ['keys', 'create']).exit;
    expect(await Promise.all(Array.from({ length: 6 }, run))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(parseKeys(await readFile(file, 'utf8'))).toHaveLength(6);
  });

  it('rotates a key: both are good during the overlap, with the same rights', async () => {
    const file = await keyFile();
    const old = await createKey(file, '--read-only', '--name', 'app', '--rate', '5/60s');
    const run = await keys(['rotate', old.slice(4, 14), '--overlap', '2d', '--keys-file', file]);
    const { call } = await proxyWith(file);
    for (const key of [old, run.stdout.trim()]) {
      expect(await call({ 'x-api-key': key })).toMatchObject({ status: 200 });
      expect(await call({ 'x-api-key': key }, 'DELETE', `/v1/vehicles/consent?vin=${vin}`)).toMatchObject({
        status: 403,
      });
    }
    const [first, second] = parseKeys(await readFile(file, 'utf8')) ?? [];
    expect(second).toMatchObject({ name: 'app', expires: null, rate: first?.rate });
    const leftMs = Date.parse(first?.expires ?? '') - Date.now();
    expect(Math.round(leftMs / 86_400_000)).toBe(2);
  });

  it('does not start with a key file that is none', async () => {
    const file = await keyFile();
    await writeFile(file, '{"keys":[{"id":"zebra"}]}');
    const environment = { VDS_UPSTREAM_URL: 'http://127.0.0.1:9', VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: file };
    const run = runProgram(environment);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toBe('vds-proxy: VDS_KEYS_FILE: the file cannot be read, or is not a key file\n');
  });
});

describe('a client', () => {
  it('with a key passes, and the key does not travel on', async () => {
    const file = await keyFile();
    const key = await createKey(file);
    const { call, seen } = await proxyWith(file);
    expect(await call({ 'x-api-key': key })).toMatchObject({ status: 200 });
    expect(await call({ authorization: `Bearer ${key}` })).toMatchObject({ status: 200 });
    expect(JSON.stringify(seen)).not.toContain('vds_');
    expect(seen[0]).toContain('Bearer own');
  });

  it('cannot use a key as bearer token where bearer tokens are forwarded', async () => {
    const file = await keyFile();
    const key = await createKey(file);
    const { call, seen } = await proxyWith(file, { kind: 'forward' });
    expect(await call({ authorization: `Bearer ${key}` })).toMatchObject({ status: 401 });
    expect(await call({ authorization: 'Bearer clients', 'x-api-key': key })).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(1);
  });

  it('without a good key is refused whatever is asked, with a challenge', async () => {
    const file = await keyFile();
    const key = await createKey(file);
    const expired = await createKey(file);
    const { keys } = JSON.parse(await readFile(file, 'utf8'));
    keys[1].expires = '2020-01-01T00:00:00.000Z';
    await writeFile(file, JSON.stringify({ keys }));
    const { call, seen } = await proxyWith(file);
    const bad = ['', 'x', key.slice(0, -1), `${key}A`, key.toUpperCase(), `${key.slice(0, -1)}!`, expired, ` ${key} x`];
    for (const value of bad) {
      const answer = await call({ 'x-api-key': value });
      expect(answer).toMatchObject({ status: 401, code: 'invalid-client-credentials' });
      expect(answer.challenge).toBe('Bearer realm="vehicle-data"');
    }
    expect(await call({})).toMatchObject({ status: 401 });
    expect(await call({}, 'GET', '/nowhere')).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(0);
  });

  it('may use only the operations and brands of its key', async () => {
    const file = await keyFile();
    const key = await createKey(file, '--read-only', '--brands', 'brand_a');
    const narrow = await createKey(file, '--operations', 'getLocation,stopDataSharing');
    const { call } = await proxyWith(file);
    const denied = { status: 403, code: 'operation-not-allowed' };
    expect(await call({ 'x-api-key': key })).toMatchObject({ status: 200 });
    expect(await call({ 'x-api-key': key, brand: 'brand_b' })).toMatchObject(denied);
    expect(await call({ 'x-api-key': key }, 'DELETE', `/v1/vehicles/consent?vin=${vin}`)).toMatchObject(denied);
    expect(await call({ 'x-api-key': key }, 'DELETE')).toMatchObject(denied);
    expect(await call({ 'x-api-key': narrow })).toMatchObject(denied);
    expect(await call({ 'x-api-key': narrow }, 'GET', `/v1/vehicles/${vin}/locations`)).toMatchObject({ status: 200 });
    const withdraw = await call({ 'x-api-key': narrow }, 'DELETE', `/v1/vehicles/consent?vin=${vin}`);
    expect(withdraw).toMatchObject({ status: 200 });
    const all = await call({ 'x-api-key': narrow }, 'DELETE');
    expect(all).toMatchObject({ status: 403, code: 'stop-all-not-allowed' });
  });
});

it('a client with a key for single vehicles may use those, and nothing that names no vehicle', async () => {
  const file = await keyFile();
  const list = join(dirname(file), 'vins.txt');
  await writeFile(list, `${vin}\nTESTVEHCLE000000A\n`);
  const key = await createKey(file, '--vehicles-file', list);
  expect(await readFile(file, 'utf8')).not.toContain('TESTVEHCLE');
  const { call, seen } = await proxyWith(file);
  const denied = { status: 403, code: 'operation-not-allowed' };
  const location = (of: string) => call({ 'x-api-key': key }, 'GET', `/v1/vehicles/${of}/locations`);
  expect(await location(vin)).toMatchObject({ status: 200 });
  expect(await location('TestVehcle000000a')).toMatchObject({ status: 200 });
  expect(await location('TESTVEHCLE0000002')).toMatchObject(denied);
  expect(await call({ 'x-api-key': key })).toMatchObject(denied);
  expect(await call({ 'x-api-key': key }, 'DELETE', `/v1/vehicles/consent?vin=${vin}`)).toMatchObject({ status: 200 });
  expect(await call({ 'x-api-key': key }, 'DELETE', '/v1/vehicles/consent?vin=TESTVEHCLE0000002')).toMatchObject(
    denied,
  );
  expect(seen).toHaveLength(3);
});

describe('the look-up of a key', () => {
  it('goes by the hash of the whole key alone, however much of a key is right', () => {
    const key = `vds_abcdefghij_${'k'.repeat(43)}`;
    const hashed: string[] = [];
    const keys = new ApiKeys((text) => {
      hashed.push(text);
      return sha256(text);
    }, false);
    const record: KeyRecord = {
      id: 'abcdefghij',
      hash: sha256(key),
      name: '',
      created: '2026-01-01T00:00:00.000Z',
      expires: null,
      revoked: null,
      vehicles: null,
      brands: null,
      operations: null,
      rate: null,
    };
    keys.use([record]);
    const find = (value: string) =>
      keys.authenticate({
        method: '',
        target: '',
        requestId: '',
        peerAddress: '',
        header: (name) => (name === 'x-api-key' ? value : undefined),
      });
    for (let right = 15; right < key.length; right++) {
      const guess = key.slice(0, right) + 'x'.repeat(key.length - right);
      expect(find(guess)).toBeNull();
      expect(hashed.at(-1)).toBe(guess);
    }
    expect(find(key)).toMatchObject({ id: 'abcdefghij' });
    expect(hashed).toHaveLength(key.length - 15 + 1);
  });
});
