import { existsSync } from 'node:fs';
import { createVehicleDataClient } from '@vehicle-data/client';
import { operations } from '@vehicle-data/openapi';
import { chromium } from 'playwright-core';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { executablePath } from '../../../scripts/chromium.ts';
import { pagePatienceMs } from '../../../scripts/patience.ts';
import { createSandbox } from '../src/index.js';
import { dirtyVins } from '../src/reserved-vins.js';
import { brands, control, listening, locations, outcome, send } from './calls.js';

const browserIsHere = existsSync(executablePath);
if (!browserIsHere) console.log(`no browser at ${executablePath}: the pages are not tried in a real one`);

const whenBrowser = it.skipIf(!browserIsHere);

const browser = browserIsHere ? await chromium.launch({ executablePath, args: ['--no-sandbox'] }) : undefined;
// One tab for all tests: each sandbox is another origin.
const tab = await browser?.newPage();
tab?.setDefaultTimeout(pagePatienceMs);
afterAll(() => browser?.close());

/** The tab, for a sandbox that responds over HTTP, in a week in which its vehicles drive; and what is wrong with the pages that a test opens. */
async function openPage() {
  const { base } = await listening();
  await control({ fetch, base }, 'clock', { now: '2026-03-09T07:00:00Z' });
  if (!tab) throw new Error('there is no browser');
  const complaints: string[] = [];
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith('data:')) complaints.push(url);
  });
  onTestFinished(async () => {
    tab.removeAllListeners();
    await tab.unrouteAll();
    await tab.goto('about:blank');
  });
  return { base, page: tab, complaints };
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
  const { base, page, complaints } = await openPage();
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

whenBrowser(
  'an owner sees who has read what, stops one vehicle after a question, and may change their mind before',
  async () => {
    const { base, page, complaints } = await openPage();
    for (let count = 0; count < 3; count++)
      await send({ fetch, base }, locations, { headers: { 'user-agent': 'trip-log/1.0' } });
    await page.goto(`${base}/owner`);
    expect(await page.title()).toBe('My vehicles');
    const card = page.getByRole('article', { name: 'Grocery getter' });
    const cells = await card.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(cells.slice(0, 5)).toEqual(['trip-log/1.0', operations.getLocation.summary, '3', '3', 'latest']);
    expect(await page.getByText('Nobody yet.').count()).toBeGreaterThan(0);
    await card.getByRole('button', { name: 'Stop sharing Grocery getter' }).click();
    await page.getByRole('heading', { name: 'Stop sharing Grocery getter?' }).waitFor();
    await page.getByRole('link', { name: 'Keep sharing' }).click();
    await card.getByText('Shares its data').waitFor();
    await card.getByRole('button', { name: 'Stop sharing Grocery getter' }).click();
    await page.getByRole('button', { name: 'Stop sharing Grocery getter' }).click();
    await card.getByText('No longer shares').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    expect(page.url()).toBe(`${base}/owner`);
    // With a keyboard alone, every control is reached.
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.matches('button, a, [tabindex]')")).toBe(true);
    expect(complaints).toEqual([]);
  },
);

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
