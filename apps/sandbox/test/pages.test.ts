import { existsSync } from 'node:fs';
import { createVehicleDataClient } from '@vehicle-data/client';
import { chromium } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { pagePatienceMs } from '../../../scripts/patience.ts';
import { createSandbox } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { brands, control, outcome, send, served } from './calls.js';

const executablePath = '/usr/bin/chromium';
const browserIsHere = existsSync(executablePath);
if (!browserIsHere) console.log(`no browser at ${executablePath}: the pages are not tried in a real one`);

const whenBrowser = it.skipIf(!browserIsHere);

const browser = browserIsHere ? await chromium.launch({ executablePath, args: ['--no-sandbox'] }) : undefined;
// Tabs of one window: a window of its own takes half a second more. Each sandbox is another origin.
const tabs = await browser?.newContext();
afterAll(() => browser?.close());

/** Opens a page for a sandbox that responds over HTTP, in a week in which its vehicles drive. */
async function openPage() {
  const sandbox = await served();
  await control(sandbox, 'clock', { now: '2026-03-09T07:00:00Z' });
  const page = await tabs?.newPage();
  if (!page) throw new Error('there is no browser');
  page.setDefaultTimeout(pagePatienceMs);
  return { base: sandbox.base, page };
}

whenBrowser('a person withdraws one vehicle, which the SDK then no longer sees, and agrees again', async () => {
  const { base, page } = await openPage();
  const client = createVehicleDataClient({ baseUrl: base, brand: brands[0], accessToken: 'demo-access-token' });
  const nicknames = async () => (await client.listVehicles()).vehicles.map(({ nickname }) => nickname);
  await page.goto(`${base}/sandbox`);
  expect(await page.title()).toBe('Vehicles of demo');
  await page.getByLabel('Grocery getter').check();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('row', { name: 'Grocery getter' }).filter({ hasText: 'withdrawn' }).waitFor();
  expect(await nicknames()).toEqual(['Long hauler', 'School bus', 'Moving on']);
  await page.getByLabel('Grocery getter').check();
  await page.getByRole('button', { name: 'Agree to share' }).click();
  await page.getByRole('row', { name: 'Grocery getter' }).filter({ hasText: 'shares its data' }).waitFor();
  expect(await nicknames()).toEqual(['Grocery getter', 'Long hauler', 'School bus', 'Moving on']);
});

whenBrowser('the trips page shows the month, the latest trip and the position, from the sandbox alone', async () => {
  const { base, page } = await openPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  await page.goto(`${base}/sandbox/trips`);
  await page.locator('.trip-row').first().click();
  await page.getByRole('region', { name: 'Signals over assumed time' }).waitFor();
  await page.getByRole('heading', { name: 'Latest location' }).waitFor();
  const options = await page.getByLabel('Vehicle').locator('option').allTextContents();
  expect(options.length - dirtyVins.length).toBeGreaterThan(1);
  expect(options).toContain('Dirty data: missing minute');
  await expect.poll(() => page.locator('.plot canvas').count()).toBeGreaterThan(3);
  expect(complaints).toEqual([]);
});

whenBrowser('a trip that is pressed while the month is still being read opens when it is released', async () => {
  const { base, page } = await openPage();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  await page.route(/\/driving\/data/, async (route) => {
    if (!isFirst) await released;
    isFirst = false;
    await route.continue();
  });
  await page.goto(`${base}/sandbox/trips`);
  await page.locator('.trip-row').first().hover();
  const more = page.waitForResponse(/\/driving\/data/);
  await page.mouse.down();
  release();
  await (await more).finished();
  // Reading goes on, and shows what it has in the frames after.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.mouse.up();
  await page.getByRole('region', { name: 'Signals over assumed time' }).waitFor();
});

const sandbox = createSandbox();
const get = (path: string) => sandbox.fetch(`http://sandbox/sandbox/${path}`);
const decide = (fields: Readonly<Record<string, string>>, owner = 'demo') =>
  sandbox.fetch(`http://sandbox/sandbox/owners/${owner}`, { method: 'POST', body: new URLSearchParams(fields) });

it('the owner is sent back to the application with a code that gives tokens', async () => {
  const redirect_uri = 'https://app.invalid/back';
  const known = `response_type=code&client_id=demo-client&redirect_uri=${redirect_uri}&state=s1`;
  const page = await get(`oauth/authorize?${known}`);
  const form = await get(page.headers.get('location')?.replace('/sandbox/', '') ?? '');
  expect(await form.text()).toContain(`<input type="hidden" name="redirect_uri" value="${redirect_uri}" />`);
  const decided = await decide({ decision: 'agree', vin: 'SANDB0XA000000005', redirect_uri, state: 's1' });
  const [address, query] = decided.headers.get('location')?.split('?') ?? [];
  const { state, code } = Object.fromEntries(new URLSearchParams(query));
  expect([address, state]).toEqual([redirect_uri, 's1']);
  const client = { clientId: 'demo-client', clientSecret: 'demo-secret' };
  const { json } = await control(sandbox, 'oauth/token', { ...client, code, redirectUrl: redirect_uri });
  const located = send(sandbox, '/v1/vehicles/SANDB0XA000000005/locations', { token: json.data.accessToken });
  expect(await outcome(located)).toBe(200);
});

it('the owner’s page shows texts as texts, and goes nowhere but to web addresses', async () => {
  const page = await (await get(`owners/demo?redirect_uri=${encodeURIComponent('"><script>')}`)).text();
  expect(page).not.toContain('<script>');
  expect((await decide({ decision: 'agree', redirect_uri: 'javascript:alert(1)' })).status).toBe(400);
  expect((await decide({ decision: 'perhaps' })).status).toBe(400);
  expect((await get('owners/nobody')).status).toBe(404);
  expect((await decide({ decision: 'agree', redirect_uri: 'https://app.invalid/back' }, 'nobody')).status).toBe(404);
});
