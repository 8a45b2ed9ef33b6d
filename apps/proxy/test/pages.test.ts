import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createProxy } from '../src/index.js';
import worker from '../src/worker.js';
import { startProgram } from './support/program.ts';

const upstreamUrl = 'http://127.0.0.1:9';
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** A request whose answer is not decoded on the way. */
function get(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe.each(['/docs', '/openapi.json'])('%s', (path) => {
  it('comes compressed for those who take that, and plain for the others, as the same page', async () => {
    const { port, process } = await startProgram({ VDS_UPSTREAM_URL: upstreamUrl });
    cleanUp.push(() => process.kill('SIGKILL'));
    const plain = await get(port, path);
    const compressed = await get(port, path, { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(compressed.body.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 3);
    expect((await get(port, path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  it('is not sent again to a reader who has it', async () => {
    const { port, process } = await startProgram({ VDS_UPSTREAM_URL: upstreamUrl });
    cleanUp.push(() => process.kill('SIGKILL'));
    const accept = { 'accept-encoding': 'gzip' };
    const { headers } = await get(port, path, accept);
    const etag = String(headers['etag']);
    const again = await get(port, path, { ...accept, 'if-none-match': `"another", W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers['etag']).toBe(etag);
    // The two forms differ in their bytes, so their tags differ.
    expect((await get(port, path, { 'if-none-match': etag })).status).toBe(200);
  });

  it('tells a HEAD what a GET would bring', async () => {
    const { port, process } = await startProgram({ VDS_UPSTREAM_URL: upstreamUrl });
    cleanUp.push(() => process.kill('SIGKILL'));
    const accept = { 'accept-encoding': 'gzip' };
    const [whole, head] = [await get(port, path, accept), await get(port, path, accept, 'HEAD')];
    expect(head.body).toHaveLength(0);
    for (const name of ['etag', 'content-length', 'content-type', 'content-encoding'])
      expect(head.headers[name]).toBe(whole.headers[name]);
  });
});

it('a page is served wherever web standards run, from the bytes that the runtime brings', async () => {
  const text = new Blob(['<!DOCTYPE html>']).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  let loaded = 0;
  const gzip = async () => {
    loaded++;
    return bytes;
  };
  const proxy = createProxy({ upstreamUrl }, { pages: { docs: { contentType: 'text/html', gzip } } });
  const first = await proxy.fetch(new Request('http://proxy/docs'));
  expect(await first.text()).toBe('<!DOCTYPE html>');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  expect((await proxy.fetch(new Request('http://proxy/docs', { headers }))).status).toBe(304);
  expect(loaded).toBe(1);
  expect((await proxy.fetch(new Request('http://proxy/openapi.json'))).status).toBe(404);
});

it('a Worker serves the pages out of its static assets', async () => {
  const docs = fileURLToPath(new URL('.', import.meta.resolve('@vehicle-data/openapi/docs')));
  const assets = {
    async fetch({ url }: Request) {
      const { pathname } = new URL(url);
      return new Response(await readFile(`${docs}${pathname === '/' ? '/index.html' : pathname}`));
    },
  };
  const environment = { VDS_UPSTREAM_URL: upstreamUrl, VDS_HOST: '127.0.0.1', ASSETS: assets };
  const answer = await worker.fetch(new Request('http://proxy/docs'), environment, { waitUntil() {} });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain('<title>Vehicle Data Service</title>');
  const contract = await worker.fetch(new Request('http://proxy/openapi.json'), environment, { waitUntil() {} });
  expect(await contract.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  expect((await worker.fetch(new Request('http://proxy/docs/llms.txt'), environment, { waitUntil() {} })).status).toBe(
    404,
  );
});
