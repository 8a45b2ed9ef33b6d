import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, SiteInBrowser } from './site-server.ts';

const phone = { viewport: { width: 390, height: 844 } };
const violationsOf = async (page: Page) => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
};

describe.skipIf(!hasChromium)('the site in a browser', () => {
  const site = new SiteInBrowser();

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
    await page.keyboard.type('error 5006');
    await page.getByRole('option').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '5006' }).waitFor();
    expect(page.url()).toMatch(/\/docs\/errors\/5006\/$/);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader copies a page as Markdown', async () => {
    const { page } = await site.open('operations/getLocation/');
    await page.getByRole('button', { name: 'Copy page as Markdown' }).click();
    const twin = await readFile(new URL('../dist/operations/getLocation.md', import.meta.url), 'utf8');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(twin);
    await page.context().close();
  });

  test('the menu of a phone is accessible, too', async () => {
    const { page } = await site.open('guides/errors/', phone);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('every Copy button copies its block, and one that continues others copies all of them', async () => {
    const { page, complaints } = await site.open('guides/sdk/');
    const blocks = page.locator('.vp-doc div[class*=language-]');
    for (const block of await blocks.all()) {
      const button = block.locator('button.copy');
      await block.hover();
      await button.click();
      const text = (await block.locator('pre').textContent()) ?? '';
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(copied).toContain(text.trimEnd());
      const continues = await block.evaluate((element) => element.closest('.continues') !== null);
      if (continues) await expect.poll(copied).toContain('import ');
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.for([
    ['#error-4002', 'errors/4002/'],
    ['#ERROR-5006', 'errors/5006/'],
    ['#guide-proxy', 'guides/proxy/'],
    ['#getlocation', 'operations/getLocation/'],
    ['#/errors/4011', 'errors/4011/'],
  ] as const)('the former address %s leads to %s and shows no other page', async ([fragment, path]) => {
    const { page } = await site.open(fragment);
    expect(page.url()).toMatch(new RegExp(`/docs/${path}$`));
    await page.context().close();
  });

  test('nothing moves while a page loads, and how long it blocks the main thread is printed', async () => {
    for (const path of ['guides/proxy/', 'operations/getDrivingData/']) {
      const { page } = await site.open(path);
      const { blockedMs, shift } = await page.evaluate(async () => {
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
      console.log(`${path}: blocked for ${Math.round(blockedMs)} ms, moved by ${shift.toFixed(3)}`);
      expect(shift).toBeLessThan(0.05);
      await page.context().close();
    }
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
