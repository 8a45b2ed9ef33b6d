import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createVehicleDataClient } from '@vehicle-data/client';
import { type BuildOptions, build } from 'esbuild';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executablePath } from '../../../scripts/chromium.ts';
import { pagePatienceMs } from '../../../scripts/patience.ts';
import { accessToken, control, repository, serve, startApp, startProgram, startService } from './apps.ts';
import { samplesOf } from './markdown-samples.ts';
import { expectPicture, pictureOf } from './pictures.ts';

const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`Not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

const { sandbox, proxy } = await startService();

/** A page with a program that is bundled for browsers. */
async function pageWith(program: BuildOptions): Promise<string> {
  const { outputFiles } = await build({ ...program, bundle: true, format: 'esm', write: false });
  const script = outputFiles?.[0]?.text.replaceAll('</script', '<\\/script');
  return `<div id="app"></div><script type="module">${script}</script>`;
}

describe.skipIf(!hasChromium)('in a browser', () => {
  let browser: Browser;
  // The pages of all tests are of one profile: another would load everything again.
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    context = await browser.newContext();
  });
  afterAll(() => browser?.close());

  async function openPage(): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(pagePatienceMs);
    onTestFinished(() => page.close());
    return page;
  }

  test('a reader opens the docs of a running proxy at an error code, sends a sample and sees the response and a plot', async () => {
    const page = await openPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('response', (response) => {
      const isOwn = response.url().startsWith(proxy.address) && [200, 304, 308].includes(response.status());
      if (!isOwn && !/^(?:data|blob):/.test(response.url())) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${proxy.address}/docs/errors/4002/`);
    await page.getByRole('heading', { name: '4002 · Invalid request parameters' }).waitFor();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const summary = page.locator('.live-summary');
    await page.goto(`${proxy.address}/docs/operations/getPowertrainData/`);
    await page.getByLabel('startDate').fill('2026-03-03');
    await page.getByLabel('endDate').fill('2026-03-03');
    const sent = page.waitForRequest(/\/v1\//);
    await send.click();
    expect((await sent).url()).toMatch(/\?startDate=20260303&endDate=20260303$/);
    await page.getByText(/^HTTP 200 in \d+ ms, [\d,]+ characters, from the proxy/).waitFor();
    const plot = page.getByRole('img', { name: /^batteries\.hv\.voltage of the first trip in V, \d/ });
    await plot.waitFor();
    // The response stands in place of the sample, which returns when asked for.
    const sample = page.locator('.live-sample');
    expect(await sample.isVisible()).toBe(false);
    await page.getByText('Headers', { exact: true }).click();
    expect(await page.locator('.live details pre').textContent()).toContain('content-type: application/json');
    await page.getByRole('button', { name: 'Show the sample again' }).click();
    await sample.waitFor();
    expect(complaints).toEqual([]);
    // A failure leaves nothing of the response before it.
    await page.route('**/v1/**', (route) => route.fulfill({ status: 502, body: '<html>' }), { times: 1 });
    await send.click();
    await page.getByText(/^HTTP 502 in \d+ ms/).waitFor();
    expect([await page.locator('.live code').textContent(), await plot.count()]).toEqual(['<html>', 0]);
    await page.route('**/v1/**', (route) => route.abort(), { times: 1 });
    await send.click();
    await page.getByText('No response: Failed to fetch').waitFor();
    expect([await page.locator('.live').count(), await summary.count()]).toEqual([0, 1]);
  });

  test('the fields of a console take nothing until it works, so that nothing a reader fills in is lost', async () => {
    const page = await openPage();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(() => release());
    await page.route(/\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${proxy.address}/docs/operations/getPowertrainData/`, { waitUntil: 'commit' });
    const startDate = page.getByLabel('startDate');
    await startDate.waitFor();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    expect([await startDate.isDisabled(), await send.isDisabled()]).toEqual([true, true]);
    release();
    await startDate.fill('2026-03-03');
    await page.locator('.console .address', { hasText: 'startDate=20260303' }).waitFor();
  });

  test('the console of a withdrawal says what it would do and sends nothing; the sandbox in the page plays it, and is reset', async () => {
    const page = await openPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\//.test(request.url())) sent.push(request.url());
    });
    await page.goto(`${proxy.address}/docs/operations/stopDataSharing/`);
    const summary = page.locator('.live-summary');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await summary
      .filter({ hasText: 'Nothing was sent. It would stop sharing of one vehicle, SANDB0XB000000003 of brand_b.' })
      .waitFor();
    await page.getByLabel('vin').fill('');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    await summary.filter({ hasText: 'EVERY vehicle of brand_b' }).waitFor();
    await page.getByLabel('vin').fill('SANDB0XB000000003');

    const send = page.getByRole('button', { name: 'Send', exact: true });
    const toPage = () => page.getByLabel('Send to').selectOption('page');
    const read = async (status: number, code: string) => {
      await page.locator('.VPSidebar a[href$="/operations/getLocation/"]').click();
      // The address changes before the page does.
      await page.getByRole('heading', { level: 1, name: 'Get location' }).waitFor();
      await page.getByLabel('Brand').selectOption('brand_b');
      await page.getByLabel('vin').fill('SANDB0XB000000003');
      await toPage();
      await send.click();
      await summary
        .filter({ hasText: new RegExp(`^HTTP ${status} in \\d+ ms, .*, from the sandbox in this page`) })
        .waitFor();
      await page.locator('.live code', { hasText: code }).waitFor();
    };
    await toPage();
    await send.click();
    await summary.filter({ hasText: /^HTTP 200 in \d+ ms/ }).waitFor();
    await read(400, '"code": "5006"');
    await page.getByRole('button', { name: 'Reset the sandbox' }).click();
    await summary.filter({ hasText: 'The sandbox in this page is as new.' }).waitFor();
    await read(200, '"latitude"');
    expect(sent).toEqual([]);
  });

  test('who follows the tutorial "Where is my car" and opens the printed address sees a place', async () => {
    await control(sandbox, 'clock', { now: '2026-03-09T07:00:00Z', frozen: true });
    const guide = `${repository}/apps/docs/guides/where-is-my-car.md`;
    const sample = (await samplesOf('apps/docs/guides/where-is-my-car.md')).find(({ language }) => language === 'ts');
    const file = `${repository}/packages/e2e/test/.cache/where-is-my-car.ts`;
    await mkdir(dirname(file), { recursive: true });
    // It listens on a free port, and says on which.
    const program = `${sample?.source}`
      .replaceAll('http://127.0.0.1:8787', proxy.address)
      .replace("listen(8790, '127.0.0.1'", "listen(0, '127.0.0.1'")
      .replace(":8790'", ":' + server.address().port");
    expect(program).not.toContain('8790');
    await writeFile(file, program);
    // As a reader does: open the address that the program prints.
    const { address, output } = await startProgram([file]);
    const page = await openPage();
    await page.goto(address);
    await page.getByText(/^-?\d+\.\d{3}°, -?\d+\.\d{3}°$/).waitFor();
    const html = await page.locator('h1, p').evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML));
    const [, shown] = (await readFile(guide, 'utf8')).split('```text\n');
    expect(output().replace(address, 'http://127.0.0.1:8790')).toBe(shown?.split('```')[0]);
    await expectPicture('where-is-my-car', pictureOf(html.join('\n')));
  });

  test('a page of an allowed origin uses the SDK to read, and cannot stop data sharing', async () => {
    // The page calls the proxy at an address with the SDK, and says how each call ended.
    const script = `
      import { createVehicleDataClient } from '@vehicle-data/client';
      const outcome = (call) => call.then(() => 'done', ({ code, message }) => code ?? message);
      globalThis.play = async (baseUrl) => {
        const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: '${accessToken}', maxRetries: 0 });
        const reading = await outcome(client.listVehicles());
        return [reading, await outcome(client.stopSharing({ vin: 'TESTVEHCLE0000001' }))];
      };`;
    const html = await pageWith({ stdin: { contents: script, resolveDir: import.meta.dirname } });
    const origin = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
    const settings = { VDS_UPSTREAM_URL: sandbox.address, VDS_CORS_ORIGINS: origin };
    const page = await openPage();
    await page.goto(origin);
    await page.waitForFunction('globalThis.play');
    const play = ({ address }: { readonly address: string }) => page.evaluate(`play(${JSON.stringify(address)})`);
    expect(await play(await startApp('proxy', settings))).toEqual(['done', 'connection-failed']);
    expect(await play(proxy)).toEqual(['connection-failed', 'connection-failed']);
  });

  test('a React app shows the trips of a vehicle, and says when its owner has withdrawn', async () => {
    const { address } = proxy;
    const client = createVehicleDataClient({ baseUrl: address, brand: 'brand_a', accessToken });
    const { vehicles } = await client.listVehicles();
    const [first = '', second = ''] = vehicles.map(({ vin }) => vin);
    const week = { startDate: '20260302', endDate: '20260308', zoneId: 'Europe/Berlin' };
    const { trips } = await client.getDrivingData({ vin: first, ...week });
    const entryPoints = [`${repository}/packages/e2e/react-app/app.tsx`];
    const define = { 'process.env.NODE_ENV': '"production"' };
    const html = await pageWith({ entryPoints, jsx: 'automatic', define });
    const calls: string[] = [];
    // Forwards the page's calls to the proxy with the access token that the page does not hold.
    const origin = await serve(async ({ url = '', headers: { brand = '' } }, response) => {
      if (!url.startsWith('/v1/')) return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      calls.push(url);
      const headers = { brand: `${brand}`, authorization: `Bearer ${accessToken}` };
      const upstream = await fetch(`${address}${url}`, { headers });
      return response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(await upstream.text());
    });
    const page = await openPage();
    await page.goto(origin);
    await page.getByText(first).click();
    await page.locator('tr').first().waitFor();
    const rows = await page.locator('tr').allTextContents();
    expect(rows).toEqual(trips.map(({ triggerStartTime, tripLength }) => `${triggerStartTime}${tripLength}`));
    expect(rows.length).toBeGreaterThan(3);

    await client.stopSharing({ vin: second });
    await page.getByText(second).click();
    expect(await page.getByRole('alert').textContent()).toBe('The owner no longer shares this vehicle.');
    const callsBefore = calls.length;
    await page.getByText(first).click();
    await page.locator('tr').first().waitFor();
    // What was read is kept by its key: one call for the list, and one for each vehicle.
    expect([callsBefore, calls.length]).toEqual([3, 3]);
  });
});
