import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { operations } from '@vehicle-data/openapi';
import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executablePath } from '../../../scripts/chromium.ts';
import { pagePatienceMs } from '../../../scripts/patience.ts';
import { settle } from '../../../scripts/settled-page.ts';
import { serveSite } from '../bench/site.ts';

// What the tests put into a page.
declare global {
  var copies: string[];
  var axe: typeof axeCore;
  var showContentOf: (address: string) => Promise<void>;
}

const hasChromium = existsSync(executablePath);
if (!hasChromium) console.log(`Not tested in a browser: ${executablePath} is missing (apt-get install chromium).`);

const dist = new URL('../dist/', import.meta.url);

/** Runs before the scripts of a page: keeps what it copies, and can show what another page has. */
function watch(): void {
  const copies: string[] = [];
  const contents = new Map<string, { readonly content: Element; readonly isWide: boolean }>();
  const contentOf = async (address: string) => {
    const other = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
    const content = other.querySelector('.VPContent');
    if (!content) throw new Error(`${address} has no content`);
    return { content: document.adoptNode(content), isWide: other.querySelector('.Layout.wide') !== null };
  };
  // Only what a page shows differs: it is put where that of the first is, with the width of its own. Loading each page takes ten times as long.
  const showContentOf = async (address: string) => {
    const { content, isWide } = contents.get(address) ?? (await contentOf(address));
    contents.set(address, { content, isWide });
    document.querySelector('.VPContent')?.replaceWith(content);
    document.querySelector('.Layout')?.classList.toggle('wide', isWide);
  };
  Object.assign(globalThis, { copies, showContentOf });
  const { clipboard } = navigator;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (text) => {
    await write(text);
    copies.push(text);
  };
  // The theme fetches no other pages ahead of time.
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** How far the parts of a page have moved while it loaded. */
function shift(): number {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: 'layout-shift', buffered: true });
  return observer.takeRecords().reduce((sum, entry) => sum + ('value' in entry ? Number(entry.value) : 0), 0);
}

/** Clicks every Copy button of a page: for each block, what it copies and shows, and what the clipboard holds of the whole page if that is asked for. */
async function copyAll(isWhole: boolean) {
  const copiedBy = async (button: HTMLElement, times = 1) => {
    copies.length = 0;
    button.click();
    while (copies.length < times) await new Promise((resolve) => setTimeout(resolve, 5));
    return copies.at(-1) ?? '';
  };
  const blocks: { copied: string; shown: string; isPart: boolean }[] = [];
  for (const button of document.querySelectorAll<HTMLElement>('.vp-doc div[class*=language-] > button.copy')) {
    const shown = button.parentElement?.querySelector('pre')?.textContent?.trimEnd() ?? '';
    // A block that continues others does not run alone: the theme copies it first, and then all of them.
    const isPart = button.closest('.continues') !== null;
    blocks.push({ copied: await copiedBy(button, isPart ? 2 : 1), shown, isPart });
  }
  const button = isWhole ? document.querySelector<HTMLElement>('.copy-page') : null;
  if (button) await copiedBy(button);
  return { blocks, whole: await navigator.clipboard.readText() };
}

/** The starts of visible elements that hold more than they show. */
const cutOff = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((one) => one.checkVisibility())
    .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
    .map((one) => one.textContent.slice(0, 80));

/** What does not fit: the page itself, and words of its title that stand on two lines. */
function overflow(): string[] {
  const found = document.documentElement.scrollWidth > innerWidth ? ['page'] : [];
  const range = new Range();
  for (const text of [...document.querySelectorAll('h1')].flatMap((title) => [...title.childNodes]))
    for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\w+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) found.push(word);
    }
  return found;
}

// One page for all tests: four at once are slower on two cores, and a fresh profile loads everything again.
describe.skipIf(!hasChromium)('the site in a browser', () => {
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;
  let site = '';
  let closeSite = () => {};

  beforeAll(async () => {
    ({ site, close: closeSite } = await serveSite());
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP docs.test 127.0.0.1'];
    browser = await chromium.launch({ executablePath, args });
    // Further pages of a test are opened in the same profile, which has loaded everything.
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    page.setDefaultTimeout(pagePatienceMs);
    await page.addInitScript(watch);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(site) || /^(?:data|blob):/.test(request.url());
      if (!isOwn) complaints.push(`request for ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    closeSite();
  });
  beforeEach(() => look('light'));
  afterEach(() => expect(complaints.splice(0)).toEqual([]));

  /** Shows pages as a desktop in light colors does, or as a phone in dark ones. Nothing is measured while it still fades in. */
  async function look(colorScheme: 'light' | 'dark', media: 'screen' | 'print' = 'screen'): Promise<void> {
    await page.emulateMedia({ colorScheme, media, reducedMotion: 'reduce', forcedColors: 'none' });
    await page.setViewportSize(colorScheme === 'light' ? { width: 1400, height: 900 } : { width: 390, height: 844 });
  }

  /** Goes to a page and waits until it reacts to its reader. Vue marks the element in which it has mounted; Redoc has none. */
  async function visit(path: string, visited = page, from = site): Promise<void> {
    await visited.goto(from + path);
    await visited.waitForFunction(() => {
      const app = document.querySelector('#app');
      return app === null || '__vue_app__' in app;
    });
  }

  /** Shows what a page has in the page that is there: for what depends on styles alone. */
  const show = (path: string) => page.evaluate((address) => showContentOf(address), site + path);

  const markdownOf = (path: string) => readFile(new URL(path.replace(/\/$/, '.md'), dist), 'utf8');

  /** Of the page, or of a part of it; of all rules, or of those about colors alone, where the others were held against the same elements. */
  async function violations(part = 'html', rules: 'all' | 'colors' = 'all'): Promise<string[]> {
    await settle(page);
    // A page that has it from the look before keeps it.
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source);
    const found = await page.evaluate(
      ([selector, only]) =>
        globalThis.axe.run(selector, { resultTypes: ['violations'], ...(only && { runOnly: only }) }),
      [part, rules === 'colors' ? ['color-contrast', 'link-in-text-block'] : undefined] as const,
    );
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  }

  test.for(['', 'guides/getting-started/', 'operations/getLocation/', '404.html'])(
    '/docs/%s is accessible in both schemes and on a phone',
    async (path) => {
      await visit(path);
      expect(await page.evaluate(shift), 'moves while it loads').toBeLessThan(0.05);
      expect(await violations()).toEqual([]);
      expect(await page.evaluate(overflow)).toEqual([]);
      await look('dark');
      await page.locator('html.dark').waitFor();
      // On a phone, pages differ in their colors alone, and all have the bar of the guide.
      expect(await violations('html', path.startsWith('guides/') ? 'all' : 'colors')).toEqual([]);
      expect(await page.evaluate(overflow)).toEqual([]);
      // Of phones, and of a desktop at 400 % (WCAG 1.4.10). The widest tables are those of an operation with many signals.
      if (path.startsWith('operations/')) await show('operations/getDrivingData/');
      for (const width of [390, 360, 320]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await page.evaluate(overflow), `${width} px`).toEqual([]);
      }
    },
  );

  test('the focus of a tab is seen, and so are icons in forced colors', async () => {
    const stylesOf = (selector: string, style: 'outlineStyle' | 'backgroundColor') =>
      page.locator(selector).evaluateAll((all, name) => all.map((one) => getComputedStyle(one)[name]), style);
    await look('dark');
    await visit('operations/getDrivingData/');
    await page.locator('.tabs input').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await stylesOf('.tabs :focus + label', 'outlineStyle')).toEqual(['solid']);
    await page.emulateMedia({ forcedColors: 'active' });
    const icons = await stylesOf('.DocSearch-Search-Icon, .hamburger .top, .vpi-align-left', 'backgroundColor');
    expect(icons).toEqual(Array(3).fill('rgb(255, 255, 255)'));
    expect(await stylesOf('.tabs input:checked + label', 'outlineStyle')).not.toContain('none');
  });

  test('without scripts, an address of nothing says so', async () => {
    // A browser of its own without scripts would load everything again.
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.goto(`${site}404.html`);
    await page.getByRole('link', { name: 'Take me home' }).click();
    await page.waitForURL(site);
    expect(await page.locator('#app').evaluate((app) => '__vue_app__' in app)).toBe(false);
    await session.send('Emulation.setScriptExecutionDisabled', { value: false });
    await session.detach();
  });

  test('an address of nothing leads to the search', async () => {
    await visit('404.html');
    await page.getByRole('button', { name: 'Search the docs' }).click();
    await page.getByRole('searchbox').waitFor();
  });

  test('the menu of a phone is accessible, too', async () => {
    await look('dark');
    await visit('guides/errors/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.locator('.VPSidebar.open').waitFor();
    // What it covers was looked at above.
    expect(await violations('.VPSidebar')).toEqual([]);
  });

  test('a question finds the page that replies to it, and its code an error, with the keyboard alone; Escape returns the focus', async () => {
    await visit('guides/trips/');
    await page.keyboard.press('Control+k');
    const searchbox = page.getByRole('searchbox');
    await searchbox.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('zzzzqq');
    await page.getByText('No results for').waitFor();
    await searchbox.fill('how do I get a token');
    await page.locator('.result[href*="/guides/authentication/"]').first().waitFor();
    const hits = await page.locator('.result').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(hits.slice(0, 3).join()).toContain('/guides/authentication/');
    expect(hits.length).toBeGreaterThan(10);
    // What it covers was looked at above.
    expect(await violations('.VPLocalSearchBox')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.DocSearch-Button:focus').waitFor();
    await page.keyboard.press('Enter');
    await searchbox.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('error 5006');
    await page.locator('.result[href*="/errors/5006/"]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '5006' }).waitFor();
    expect(page.url()).toMatch(/\/docs\/errors\/5006\//);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    for (const name of ['Changelog', 'MIT license', 'Source and feedback'])
      expect(await page.locator('.site-footer').getByRole('link', { name }).isVisible(), name).toBe(true);
    expect(await page.locator('.site-footer').textContent()).toMatch(/Contract \d+\.\d+/);
  });

  test('the language that a reader chooses is shown on every page', async () => {
    const shown = () => page.locator('.vp-code-group .tabs input:checked + label').first().textContent();
    await visit('operations/getLocation/');
    await page.locator('.vp-code-group label', { hasText: 'Python' }).click();
    await visit('operations/getCurrentStatus/');
    await expect.poll(shown).toBe('Python');
    await page.locator('.VPSidebar a[href$="/operations/listVehicles/"]').click();
    // The address changes before the page does.
    await page.getByRole('heading', { level: 1, name: 'List vehicles' }).waitFor();
    await expect.poll(shown).toBe('Python');
    expect(await page.locator('.vp-code-group pre:visible').first().textContent()).toContain('urlopen');
    await page.evaluate(() => localStorage.clear());
  });

  test('what a reader does before a page works is done once it works', async () => {
    const slow = await page.context().newPage();
    slow.setDefaultTimeout(pagePatienceMs);
    slow.on('pageerror', (error) => complaints.push(error.message));
    // The scripts of the page wait for the reader.
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    await slow.route('**/assets/app.*.js', async (route) => {
      await started;
      await route.continue();
    });
    await slow.goto(`${site}operations/getLocation/`, { waitUntil: 'commit' });
    await slow.locator('.vp-code-group label', { hasText: 'Python' }).click();
    await slow.locator('.DocSearch-Button').click();
    expect(await slow.getByRole('searchbox').count()).toBe(0);
    expect(await slow.locator('.console :is(input, select, button):enabled').count()).toBe(0);
    start();
    await slow.getByRole('searchbox').waitFor();
    await slow.keyboard.press('Escape');
    await slow.locator('.vp-code-group pre:visible', { hasText: 'urlopen' }).waitFor();
    await slow.locator('.console input:enabled').first().waitFor();
    // The choice is remembered as any other.
    expect(await slow.evaluate(() => Object.values(localStorage))).toContain('Python');
    await slow.evaluate(() => localStorage.clear());
    await slow.close();
  });

  test('no table scrolls sideways on a desktop, nor one of more than two columns on a phone', {
    timeout: 120_000,
  }, async () => {
    const withTables: string[] = [];
    for (const name of await readdir(dist, { recursive: true }))
      if (
        /^(?:guides|operations|sdk)\/.*index\.html$/.test(name) &&
        (await readFile(new URL(name, dist), 'utf8')).includes('<table')
      )
        withTables.push(name.slice(0, -'index.html'.length));
    expect(withTables.length).toBeGreaterThan(40);
    await visit('guides/trips/');
    // What stands above and below a table does not change its width, and is not laid out.
    await page.evaluate(() => {
      const tablesAlone = new CSSStyleSheet();
      tablesAlone.replaceSync('.vp-doc > div > :not(table, :has(table)) { display: none }');
      document.adoptedStyleSheets.push(tablesAlone);
    });
    const scrollingAt = (columns: number) =>
      page.evaluate(
        async ({ addresses, columns }) => {
          const found: string[] = [];
          for (const address of addresses) {
            await showContentOf(address);
            for (const table of document.querySelectorAll('.vp-doc table'))
              if (table.querySelectorAll('th').length >= columns && table.scrollWidth > table.clientWidth)
                found.push(
                  `${address}: ${table.scrollWidth - table.clientWidth} px, ${table.textContent.slice(0, 60)}`,
                );
          }
          return found;
        },
        { addresses: withTables.map((path) => site + path), columns },
      );
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await scrollingAt(1)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await scrollingAt(3)).toEqual([]);
  });

  test('the first screen shows a request, its response and its chart at once, and leads to a week of trips', async () => {
    await visit('');
    for (const scheme of ['light', 'dark'] as const) {
      await look(scheme);
      const picture = page.locator('.first-trip img');
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
        .toBe(true);
      for (const width of [390, 1060, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // The smallest text of the picture has 12 pixels of its own.
        const scale = () =>
          picture.evaluate((image: HTMLImageElement) => image.getBoundingClientRect().width / image.naturalWidth);
        await expect.poll(scale, { message: `at ${width}` }).toBeGreaterThan(14 / 12);
      }
      for (const [width, height] of [
        [390, 844],
        [1280, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        const bottom = () => picture.evaluate((image) => image.getBoundingClientRect().bottom);
        await expect.poll(bottom, { message: `the chart at ${width}` }).toBeLessThanOrEqual(height);
        const sizes = await page
          .locator('.VPHero :is(.name, .tagline, a), .first-trip :is(p, pre code)')
          .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
        expect(Math.min(...sizes), `text at ${width}`).toBeGreaterThanOrEqual(14);
        expect(await page.evaluate(overflow)).toEqual([]);
      }
      expect(await page.locator('.first-trip pre').allTextContents()).toEqual([
        expect.stringContaining('curl'),
        expect.stringContaining('"voltage":['),
      ]);
    }
    await look('light');
    await page.getByRole('link', { name: 'See a trip' }).last().click();
    await page.waitForURL('**/docs/trip/');
    await page.getByRole('heading', { name: 'A week of trips' }).waitFor();
  });

  test('the reference of Redoc is accessible but for its landmarks, headings and menus of examples, and its Copy buttons work', async () => {
    // A menu of examples is called "Example" and shows the name of the one that is chosen.
    const ofRedoc =
      /^(?:region|heading-order|page-has-heading-one|label-content-name-mismatch: <button [^>]*aria-label="Example")/;
    const others = async (part: string, scheme: 'light' | 'dark') =>
      (await violations(part, scheme === 'light' ? 'all' : 'colors')).filter((violation) => !ofRedoc.test(violation));
    await visit('reference/');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    expect(await page.locator('nav.site a').first().getAttribute('href')).toBe('../');
    expect(await page.locator('body').textContent()).toContain('http://127.0.0.1:8787');
    for (const button of await page.getByRole('button', { name: 'Copy' }).all()) {
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await button.click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
    }
    for (const [scheme, operation] of [
      ['light', 'consent/stopDataSharing'],
      ['dark', 'location-and-status/getCurrentStatus'],
    ] as const) {
      await look(scheme);
      await visit(`reference/#/${operation}`);
      await page.getByText('View security details').first().click();
      await page.getByRole('button', { name: 'Close' }).waitFor();
      // Of the dark scheme, the colors alone are others: all operations are on one page.
      expect(await others('html', scheme), operation).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.locator('[data-testid=search-dialog] input').fill('odometer');
      // The results have come, and the message that they are looked for is gone.
      await page.locator('[data-component-name="Search/SearchItem"]', { hasText: 'odometer' }).first().waitFor();
      await page.getByTestId('search-message').waitFor({ state: 'detached' });
      // The page behind it was looked at above.
      expect(await others('[data-testid=search-dialog]', scheme), 'search').toEqual([]);
    }
  });

  // That every block of every page has its button is read from the files: files.test.ts. Here is what a button does, on a page of each kind
  // and in each page with a block that continues others.
  test('a Copy button copies its block whole, the button of a page all of it, and no page moves while it loads', async () => {
    const continued: string[] = [];
    for (const name of await readdir(dist, { recursive: true }))
      if (name.endsWith('/index.html') && (await readFile(new URL(name, dist), 'utf8')).includes('class="continues"'))
        continued.push(name.slice(0, -'index.html'.length));
    expect(continued.length).toBeGreaterThan(0);
    const visited = ['guides/proxy-settings/', 'operations/getDrivingData/', 'errors/4002/', 'sdk/client/'];
    let count = 0;
    for (const path of [...visited, '', 'guides/getting-started/', 'guides/trips/', ...continued]) {
      if (visited.includes(path)) {
        await visit(path);
        expect(await page.evaluate(shift), `${path} moves`).toBeLessThan(0.05);
      } else await show(path);
      const { blocks, whole } = await page.evaluate(copyAll, visited.includes(path));
      if (visited.includes(path)) expect(whole, path).toBe(await markdownOf(path));
      for (const { copied, shown, isPart } of blocks) {
        expect(copied, path).toContain(shown);
        if (isPart) expect(copied, path).toContain('import ');
      }
      expect(
        blocks.some(({ isPart }) => isPart),
        path,
      ).toBe(continued.includes(path));
      count += blocks.length;
    }
    expect(count).toBeGreaterThan(50);
  });

  test('a page that has arrived in part is laid out as the whole one', async () => {
    await visit('operations/getDrivingData/');
    for (const path of ['operations/getDrivingData/', '']) {
      if (path === '') await show(path);
      const widths = await page.locator('.columns').evaluateAll((all) =>
        all.map((columns) => {
          const first = columns.firstElementChild;
          const whole = first?.clientWidth;
          for (const other of [...columns.children].slice(1)) other.remove();
          return { whole, inPart: first?.clientWidth };
        }),
      );
      expect(widths.length).toBeGreaterThan(0);
      for (const { whole, inPart } of widths) expect(inPart, path).toBe(whole);
    }
  });

  test('without a clipboard, a Copy button copies the whole sample, and a page is shown as Markdown', async () => {
    const plain = await page.context().newPage();
    plain.setDefaultTimeout(pagePatienceMs);
    plain.on('pageerror', (error) => complaints.push(error.message));
    // Plain HTTP on another host than loopback is no secure context.
    await visit('guides/battery-voltage/', plain, site.replace('127.0.0.1', 'docs.test'));
    await plain.locator('.continues button.copy').first().click();
    await plain.locator('.copied').waitFor();
    // As a reader looks at it: pasted.
    const pasted = await plain.evaluateHandle(() => document.body.appendChild(document.createElement('textarea')));
    await pasted.focus();
    await plain.keyboard.press('Control+v');
    expect(await pasted.evaluate(({ value }) => value)).toMatch(/^import [\s\S]*tripSvg\(first/);
    // Nor is it copied where it cannot be fetched. A page stays where it is when it would go to something without content.
    await plain.route('**/*.md', (route) =>
      route.fulfill({ status: route.request().isNavigationRequest() ? 204 : 503 }),
    );
    const shown = plain.waitForResponse((response) => response.status() === 204);
    await plain.getByText('Copy page as Markdown').click();
    expect((await shown).url()).toMatch(/battery-voltage\.md$/);
    await plain.unroute('**/*.md');
    await plain.getByText('Copy page as Markdown').click();
    await plain.waitForURL('**/battery-voltage.md');
    await plain.close();
  });

  test('a former address leads to its page', async () => {
    await page.goto(`${site}#error-4002`);
    await page.waitForURL(`${site}errors/4002/`, { waitUntil: 'commit' });
  });

  test('a page prints as itself, whole: no sample and no table of a page of each kind is cut off', async () => {
    await visit('operations/getDrivingData/');
    await look('light', 'print');
    for (const part of ['.console', '.tabs', '.copy', '.copy-page', '.VPFooter'])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    // Paper has no grounds: letters in white would be gone.
    const method = page.locator('.method-bar strong');
    expect(await method.evaluate((name) => getComputedStyle(name).color)).not.toBe('rgb(255, 255, 255)');
    // A4 upright, without its margins.
    await page.setViewportSize({ width: 720, height: 1040 });
    const cut = () => page.evaluate(cutOff, '.vp-doc, .vp-doc :is(pre, table)');
    expect(await cut()).toEqual([]);
    for (const path of ['guides/proxy/', 'guides/proxy-settings/']) {
      await show(path);
      expect(await cut(), path).toEqual([]);
    }
    await show('guides/consent/');
    for (const [, title = ''] of (await markdownOf('guides/consent/')).matchAll(/^#+ (.+)$/gm))
      expect(await page.locator('.vp-doc :is(h1, h2, h3)', { hasText: title }).first().isVisible(), title).toBe(true);
    expect(await page.getByText('Getting started').first().isVisible()).toBe(false);
  });

  test('a request fits its column, whole', async () => {
    await visit('operations/getDrivingData/');
    await page.setViewportSize({ width: 1440, height: 900 });
    // All are pages of one template. Their tabs are clicked in the page: a click from outside takes longer than all else.
    const looks = await page.evaluate(
      async (addresses) => {
        const tabs: { address: string; visible: number; cut: string[] }[] = [];
        for (const address of addresses) {
          await showContentOf(address);
          for (const label of document.querySelectorAll<HTMLElement>('.columns .vp-code-group label')) {
            label.click();
            await new Promise((resolve) => requestAnimationFrame(resolve));
            const samples = [...document.querySelectorAll('.columns .vp-code-group pre')];
            const visible = samples.filter((sample) => sample.checkVisibility());
            const isCut = (one: Element) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
            const cut = visible.filter(isCut).map(({ textContent }) => textContent.slice(0, 80));
            tabs.push({ address, visible: visible.length, cut });
          }
        }
        return tabs;
      },
      Object.keys(operations).map((operation) => `${site}operations/${operation}/`),
    );
    // Each has three languages.
    expect(looks).toHaveLength(3 * Object.keys(operations).length);
    expect(looks.filter(({ visible, cut }) => visible !== 1 || cut.length > 0)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const path of ['sdk/client/', 'sdk/calls/', 'sdk/series/', 'guides/sdk/']) {
      await show(path);
      expect(await page.evaluate(cutOff, '.vp-doc div[class*=language-]:not(.language-text) pre'), path).toEqual([]);
    }
  });
});
