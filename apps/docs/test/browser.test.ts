import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { searches } from './searches.ts';
import { hasChromium, type Reader, SiteInBrowser } from './site-server.ts';

const phone = { viewport: { width: 390, height: 844 } };
const violationsOf = async (page: Page) => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
};

/** How long tasks of over 50 ms blocked the main thread while a page loaded, and how far its parts moved. */
async function loadOf(page: Page): Promise<{ blockedMs: number; shift: number }> {
  return page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntryList>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
        setTimeout(() => resolve([]), 200);
      });
    const [tasks, shifts] = await Promise.all([entries('longtask'), entries('layout-shift')]);
    return {
      blockedMs: tasks.reduce((sum, { duration }) => sum + duration - 50, 0),
      shift: shifts.reduce((sum, entry) => sum + ('value' in entry ? Number(entry.value) : 0), 0),
    };
  });
}

/** Clicks the Copy button of each block. One that continues others copies all of them. */
async function copyBlocks(blocks: Locator, copied: () => Promise<string>): Promise<number> {
  const all = await blocks.all();
  for (const block of all) {
    await block.hover();
    await block.locator('button.copy').click();
    const text = (await block.locator('pre').textContent()) ?? '';
    await expect.poll(copied).toContain(text.trimEnd());
    const continues = await block.evaluate((element) => element.closest('.continues') !== null);
    if (continues) await expect.poll(copied).toContain('import ');
  }
  return all.length;
}

describe.skipIf(!hasChromium)('the site in a browser', () => {
  const site = new SiteInBrowser();
  let reader: Reader | undefined;

  test.for(['', 'guides/getting-started/', 'operations/getDrivingData/'])(
    '/docs/%s is accessible in both schemes and on a phone, and asks nothing of anyone',
    async (path) => {
      for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', ...phone }] as const) {
        const { page, complaints } = await site.open(path, options);
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        expect(complaints).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('a reader finds an error by its code, with the keyboard alone', async () => {
    const { page, complaints } = await site.open('guides/trips/');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('error 5006');
    await page.locator('.result').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '5006' }).waitFor();
    expect(page.url()).toMatch(/\/docs\/errors\/5006\//);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a query that is in no page finds nothing', async () => {
    const { page } = await site.open('');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('zzzzqq');
    await page.getByText('No results for').waitFor();
    await page.context().close();
  });

  test.for(searches)('the search for "%s" finds %s first', async ([query, found]) => {
    reader ??= await site.open('');
    const { page } = reader;
    const result = page.locator('.result').first();
    if (!(await page.getByRole('dialog').isVisible())) await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('');
    await result.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill(query);
    await result.waitFor();
    expect((await result.getAttribute('href'))?.replace(/\/?(?:#.*)?$/, '')).toBe(`/docs/${found}`);
  });

  test('the reference of Redoc is accessible but for its menu, which is no landmark, and its Copy buttons work', async () => {
    for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', ...phone }] as const) {
      const { page, complaints } = await site.open('reference/', options);
      await page.getByRole('button', { name: 'Copy' }).first().waitFor();
      expect((await violationsOf(page)).filter((violation) => !violation.startsWith('region:'))).toEqual([]);
      for (const button of await page.getByRole('button', { name: 'Copy' }).all()) {
        await page.evaluate(() => navigator.clipboard.writeText(''));
        await button.click();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  test('the menu of a phone is accessible, too', async () => {
    const { page } = await site.open('guides/errors/', phone);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  // Every page in turn, with the same page of the browser.
  test('every Copy button of every page copies what it promises, and no page moves while it loads', {
    timeout: 600_000,
  }, async () => {
    const { page, complaints } = await site.open('');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    let clicked = 0;
    let slowest = { path: '', blockedMs: 0 };
    for (const path of await site.pages()) {
      await page.goto(site.addressOf(path));
      const { blockedMs, shift } = await loadOf(page);
      expect(shift, `${path} moves while it loads`).toBeLessThan(0.05);
      if (blockedMs > slowest.blockedMs) slowest = { path, blockedMs };
      const twin = await readFile(new URL(`../dist/${path.replace(/\/$/, '.md')}`, import.meta.url), 'utf8');
      await page.getByRole('button', { name: 'Copy page as Markdown' }).click();
      await expect.poll(copied, { message: path }).toBe(twin);
      for (const label of await page.locator('.vp-code-group label').all()) {
        await label.click();
        clicked += await copyBlocks(page.locator('.vp-code-group div[class*=language-].active'), copied);
      }
      clicked += await copyBlocks(page.locator('.vp-doc div[class*=language-]:not(.vp-code-group *)'), copied);
    }
    console.log(`${clicked} Copy buttons of code blocks clicked`);
    console.log(`the main thread is blocked longest by ${slowest.path}: ${Math.round(slowest.blockedMs)} ms`);
    expect(clicked).toBeGreaterThan(200);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.for([
    ['#error-4002', 'errors/4002/'],
    ['#ERROR-5006', 'errors/5006/'],
    ['#guide-proxy', 'guides/proxy/'],
    ['#getlocation', 'operations/getLocation/'],
    ['#/errors/4011', 'errors/4011/'],
    ['#/trips/getDrivingData', 'operations/getDrivingData/'],
    ['#no-such-thing', '404.html'],
  ] as const)('the former address %s leads to %s and shows no other page', async ([fragment, path]) => {
    const { page } = await site.open(fragment);
    expect(page.url()).toMatch(new RegExp(`/docs/${path}$`));
    await page.context().close();
  });

  test('a guide prints as itself, whole', async () => {
    const { page } = await site.open('guides/consent/');
    await page.emulateMedia({ media: 'print' });
    const written = await readFile(new URL('../dist/guides/consent.md', import.meta.url), 'utf8');
    for (const [, title = ''] of written.matchAll(/^#+ (.+)$/gm))
      expect(await page.locator('.vp-doc :is(h1, h2, h3)', { hasText: title }).first().isVisible(), title).toBe(true);
    expect(await page.getByText('Getting started').first().isVisible()).toBe(false);
    await page.context().close();
  });
});
