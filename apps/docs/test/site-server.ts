import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

// Debian's; no browser is downloaded.
const executablePath = '/usr/bin/chromium';

/** Whether the browser tests can run here; where not, the reason is printed. */
export const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`Not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** A page as a reader opened it, and everything that must not happen. */
export interface Reader {
  readonly page: Page;
  /** Console errors, script errors and requests to other hosts. */
  readonly complaints: readonly string[];
}

/** A browser, and a server of the built site at `/docs/`. */
export class SiteInBrowser {
  #browser: Browser | undefined;
  readonly #server = createServer(async ({ url = '' }, response) => {
    const path = url.slice('/docs/'.length).replace(/[?#].*/, '');
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const body = await readFile(new URL(`../dist/${file}`, import.meta.url)).catch(() => undefined);
    response
      .writeHead(body ? 200 : 404, { 'content-type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain' })
      .end(body);
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

  addressOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/docs/${path}`;
  }

  /** Every page that has a Markdown twin. */
  async pages(): Promise<readonly string[]> {
    const names = await readdir(new URL('../dist/', import.meta.url), { recursive: true });
    return names.filter((name) => name.endsWith('.md')).map((name) => name.replace(/\.md$/, '/'));
  }

  /** Opens a page of the site in a fresh profile. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Reader> {
    if (this.#browser === undefined) throw new Error('the browser has not started');
    const context = await this.#browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const { origin } = new URL(this.addressOf(''));
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
        complaints.push(`request for ${request.url()}`);
    });
    await page.goto(this.addressOf(path), { waitUntil: 'networkidle' });
    return { page, complaints };
  }
}
