import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

// Debian's; no browser is downloaded.
const executablePath = '/usr/bin/chromium';

/** Whether the browser tests can run here; where not, the reason is printed. */
export const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.log(`The docs are not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

/** The page as a reader opened it, and everything that must not happen. */
export interface Reader {
  readonly page: Page;
  /** Console errors, script errors and requests other than that for the page. */
  readonly complaints: readonly string[];
}

/** A browser, and a server of the built page, as the proxy serves it at /docs, and of the site. */
export class DocsBrowser {
  #browser: Browser | undefined;
  readonly #server = createServer(async (request, response) => {
    const file =
      request.url === '/docs' ? '../dist/docs/index.html' : `../dist/site${request.url?.slice('/site'.length)}`;
    const body = await readFile(new URL(file, import.meta.url)).catch(() => undefined);
    const type = file.endsWith('.svg') ? 'image/svg+xml' : 'text/html; charset=utf-8';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
  });

  constructor() {
    beforeAll(async () => {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
      this.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await this.#browser?.close();
      this.#server.close();
    });
  }

  /** Opens the landing page of the site. */
  async openSite(options: BrowserContextOptions): Promise<Page> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const page = await (await this.#browser.newContext(options)).newPage();
    await page.goto(`${this.#origin}/site/index.html`);
    return page;
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Opens the page at a fragment, in a fresh profile whose network ends once the page has arrived. */
  async open(fragment = '', options: BrowserContextOptions = {}): Promise<Reader> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const context = await this.#browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const complaints: string[] = [];
    const address = `${this.#origin}/docs`;
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (url !== address && !url.startsWith(`${address}#`) && !url.startsWith('data:') && !url.startsWith('blob:'))
        complaints.push(`request for ${url}`);
    });
    await page.goto(`${address}${fragment}`, { waitUntil: 'domcontentloaded' });
    await context.setOffline(true);
    // Until Redoc runs, the field says that it is loading.
    await page.getByTestId('search-trigger').getByText('Search').waitFor({ state: 'attached' });
    return { page, complaints };
  }
}
