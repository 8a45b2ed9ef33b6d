import { writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import type { Settings, SettingValues } from '../src/config/settings.js';
import { type ReadFromFiles, readFromFiles, reloadOnChange } from '../src/node/reload.js';
import { Warnings } from '../src/observability/warnings.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { settingsOf, tokenSettings } from './support/settings.ts';

/** A program with a configuration file and a token file that can be changed. */
async function start() {
  const upstream = await startUpstream();
  const [configFile, tokenFile] = [newFile('config.json'), newFile('token')];
  const configure = (settings: object) => writeFile(configFile, JSON.stringify(settings));
  await configure({ 'limit-per-client': '1000000/60s' });
  await writeFile(tokenFile, 'one\n');
  const program = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_CONFIG_FILE: configFile,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN_FILE: tokenFile,
    VDS_ADMIN_PORT: '0',
  });
  const call = async (brand = 'brand_a') => (await program.call(undefined, { brand })).status;
  return { ...program, upstream, configure, tokenFile, call };
}

it('a token file that changes is read again, and no request is lost meanwhile', async () => {
  const { call, upstream, tokenFile } = await start();
  expect([await call(), upstream.tokens()]).toEqual([200, ['one']]);
  await writeFile(tokenFile, 'two');
  const statuses = new Set<number>();
  await expect.poll(async () => [statuses.add(await call()), upstream.tokens().at(-1)][1]).toBe('two');
  expect([...statuses]).toEqual([200]);
});

it('SIGHUP reloads brands, limits and log level; mistakes keep the settings before and are shown', async () => {
  const { call, configure, process: child, output, ready, adminPage } = await start();
  // Of these neither ends the program, nor does the first open the inspector.
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  expect(await call('brand_z')).toBe(400);
  // Lines of the log are written beside the requests.
  await expect.poll(() => output.stderr).toContain('requestId');
  await configure({ brands: ['brand_z'], 'limit-per-client': '2/600s', 'log-level': 'silent' });
  child.kill('SIGHUP');
  await expect.poll(() => output.stderr).toContain('settings are reloaded');
  const logged = output.stderr.length;
  // What was counted before still counts.
  expect([await call('brand_z'), await call('brand_z'), await call('brand_a')]).toEqual([200, 200, 400]);
  expect(await call('brand_z')).toBe(429);
  expect(output.stderr.slice(logged)).not.toContain('requestId');

  await configure({ brands: ['brand_z'], 'limit-per-client': 'zebra', port: 1 });
  child.kill('SIGHUP');
  await expect.poll(ready).toBe('{"status":"ready","warnings":["settings"]}');
  expect(output.stderr).toContain('VDS_LIMIT_PER_CLIENT: must be calls and seconds');
  expect(output.stderr).not.toContain('zebra');
  expect(await call('brand_z')).toBe(429);
  const seen = await adminPage('/metrics');
  expect(seen).toContain('vds_proxy_warning{name="settings"} 1');
  expect(seen).toMatch(/vds_proxy_reloads_total\{outcome="failed"\} [1-9]/);

  await configure({ brands: ['brand_a'], 'redis-timeout-ms': 99 });
  await expect.poll(ready).toBe('{"status":"ready"}');
  expect(output.stderr).toContain('VDS_REDIS_TIMEOUT_MS: takes effect with a restart');
  expect(await call('brand_a')).toBe(200);
  expect(output.stderr).not.toContain('Debugger listening');
});

it('a key file that was broken, or is not there yet, is used once it is good, and nothing warns any more', async () => {
  const [configFile, keysFile, laterFile] = [newFile('config.json'), newFile('keys.json'), newFile('later.json')];
  const configure = (file: string) => writeFile(configFile, JSON.stringify({ 'keys-file': file }));
  await configure(keysFile);
  await writeFile(keysFile, printKeys([recordOf()]));
  const { url } = await startUpstream();
  const own = { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'own', VDS_CLIENT_AUTH: 'api-key' };
  const program = await startProgram({ VDS_UPSTREAM_URL: url, VDS_CONFIG_FILE: configFile, ...own });
  const { ready, process: child } = program;
  await writeFile(keysFile, 'broken');
  await expect.poll(ready).toBe('{"status":"ready","warnings":["keys-file"]}');
  await writeFile(keysFile, printKeys([recordOf()]));
  child.kill('SIGHUP');
  await expect.poll(ready).toBe('{"status":"ready"}');
  await configure(laterFile);
  await expect.poll(ready).toBe('{"status":"ready","warnings":["settings"]}');
  await writeFile(laterFile, printKeys([recordOf()]));
  await expect.poll(ready).toBe('{"status":"ready"}');
  expect((await program.call(undefined, { brand: 'brand_a', 'x-api-key': apiKey })).status).toBe(200);
  await writeFile(laterFile, printKeys([recordOf({ vehicles: [] })]));
  await expect.poll(ready).toBe('{"status":"ready","warnings":["keys-file"]}');
  expect(program.output.stderr).toContain('VDS_VIN_HASH_KEY: must be set');
  await writeFile(laterFile, printKeys([recordOf({ vehicles: [], revoked: '2026-01-01T00:00:00.000Z' })]));
  await expect.poll(ready).toBe('{"status":"ready"}');
  expect((await program.call(undefined, { brand: 'brand_a', 'x-api-key': apiKey })).status).toBe(401);
}, 15_000);

const common = { VDS_UPSTREAM_URL: 'http://127.0.0.1:1' };

/** Watches in this process. */
function watch(first: Settings, files: ReadFromFiles['files'], read: () => ReadFromFiles) {
  const applied: Settings[] = [];
  const outcomes: string[] = [];
  const end = reloadOnChange(first, files, {
    read,
    apply: async (settings) => void applied.push(settings),
    warnings: new Warnings(() => {}),
    onReload: (outcome) => outcomes.push(outcome),
  });
  onTestFinished(end);
  return { applied, outcomes };
}

it('a file that changes after it was read and before it is watched is read again', async () => {
  const file = newFile('config.json');
  const configure = (limit: string) => writeFile(file, JSON.stringify({ 'limit-per-client': limit }));
  await configure('1/60s');
  const read = () => readFromFiles([`--config-file=${file}`, `--upstream=${common.VDS_UPSTREAM_URL}`]);
  const { reading, files } = read();
  if (!reading.ok) throw new Error(reading.mistakes.join());
  await configure('22/60s');
  const { applied } = watch(reading.settings, files, read);
  await expect.poll(() => applied.map(({ texts }) => texts['VDS_LIMIT_PER_CLIENT'])).toEqual(['22/60s']);
});

const hashKey = { VDS_VIN_HASH_KEY: 'k'.repeat(32) };
const keys = { VDS_HOST: '0.0.0.0', VDS_CLIENT_AUTH: 'api-key', VDS_KEYS_FILE: 'keys.json' };
const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'r0' };
const refreshes = { ...tokenSettings('http://127.0.0.1:1'), ...grant };

/** Settings before and after a reload, and what is in use then, null where the reload fails. */
interface Reload {
  readonly what: string;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly values: Partial<SettingValues> | null;
}

it.each<Reload>([
  { what: 'a hash key waits for one', before: hashKey, after: {}, values: hashKey },
  {
    what: 'no client authentication on an address that everyone reaches is rejected until one',
    before: keys,
    after: {},
    values: null,
  },
  { what: 'refresh tokens that one would lose are rejected', before: {}, after: refreshes, values: null },
])('a reload does not do what needs a restart: $what', async ({ before, after, values }) => {
  const { applied, outcomes } = watch(settingsOf({ ...before, ...common }), new Map(), () => ({
    reading: { ok: true, settings: settingsOf({ ...after, ...common }) },
    files: new Map(),
  }));
  process.emit('SIGHUP');
  await expect.poll(() => outcomes).toEqual([values === null ? 'failed' : 'ok']);
  expect(applied.map((settings) => settings.values)).toMatchObject(values === null ? [] : [values]);
});
