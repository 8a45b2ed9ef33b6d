import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readSettings } from '../src/config/read-settings.ts';
import { reloadOnChange } from '../src/node/reload.ts';
import { Warnings } from '../src/observability/warnings.ts';
import { newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/set-up.ts';

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

it('settings that change while the proxy starts are used, except those of the process, which wait for a restart', async () => {
  const read = (limit: string, hashKey: string) => {
    const environment = {
      VDS_UPSTREAM_URL: 'http://127.0.0.1:1',
      VDS_LIMIT_PER_CLIENT: limit,
      VDS_VIN_HASH_KEY: hashKey,
    };
    return readSettings({ environment, arguments: [], readFile: () => '' });
  };
  const firstKey = 'k'.repeat(32);
  const first = read('1/60s', firstKey);
  if (!first.ok) throw new Error(first.mistakes.join());
  const applied: unknown[] = [];
  const readings = [first, read('2/60s', 'l'.repeat(32))];
  const ends = readings.map((reading) =>
    reloadOnChange(first.settings, {
      read: () => ({ reading, files: [] }),
      apply: async ({ values }) => void applied.push([values.VDS_LIMIT_PER_CLIENT, values.VDS_VIN_HASH_KEY]),
      warnings: new Warnings(() => {}),
      onReload: () => {},
    }),
  );
  await expect.poll(() => applied).toEqual([[{ calls: 2, seconds: 60 }, firstKey]]);
  for (const end of ends) end();
});
