import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type PageConfig, tripPageHtml } from '../src/index.ts';
import type { TripRecord } from '../src/trip/trip.ts';

// Debian's; no browser is downloaded.
const executablePath = '/usr/bin/chromium';
/** Where screenshots of every state are kept to be looked at; none are made unless it is set. */
const screenshots = process.env['SCREENSHOTS'];

/** Whether the browser tests can run here; where not, the reason is printed. */
export const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.log(`The page is not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

/** The page as a reader opened it, and everything that must not happen. */
export interface Reader {
  readonly page: Page;
  /** Console errors, script errors, and requests to anything but the page or its own server. */
  readonly complaints: readonly string[];
  /** Requests to the server of the page. */
  readonly requests: readonly string[];
}

/** A browser that opens pages from a file with the network cut, or from a server on loopback. */
export class ExplorerBrowser {
  #browser: Browser | undefined;
  #folder = '';
  #files = 0;

  constructor() {
    beforeAll(async () => {
      this.#folder = await mkdtemp(join(tmpdir(), 'trip-view-'));
      this.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await this.#browser?.close();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  /** Opens one HTML file that holds the records, without a network. */
  openRecords(records: readonly TripRecord[], options: BrowserContextOptions = {}, fragment = ''): Promise<Reader> {
    const config = { title: 'Trips', zone: 'Europe/Berlin', source: { kind: 'embedded', records } } as const;
    return this.openFile(config, options, fragment);
  }

  async openFile(config: PageConfig, options: BrowserContextOptions = {}, fragment = ''): Promise<Reader> {
    const file = join(this.#folder, `${this.#files}.html`);
    this.#files += 1;
    await writeFile(file, tripPageHtml(config));
    return this.open(pathToFileURL(file).href, { offline: true, ...options }, fragment);
  }

  async open(address: string, options: BrowserContextOptions = {}, fragment = ''): Promise<Reader> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith('data:') || url === address || url.startsWith(`${address}#`)) return;
      if (address.startsWith('http') && url.startsWith(address)) requests.push(url.slice(address.length));
      else complaints.push(`request for ${url}`);
    });
    await page.goto(address + fragment);
    await page.locator('main :is(h2, .message)').first().waitFor();
    return { page, complaints, requests };
  }
}

/** What axe finds against the rules of WCAG 2.2, levels A and AA. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // The page forbids every script but its own; one that the test adds comes from outside.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: Pick<typeof axe, 'run'> };
    const { violations } = await checker.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}

/** Keeps a screenshot of a state in both color schemes, where a folder is set. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return;
  // A sticky bar stands where the page is scrolled to; histograms follow once the lanes rest.
  await page.evaluate(() => scrollTo(0, 0));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}.png`), fullPage: true });
  }
}
