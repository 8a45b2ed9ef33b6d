import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createVehicleDataClient } from '@vehicle-data/client';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startService } from './apps.ts';

const executablePath = '/usr/bin/chromium';
const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`The React app is not opened: ${executablePath} is missing (apt-get install chromium).`);

/** Serves the page, and forwards its calls to the proxy with the access token that the page does not hold. */
async function serveApp(proxyAddress: string) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../react-app/app.tsx', import.meta.url))],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  });
  const page = `<div id="app"></div><script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`;
  const calls: string[] = [];
  const server = createServer(async ({ url = '', headers: { brand = '' } }, response) => {
    if (!url.startsWith('/v1/')) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    calls.push(url);
    const headers = { brand: `${brand}`, authorization: 'Bearer demo-access-token' };
    const upstream = await fetch(`${proxyAddress}${url}`, { headers });
    return response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(await upstream.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, calls, close: () => server.close() };
}

test.skipIf(!hasChromium)(
  'a React app shows the trips of a vehicle, and says when its owner has withdrawn',
  async () => {
    const { proxy } = await startService();
    const accessToken = 'demo-access-token';
    const client = createVehicleDataClient({ baseUrl: proxy.address, brand: 'brand_a', accessToken });
    const { vehicles } = await client.listVehicles();
    const [first = '', second = ''] = vehicles.map(({ vin }) => vin);
    const week = { startDate: '20260302', endDate: '20260308', zoneId: 'Europe/Berlin' };
    const { trips } = await client.getDrivingData({ vin: first, ...week });

    const server = await serveApp(proxy.address);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(server.origin);
      await page.getByText(first).click();
      await page.locator('tr').first().waitFor();
      const rows = await page.locator('tr').allTextContents();
      expect(rows).toEqual(trips.map(({ triggerStartTime, tripLength }) => `${triggerStartTime}${tripLength}`));
      expect(rows.length).toBeGreaterThan(3);

      await client.stopSharing({ vin: second });
      await page.getByText(second).click();
      expect(await page.getByRole('alert').textContent()).toBe('The owner no longer shares this vehicle.');
      const callsBefore = server.calls.length;
      await page.getByText(first).click();
      await page.locator('tr').first().waitFor();
      // What was read is kept by its key: one call for the list, and one for each vehicle.
      expect([callsBefore, server.calls.length]).toEqual([3, 3]);
    } finally {
      await browser.close();
      server.close();
    }
  },
);
