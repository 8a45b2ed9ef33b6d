import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

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
      .writeHead(body ? 200 : 404, {
        'content-type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain',
        'cache-control': 'max-age=3600',
      })
      .end(body);
  });

  constructor() {
    beforeAll(async () => {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
      this.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    });
    afterAll(async () => {
      await this.#browser?.close();
      this.#server.close();
    });
  }

  addressOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/docs/${path}`;
  }

  /** Every page that has a Markdown file. */
  async pages(): Promise<readonly string[]> {
    const names = await readdir(new URL('../dist/', import.meta.url), { recursive: true });
    return names.filter((name) => name.endsWith('.md')).map((name) => name.replace(/\.md$/, '/'));
  }

  markdownOf(path: string): Promise<string> {
    return readFile(new URL(`../dist/${path.replace(/\/$/, '.md')}`, import.meta.url), 'utf8');
  }

  /** Goes to a page and waits until it reacts to its reader. Vue marks the element in which it has mounted; Redoc has none. */
  async visit(page: Page, path: string): Promise<void> {
    await page.goto(this.addressOf(path));
    await page.waitForFunction(() => {
      const app = document.querySelector('#app');
      return app === null || '__vue_app__' in app;
    });
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
    await this.visit(page, path);
    return { page, complaints };
  }

  /** Works through a list in four pages at once, none of which may complain. `script` runs before those of each page. */
  async inPages<Item, Result>(
    items: readonly Item[],
    work: (page: Page, item: Item) => Promise<Result>,
    script: () => void = () => {},
  ): Promise<readonly Result[]> {
    const results: Result[] = [];
    const queue = items.entries();
    const reader = async () => {
      const { page, complaints } = await this.open('');
      await page.addInitScript(script);
      for (const [index, item] of queue) results[index] = await work(page, item);
      expect(complaints).toEqual([]);
      await page.context().close();
    };
    await Promise.all([reader(), reader(), reader(), reader()]);
    return results;
  }
}
