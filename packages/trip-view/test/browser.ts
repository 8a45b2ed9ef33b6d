import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axeCore from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { executablePath } from '../../../scripts/chromium.ts';
import { pagePatienceMs } from '../../../scripts/patience.ts';
import { settle } from '../../../scripts/settled-page.ts';
import { type TripRecord, tripPageHtml } from '../src/index.ts';

// What the tests put into a page.
declare global {
  var axe: typeof axeCore;
}

/** Whether the browser tests can run here; where not, the reason is printed. */
export const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.log(`The page is not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

/** What the reader sees: one page for the tests of a file. */
export let page: Page;
/** Requests to the server of the page. */
export const requests: string[] = [];
let opened = '';
/** The records inside the page that is open. */
let held: readonly TripRecord[] | undefined;
let folder = '';
let files = 0;
/** One for all files of a worker, and until its end: to start another one takes longer than most tests. */
let browser: Promise<Browser> | undefined;

/** Opens a window. No test may leave an error in the console or a request to anything but the page and its own server. */
export function useBrowser(options: BrowserContextOptions = {}): void {
  const complaints: string[] = [];
  beforeAll(async () => {
    browser ??= chromium.launch({ executablePath, args: ['--no-sandbox'] });
    // A context that tests may open more tabs in, which cost less than contexts.
    page = await (await (await browser).newContext(options)).newPage();
    page.setDefaultTimeout(pagePatienceMs);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // Tests that make a server fail look at what the page says of it.
      const isFailure = /^Failed to load resource: (the server responded|net::ERR_CONNECTION_REFUSED)/.test(
        message.text(),
      );
      if (message.type() === 'error' && !isFailure) complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith('data:') || url.split('#')[0] === opened) return;
      if (opened.startsWith('http') && url.startsWith(opened)) requests.push(url.slice(opened.length));
      else complaints.push(`request for ${url}`);
    });
  });
  beforeEach(async () => {
    await page.emulateMedia({ colorScheme: 'light', media: 'screen', reducedMotion: 'no-preference' });
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterEach(async () => {
    const found = complaints.splice(0);
    // Its server stops after this: a page that still reads would complain in the next test.
    if (page.url().startsWith('http')) await page.goto('about:blank');
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    held = undefined;
    await page?.context().close();
    await removeFiles();
  });
}

/** Opens an address of the page, at the latest day unless the fragment says otherwise: without any it shows a month. */
export async function open(address: string, fragment = '#latest=1'): Promise<void> {
  // Another fragment alone would load nothing, and a page from a server may still read a month.
  if (page.url().startsWith('http')) await page.goto('about:blank');
  opened = address;
  held = undefined;
  requests.length = 0;
  await page.goto(address + fragment);
  await isShown();
}

const isShown = () => page.locator('main :is(h2, .message)').first().waitFor();

/**
 * Opens one HTML file that holds the records, without a server. A page that holds them already goes to the address, by which it makes anew all that it
 * shows: a reader's click does the same, and to load a page takes five times as long.
 */
export async function openRecords(records: readonly TripRecord[], fragment = '#latest=1'): Promise<void> {
  if (held === records) return goTo(fragment);
  const source = { kind: 'embedded', records } as const;
  await open(await fileOf(tripPageHtml({ title: 'Trips', zone: 'Europe/Berlin', source })), fragment);
  held = records;
}

/** Goes to an address of the page that is open, also to the one where it is. */
export async function goTo(fragment: string): Promise<void> {
  await page.evaluate((hash) => {
    document.querySelector('main')?.replaceChildren();
    history.replaceState(null, '', hash || '#');
    dispatchEvent(new HashChangeEvent('hashchange'));
  }, fragment);
  await isShown();
}

/** Waits until every lane and band is drawn: far ones are, after those on the screen. */
export async function allDrawn(): Promise<void> {
  // What was never drawn has the size that a canvas has at first.
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('canvas')];
    return all.length > 0 && all.every(({ width, height }) => width !== 300 || height !== 150);
  });
}

/** The address of a new file with this page. */
export async function fileOf(html: string | Uint8Array): Promise<string> {
  folder ||= await mkdtemp(join(tmpdir(), 'trip-view-'));
  files += 1;
  const file = join(folder, `page-${files}.html`);
  await writeFile(file, html);
  return pathToFileURL(file).href;
}

/** Removes what `fileOf` wrote. Test files share this module: the next one writes into a folder of its own. */
export async function removeFiles(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folder = '';
}

/** The address of a server of this page alone, until the test has finished. */
export async function serve(content: Uint8Array, type: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', type).end(content));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What axe finds against the rules of WCAG 2.2, levels A and AA; or those about colors alone, of a page that the others have seen in the light. */
export async function accessibilityProblems(rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  await settle(page);
  // The page forbids every script but its own; one that the test adds comes from outside. It stays until another page is loaded.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source);
  const ofWcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const runOnly = rules === 'all' ? ofWcag : ['color-contrast', 'link-in-text-block'];
  return page.evaluate(async (only) => {
    // Of what is as it should be, no list is made: that is most of the work.
    const { violations } = await globalThis.axe.run({ runOnly: only, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  }, runOnly);
}
