import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** A program with a configuration file and a token file that can be changed. */
async function program() {
  const tokens: string[] = [];
  const upstream = await listen((request, response) => {
    tokens.push(request.headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(successBody());
  });
  cleanUp.push(upstream.close);
  const folder = await mkdtemp(join(tmpdir(), 'vds-reload-'));
  const [configFile, tokenFile] = [join(folder, 'config.json'), join(folder, 'token')];
  const configure = (settings: object) => writeFile(configFile, JSON.stringify(settings));
  await configure({ 'limit-per-client': '1000000/60s' });
  await writeFile(tokenFile, 'one');
  const running = await startProgram({
    VDS_UPSTREAM_URL: upstream.url,
    VDS_CONFIG_FILE: configFile,
    VDS_UPSTREAM_AUTH: 'static',
    VDS_ACCESS_TOKEN_FILE: tokenFile,
    VDS_ADMIN_PORT: '0',
  });
  cleanUp.push(() => running.process.kill('SIGKILL'));
  const call = async (brand = 'brand_a') => {
    const answer = await fetch(`http://127.0.0.1:${running.port}/v1/vehicles/consent`, { headers: { brand } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const ready = async () => (await fetch(`http://127.0.0.1:${running.port}/readyz`)).text();
  const admin = /metrics on (\S+)\n/.exec(running.output.stdout)?.[1] ?? '';
  const metrics = async () => (await fetch(admin)).text();
  return { ...running, tokens, configure, tokenFile, call, ready, metrics };
}

it('a token file that changes is read again, and no request is lost meanwhile', async () => {
  const { call, tokens, tokenFile } = await program();
  expect(await call()).toBe(200);
  let running = true;
  const statuses = new Set<number>();
  const client = (async () => {
    while (running) statuses.add(await call());
  })();
  await writeFile(tokenFile, 'two');
  await expect.poll(() => tokens.at(-1), { timeout: 10_000 }).toBe('Bearer two');
  running = false;
  await client;
  expect([...statuses]).toEqual([200]);
});

it('SIGHUP reloads brands, limits and log level; mistakes keep the settings before and are shown', async () => {
  const { call, configure, process: child, output, ready, metrics } = await program();
  expect(await call('brand_z')).toBe(400);
  await configure({ brands: ['brand_z'], 'limit-per-client': '2/600s', 'log-level': 'silent' });
  child.kill('SIGHUP');
  await expect.poll(() => output.stderr, { timeout: 10_000 }).toContain('settings are reloaded');
  const logged = output.stderr.length;
  // What was counted before still counts.
  expect([await call('brand_z'), await call('brand_z'), await call('brand_a')]).toEqual([200, 200, 400]);
  expect(await call('brand_z')).toBe(429);
  expect(output.stderr.slice(logged)).not.toContain('requestId');

  await configure({ brands: ['brand_z'], 'limit-per-client': 'zebra', port: 1 });
  child.kill('SIGHUP');
  await expect.poll(ready, { timeout: 10_000 }).toBe('{"status":"ready","warnings":["settings"]}');
  expect(output.stderr).toContain('VDS_LIMIT_PER_CLIENT: must be calls and seconds');
  expect(output.stderr).not.toContain('zebra');
  expect(await call('brand_z')).toBe(429);
  const seen = await metrics();
  expect(seen).toContain('vds_proxy_warning{name="settings"} 1');
  expect(seen).toMatch(/vds_proxy_reloads_total\{outcome="failed"\} [1-9]/);

  await configure({ brands: ['brand_a'] });
  await expect.poll(ready, { timeout: 10_000 }).toBe('{"status":"ready"}');
  expect(await call('brand_a')).toBe(200);
});

it('neither SIGUSR1, which would open the inspector, nor SIGUSR2 ends or changes anything', async () => {
  const { call, process: child, output } = await program();
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await call()).toBe(200);
  expect(output.stderr).not.toContain('Debugger listening');
});
