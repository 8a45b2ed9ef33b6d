import { spawnSync } from 'node:child_process';
import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiKeys } from '../src/auth/api-keys.js';
import { watchKeyFile } from '../src/auth/key-file.js';
import { type KeyRecord, parseKeys, printKeys } from '../src/auth/key-record.js';
import type { UpstreamAuth } from '../src/config.js';
import { runKeysCommand } from '../src/node/keys-command.js';
import { sha256 } from './support/api-key.ts';
import { bundled, newFile, runProgram, runToEnd, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { clientOf, consent, locationOf, startProxy, vin, withdrawal } from './support/set-up.ts';

const hashKey = 'h'.repeat(32);
const keyFile = () => newFile('keys.json');

/** Runs the command in this process. */
async function keys(list: readonly string[], environment: Record<string, string> = {}) {
  const [results, lines]: [string[], string[]] = [[], []];
  const code = await runKeysCommand(list, environment, {
    result: (text) => void results.push(text),
    say: (line) => void lines.push(`vds-proxy: ${line}\n`),
  });
  return { code, stdout: results.join(''), stderr: lines.join('') };
}

/** Makes a key with the command and returns it. */
async function createKey(file: string, ...flags: string[]): Promise<string> {
  // An empty variable is none, as for the proxy.
  const empty = { VDS_BRANDS: '', VDS_VIN_HASH_KEY_FILE: '' };
  const environment = { VDS_KEYS_FILE: file, VDS_VIN_HASH_KEY: hashKey, ...empty };
  const { code, stdout, stderr } = await keys(['create', ...flags], environment);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** A proxy with the keys of a file; a request gives its status and the code of an error. */
async function startWith(file: string, upstreamAuth: UpstreamAuth = { kind: 'static', accessToken: 'own' }) {
  const upstream = await startUpstream();
  const clientAuth = new ApiKeys(sha256, hashKey);
  clientAuth.use(parseKeys(await readFile(file, 'utf8')) ?? []);
  const { url } = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, clientAuth });
  const request = clientOf(url, { brand: 'brand_a' });
  const call = async (key: string, path = consent, method = 'GET', more: Record<string, string> = {}) => {
    const { status, code } = await request(path, key === '' ? more : { 'x-api-key': key, ...more }, method);
    return `${status} ${code}`.trim();
  };
  return { call, request, seen: upstream.seen };
}

const denied = '403 operation-not-allowed';

describe('vds-proxy keys', () => {
  it('shows a key once and keeps only its hash, in a file for its owner alone', async () => {
    const file = keyFile();
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
    { line: 'create', problem: 'keys-file: must be set, or VDS_KEYS_FILE' },
    { line: 'create --keys-file F --zebra', problem: 'argument 4: no such flag; see vds-proxy keys --help' },
    { line: 'create --keys-file F --expires zebra', problem: '--expires: must be days, such as 90d, or a date' },
    { line: 'create --keys-file F --expires 2026-02-30', problem: '--expires: must be days, such as 90d, or a date' },
    {
      line: 'create --keys-file F --expires 2020-01-01',
      problem: '--expires: must be days, such as 90d, or a date in the',
    },
    { line: 'create --keys-file F --brands zebra', problem: '--brands: must hold only brand_a' },
    { line: 'create --keys-file F --operations zebra', problem: '--operations: must hold only' },
    { line: 'create --keys-file F --rate zebra', problem: '--rate: must be calls and seconds' },
    { line: 'create --keys-file F --name zebra\n', problem: '--name: must be at most 64' },
    { line: 'rotate zebra --keys-file F', problem: 'no key has this identifier' },
    { line: 'revoke zebra --keys-file F', problem: 'no key has this identifier' },
  ])('says what is wrong, without the value: %j', async ({ line, problem }) => {
    const file = keyFile();
    const run = await keys(line.split(' ').map((word) => (word === 'F' ? file : word)));
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(problem);
    expect(run.stderr).toMatch(/^vds-proxy: .*\n$/);
    expect(run.stderr).not.toContain('zebra');
  });

  it('revokes a key, and a running proxy rejects it from then on', async () => {
    const file = keyFile();
    const [key, other] = [await createKey(file), await createKey(file)];
    const upstream = await startUpstream();
    const proxy = await startProgram({
      VDS_UPSTREAM_URL: upstream.url,
      VDS_CLIENT_AUTH: 'api-key',
      VDS_KEYS_FILE: file,
      VDS_HOST: '0.0.0.0',
      VDS_ADMIN_PORT: '0',
    });
    const statusWith = async (value: string) => (await proxy.call(consent, { 'x-api-key': value })).status;
    expect(await statusWith(key)).toBe(200);
    expect((await runToEnd({}, ['keys', 'revoke', key.slice(4, 14), '--keys-file', file])).code).toBe(0);
    await expect.poll(() => statusWith(key)).toBe(401);
    // It stays in the file, with the time.
    expect((await keys(['list', '--keys-file', file])).stdout).toMatch(new RegExp(`^${key.slice(4, 14)} .* revoked 2`));
    expect(await statusWith(other)).toBe(200);
    await writeFile(file, '{"keys":[{"id":"zebra"}]}');
    await expect.poll(() => proxy.output.stderr).toContain('VDS_KEYS_FILE: the file cannot be read');
    expect(await statusWith(other)).toBe(200);
    expect(await proxy.ready()).toBe('{"status":"ready","warnings":["keys-file"]}');
    expect(await proxy.adminPage('/metrics')).toContain('vds_proxy_warning{name="keys-file"} 1');
    await writeFile(file, '{"keys":[]}');
    await expect.poll(() => statusWith(other)).toBe(401);
    expect(await proxy.ready()).toBe('{"status":"ready"}');
    expect(await proxy.adminPage('/metrics')).not.toContain('vds_proxy_warning{');
    expect(proxy.output.stderr + proxy.output.stdout).not.toContain(other.slice(15));
    expect(JSON.stringify(upstream.seen)).not.toContain('vds_');
  });

  it('are read again when their file changes right after it was read', async () => {
    const file = keyFile();
    await writeFile(file, printKeys([]));
    const seen: unknown[] = [];
    const { records, close } = watchKeyFile(file, (changed) => seen.push(changed));
    onTestFinished(close);
    await writeFile(file, 'no key file');
    expect(records).toEqual([]);
    await expect.poll(() => seen).toEqual([null]);
  });

  it('gives the key file back to its owner with its mode, or changes nothing', async () => {
    const file = keyFile();
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
    const flags = [bundled, 'keys', 'create', '--keys-file', file];
    const other = spawnSync(process.execPath, flags, { uid: 65_534, gid: 65_534, env: {}, encoding: 'utf8' });
    expect(other).toMatchObject({ status: 1, stdout: '' });
    expect(other.stderr).toBe(
      'vds-proxy: the key file belongs to another user or group; run the command as that user, or as root\n',
    );
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('are run at the same time without a failure', async () => {
    const file = keyFile();
    const run = () => runProgram({ VDS_KEYS_FILE: file }, ['keys', 'create']).exit;
    expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
    expect(parseKeys(await readFile(file, 'utf8'))).toHaveLength(3);
  });

  it('rotates a key: both are good during the overlap, with the same rights', async () => {
    const file = keyFile();
    const old = await createKey(file, '--read-only', '--name', 'app', '--rate', '5/60s');
    const run = await keys(['rotate', old.slice(4, 14), '--overlap', '2d', '--keys-file', file]);
    const { call } = await startWith(file);
    for (const key of [old, run.stdout.trim()])
      expect([await call(key), await call(key, withdrawal, 'DELETE')]).toEqual(['200', denied]);
    const [first, second] = parseKeys(await readFile(file, 'utf8')) ?? [];
    expect(second).toMatchObject({ name: 'app', expires: null, rate: first?.rate });
    const leftMs = Date.parse(first?.expires ?? '') - Date.now();
    expect(Math.round(leftMs / 86_400_000)).toBe(2);
  });

  it('says until when the old key is good, also when it expires before the end of the overlap', async () => {
    const file = keyFile();
    const ends = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const old = await createKey(file, '--expires', ends);
    const { stderr } = await keys(['rotate', old.slice(4, 14), '--keys-file', file]);
    expect(stderr).toContain(`stays good until ${ends}T00:00:00.000Z;`);
  });

  it.each([
    { flags: ['--expires', '90d'], days: 90 },
    { flags: [], days: null },
  ])(
    'gives each key that takes the place of one as long a life, until that one has expired: created with $flags',
    async ({ flags, days }) => {
      const file = keyFile();
      const old = await createKey(file, ...flags);
      const rotate = (overlap: string) => keys(['rotate', old.slice(4, 14), '--overlap', overlap, '--keys-file', file]);
      for (const overlap of ['7d', '7d', '0d']) expect((await rotate(overlap)).code).toBe(0);
      const [, ...next] = parseKeys(await readFile(file, 'utf8')) ?? [];
      const daysLeft = ({ expires }: KeyRecord) =>
        expires && Math.round((Date.parse(expires) - Date.now()) / 86_400_000);
      expect(next.map(daysLeft)).toEqual([days, days, days]);
      const stderr = 'vds-proxy: this key has expired; create a new one\n';
      expect(await rotate('7d')).toEqual({ code: 1, stdout: '', stderr });
    },
  );

  it('says nothing of a key that a process may have counted with others', async () => {
    const file = keyFile();
    const ids = [await createKey(file), await createKey(file)].map((key) => key.slice(4, 14));
    const counts = { requests: 3, errors: 2, limited: 1, lastUsed: '2026-01-02T00:00:00.000Z' };
    const pages = [[ids[0], 'others'], ids].map((names) => names.map((client) => ({ client, ...counts })));
    const processes = pages.map((clients) => startUpstream(() => ({ body: JSON.stringify({ clients }) })));
    const urls = (await Promise.all(processes)).map(({ url }) => url).join(',');
    const { stdout } = await keys(['usage', '--keys-file', file, '--admin-url', urls]);
    expect(stdout).toBe(
      `${ids[0]}  requests 6  errors 4  limited 2  last used ${counts.lastUsed}\n${ids[1]}  requests unknown  errors unknown  limited unknown  last used unknown\n`,
    );
  });
});

describe('a client', () => {
  it('with a key passes, and the key is not forwarded', async () => {
    const file = keyFile();
    const key = await createKey(file);
    const { call, seen } = await startWith(file);
    expect(await call(key)).toBe('200');
    expect(await call('', consent, 'GET', { authorization: `Bearer ${key}` })).toMatch(/^401 /);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer own']);
    expect(JSON.stringify(seen)).not.toContain('vds_');
    const forwarding = await startWith(file, { kind: 'forward' });
    expect(await forwarding.call(key, consent, 'GET', { authorization: 'Bearer clients' })).toBe('200');
    expect(forwarding.seen).toHaveLength(1);
  });

  it('without a good key is rejected whatever it requests, with a challenge', async () => {
    const file = keyFile();
    const [key, expired] = [await createKey(file), await createKey(file)];
    const { keys } = JSON.parse(await readFile(file, 'utf8'));
    keys[1].expires = '2020-01-01T00:00:00.000Z';
    await writeFile(file, JSON.stringify({ keys }));
    const { call, request, seen } = await startWith(file);
    const bad = ['x', key.slice(0, -1), `${key}A`, key.toUpperCase(), `${key.slice(0, -1)}!`, expired, ` ${key} x`];
    for (const value of ['', ...bad]) expect(await call(value)).toBe('401 invalid-client-credentials');
    const { status, headers } = await request('/nowhere');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="vehicle-data"']);
    expect(seen).toHaveLength(0);
  });

  it('may use only the operations and brands of its key', async () => {
    const file = keyFile();
    const key = await createKey(file, '--read-only', '--brands', 'brand_a');
    const narrow = await createKey(file, '--operations', 'getLocation,stopDataSharing');
    const { call } = await startWith(file);
    expect(await call(key)).toBe('200');
    expect(await call(key, consent, 'GET', { brand: 'brand_b' })).toBe(denied);
    expect(await call(key, withdrawal, 'DELETE')).toBe(denied);
    expect(await call(key, consent, 'DELETE')).toBe(denied);
    expect(await call(narrow)).toBe(denied);
    expect(await call(narrow, locationOf())).toBe('200');
    expect(await call(narrow, withdrawal, 'DELETE')).toBe('200');
    expect(await call(narrow, consent, 'DELETE')).toBe('403 stop-all-not-allowed');
  });

  it('with a key for single vehicles may use those, and nothing that names no vehicle', async () => {
    const file = keyFile();
    const list = join(dirname(file), 'vins.txt');
    await writeFile(list, `${vin}\nTESTVEHCLE000000A\n`);
    const key = await createKey(file, '--vehicles-file', list);
    expect(await readFile(file, 'utf8')).not.toContain('TESTVEHCLE');
    const { call, seen } = await startWith(file);
    for (const path of [locationOf(), locationOf('TestVehcle000000a')]) expect(await call(key, path)).toBe('200');
    for (const path of [locationOf('TESTVEHCLE0000002'), consent]) expect(await call(key, path)).toBe(denied);
    expect(await call(key, withdrawal, 'DELETE')).toBe('200');
    expect(await call(key, withdrawal.replace(vin, 'TESTVEHCLE0000002'), 'DELETE')).toBe(denied);
    expect(seen).toHaveLength(3);
  });
});
