import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startApp } from './apps.ts';

const executablePath = '/usr/bin/chromium';
const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`No page uses the SDK: ${executablePath} is missing (apt-get install chromium).`);

const client = fileURLToPath(new URL('../../client/', import.meta.url));
const folders = [
  ['/client/', `${client}dist/`],
  ['/openapi-fetch/', `${client}node_modules/openapi-fetch/dist/`],
] as const;

// What the page does: it calls the proxy at an address with the SDK, and says how each call ended.
const script = `
  import { createVehicleDataClient } from '@vehicle-data/client';
  const outcome = (call) => call.then(() => 'done', ({ code, message }) => code ?? message);
  globalThis.play = async (baseUrl) => {
    const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: 'demo-access-token', maxRetries: 0 });
    const reading = await outcome(client.listVehicles());
    return [reading, await outcome(client.stopSharing({ vin: 'TESTVEHCLE0000001' }))];
  };
  globalThis.ready = true;
`;

/** Another origin than that of the proxy, with a page that can import the SDK. */
async function pageServer() {
  const imports = { '@vehicle-data/client': '/client/index.js', 'openapi-fetch': '/openapi-fetch/index.mjs' };
  const page = `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${script}</script>`;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const [prefix, folder] = folders.find(([start]) => path.startsWith(start)) ?? [];
    if (prefix === undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const text = await readFile(`${folder}${path.slice(prefix.length)}`, 'utf8').catch(() => '');
    return response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test.skipIf(!hasChromium)(
  'a page of an allowed origin uses the SDK to read, and cannot stop data sharing',
  async () => {
    const sandbox = await startApp('sandbox', {});
    const server = await pageServer();
    const settings = { VDS_UPSTREAM_URL: sandbox.address };
    const open = await startApp('proxy', { ...settings, VDS_CORS_ORIGINS: server.origin });
    const closed = await startApp('proxy', settings);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(server.origin);
      await page.waitForFunction('globalThis.ready');
      const play = (address: string) =>
        page.evaluate(`play(${JSON.stringify(address)}).catch(({ message }) => [message])`);
      expect(await play(open.address)).toEqual(['done', 'connection-failed']);
      expect(await play(closed.address)).toEqual(['connection-failed', 'connection-failed']);
    } finally {
      await browser.close();
      server.close();
    }
  },
);
