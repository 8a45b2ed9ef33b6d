import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runProgram, startProgram } from './support/program.ts';

const upstream = 'http://127.0.0.1:9';
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo();
});

async function service(handler: (request: { url?: string; headers: object }) => string): Promise<string> {
  const server = createServer((request, response) => {
    const body = handler({ url: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the program', () => {
  it('starts from the environment alone, says one line, answers and ends with 0 on SIGTERM', async () => {
    const proxy = await startProgram({ VDS_UPSTREAM_URL: upstream });
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    expect(proxy.output.stdout).toBe(`proxy listening on http://127.0.0.1:${proxy.port}\n`);
    expect((await fetch(`http://127.0.0.1:${proxy.port}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${proxy.port}/readyz`)).status).toBe(200);
    proxy.process.kill('SIGTERM');
    expect(await proxy.exit).toBe(0);
  });

  it('serves no docs and no contract when they are switched off', async () => {
    const proxy = await startProgram({ VDS_UPSTREAM_URL: upstream, VDS_DOCS: 'false' });
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    for (const path of ['/docs', '/docs/', '/openapi.json', '/openapi.yaml', '/llms.txt'])
      expect((await fetch(`http://127.0.0.1:${proxy.port}${path}`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${proxy.port}/healthz`)).status).toBe(200);
  });

  it('takes every setting as a flag, which wins over the variable', async () => {
    const address = await service(() => '{"data":{"vehicles":[]},"meta":{}}');
    const proxy = await startProgram({ VDS_UPSTREAM_URL: upstream }, [
      '--upstream',
      address,
      '--brands=alpha,beta',
      '--allow-stop-all',
    ]);
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    const call = (brand: string) => fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, { headers: { brand } });
    expect((await call('alpha')).status).toBe(200);
    expect((await call('brand_a')).status).toBe(400);
  });

  it('serves the reference and the contract', async () => {
    const proxy = await startProgram({ VDS_UPSTREAM_URL: upstream });
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    const docs = await fetch(`http://127.0.0.1:${proxy.port}/docs`);
    expect(docs.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await docs.text()).length).toBeGreaterThan(10_000);
    const contract = await fetch(`http://127.0.0.1:${proxy.port}/openapi.json`);
    expect(await contract.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  });

  it('sends its own token when it is told to, also out of a file', async () => {
    let seen: object = {};
    const address = await service(({ headers }) => {
      seen = headers;
      return '{"data":{"vehicles":[]},"meta":{}}';
    });
    const folder = await mkdtemp(join(tmpdir(), 'vds-proxy-'));
    await writeFile(join(folder, 'token'), 'own-token-7\n');
    const proxy = await startProgram({
      VDS_UPSTREAM_URL: address,
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN_FILE: join(folder, 'token'),
    });
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    await fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, {
      headers: { brand: 'brand_a', authorization: 'Bearer clients' },
    });
    expect(seen).toMatchObject({ authorization: 'Bearer own-token-7' });
  });

  it('gets its tokens from a token endpoint, by brand', async () => {
    const seen: string[] = [];
    const address = await service(({ headers }) => {
      seen.push(JSON.stringify(headers));
      return '{"data":{"vehicles":[]},"meta":{}}';
    });
    const issuer = await service(() => '{"access_token":"fetched-1","expires_in":3600}');
    const folder = await mkdtemp(join(tmpdir(), 'vds-proxy-'));
    const brandA = { 'upstream-auth': 'token-endpoint', 'token-url': issuer, 'client-id': 'me', 'client-secret': 'x' };
    const environment = { VDS_UPSTREAM_URL: address, VDS_CONFIG_FILE: join(folder, 'config.json') };
    await writeFile(join(folder, 'config.json'), JSON.stringify({ 'by-brand': { brand_a: brandA } }));
    const proxy = await startProgram(environment);
    cleanUp.push(() => proxy.process.kill('SIGKILL'));
    for (const brand of ['brand_a', 'brand_b'])
      await fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, {
        headers: { brand, authorization: 'Bearer clients-own' },
      });
    expect(seen[0]).toContain('Bearer fetched-1');
    expect(seen[1]).toContain('Bearer clients-own');
    const checked = runProgram(environment, ['check']);
    expect(await checked.exit).toBe(0);
    expect(checked.output.stdout).toContain('VDS_TOKEN_URL: reached\n');
  });

  it('names a busy port and ends with 1', async () => {
    const first = await startProgram({ VDS_UPSTREAM_URL: upstream });
    cleanUp.push(() => first.process.kill('SIGKILL'));
    const second = runProgram({ VDS_UPSTREAM_URL: upstream, VDS_PORT: String(first.port) });
    expect(await second.exit).toBe(1);
    expect(second.output).toEqual({ stdout: '', stderr: 'vds-proxy: VDS_PORT: the port is already in use\n' });
  });

  it.each([
    ['an upstream that is no address', { VDS_UPSTREAM_URL: 'secret-7' }, 'VDS_UPSTREAM_URL'],
    ['no upstream', {}, 'VDS_UPSTREAM_URL'],
    ['a port that is no number', { VDS_PORT: 'secret-7' }, 'VDS_PORT'],
    ['clients from anywhere who are not recognised', { VDS_HOST: '0.0.0.0' }, 'VDS_HOST'],
    ['a static identity without a token', { VDS_UPSTREAM_AUTH: 'static' }, 'VDS_ACCESS_TOKEN'],
    ['a token that would not be used', { VDS_ACCESS_TOKEN: 'secret-7' }, 'VDS_ACCESS_TOKEN'],
    ['a token with a line end', { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: 'secret-7\r\nx' }, 'VDS_ACCESS_TOKEN'],
    ['a deadline of words', { VDS_DEADLINE_MS: 'secret-7' }, 'VDS_DEADLINE_MS'],
    ['a variable that does not exist', { VDS_DEADLIN_MS: 'secret-7' }, 'VDS_DEADLIN_MS'],
  ])('does not start with %s, says which setting it is and not its value', async (_, environment, named) => {
    const usual = named === 'VDS_UPSTREAM_URL' ? {} : { VDS_UPSTREAM_URL: upstream };
    const run = runProgram({ ...usual, ...environment } as Record<string, string>);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr.split('\n')).toHaveLength(2);
    expect(run.output.stderr).toContain(`vds-proxy: ${named}: `);
    expect(run.output.stderr).not.toContain('secret-7');
    expect(run.output.stdout).toBe('');
  });
});

describe('the commands', () => {
  it('check reaches for the service and says so', async () => {
    const address = await service(() => '{}');
    const reached = runProgram({}, ['check', '--upstream', address]);
    expect(await reached.exit).toBe(0);
    expect(reached.output.stdout).toBe('settings: good\nVDS_UPSTREAM_URL: reached\n');
    const missed = runProgram({}, ['check', '--upstream', upstream]);
    expect(await missed.exit).toBe(1);
    expect(missed.output.stdout).toContain('VDS_UPSTREAM_URL: cannot be reached: the connection was refused\n');
  });

  it('--print-config shows the settings without starting', async () => {
    const run = runProgram({}, [
      '--print-config',
      '--upstream',
      upstream,
      '--upstream-auth=static',
      '--access-token=zebra',
    ]);
    expect(await run.exit).toBe(0);
    expect(run.output.stdout).toContain(`VDS_UPSTREAM_URL=${upstream}\n`);
    expect(run.output.stdout).toContain('VDS_ACCESS_TOKEN=(set, not shown)\n');
    expect(run.output.stdout).not.toContain('zebra');
  });
});
