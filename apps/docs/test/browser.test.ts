import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { searches } from './searches.ts';
import { hasChromium, SiteInBrowser } from './site-server.ts';

const phone = { viewport: { width: 390, height: 844 } };
const bothSchemes = [{ colorScheme: 'light' }, { colorScheme: 'dark', ...phone }] as const;
const violationsOf = async (page: Page) => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
};

interface Watched {
  copies: string[];
  shift: () => number;
}

/** Runs before the scripts of a page: keeps how far its parts move, and what it copies. */
function watch(): void {
  const watched = globalThis as unknown as Watched;
  const entries: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  watched.shift = () => {
    entries.push(...observer.takeRecords());
    return entries.reduce((sum, entry) => sum + ('value' in entry ? Number(entry.value) : 0), 0);
  };
  watched.copies = [];
  navigator.clipboard.writeText = async (text) => void watched.copies.push(text);
  // The theme fetches no other pages ahead of time.
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** Clicks every Copy button of a page: what the page copies, and for each block what it copies and what it shows. */
async function copyAll() {
  const { copies } = globalThis as unknown as Watched;
  const copiedBy = async (button: HTMLElement, times = 1) => {
    copies.length = 0;
    button.click();
    for (let tries = 0; tries < 1000 && copies.length < times; tries++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return copies.at(-1) ?? '';
  };
  const blocks: { copied: string; shown: string; isPart: boolean }[] = [];
  for (const button of document.querySelectorAll<HTMLElement>('.vp-doc div[class*=language-] > button.copy')) {
    const shown = button.parentElement?.querySelector('pre')?.textContent?.trimEnd() ?? '';
    // A block that continues others does not run alone: the theme copies it first, and then all of them.
    const isPart = button.closest('.continues') !== null;
    blocks.push({ copied: await copiedBy(button, isPart ? 2 : 1), shown, isPart });
  }
  const button = document.querySelector<HTMLElement>('.copy-page');
  return { blocks, whole: button && (await copiedBy(button)) };
}

describe.skipIf(!hasChromium)('the site in a browser', () => {
  const site = new SiteInBrowser();

  test.for(['', 'guides/getting-started/', 'operations/getDrivingData/'])(
    '/docs/%s is accessible in both schemes and on a phone, and asks nothing of anyone',
    async (path) => {
      for (const options of bothSchemes) {
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
    await page.keyboard.type('zzzzqq');
    await page.getByText('No results for').waitFor();
    await page.getByRole('searchbox').fill('');
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

  test('the first hit of each search is the page that its reader wants', async () => {
    const first = await site.inPages(searches, async (page, [query]) => {
      const result = page.locator('.result').first();
      if (!(await page.getByRole('dialog').isVisible())) await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').fill('');
      await result.waitFor({ state: 'detached' });
      await page.getByRole('searchbox').fill(query);
      return [query, (await result.getAttribute('href'))?.replace(/^\/docs\/|\/?(?:#.*)?$/g, '')];
    });
    expect(first).toEqual(searches);
  });

  test('the reference of Redoc is accessible but for its menu, which is no landmark, and its Copy buttons work', async () => {
    for (const options of bothSchemes) {
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

  test('a click on Copy puts the code into the clipboard', async () => {
    const { page } = await site.open('operations/listVehicles/');
    await page.getByText('TypeScript', { exact: true }).click();
    const block = page.locator('.vp-code-group div.language-ts');
    await block.hover();
    await block.locator('button.copy').click();
    const shown = (await block.locator('pre').textContent())?.trimEnd();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    await page.context().close();
  });

  test('every Copy button of every page copies what it promises, and no page moves while it loads', {
    timeout: 300_000,
  }, async () => {
    const counts = await site.inPages(
      await site.pages(),
      async (page, path) => {
        await site.visit(page, path);
        expect(await page.evaluate(() => (globalThis as unknown as Watched).shift()), `${path} moves`).toBeLessThan(
          0.05,
        );
        const { blocks, whole } = await page.evaluate(copyAll);
        expect(whole, path).toBe(await site.markdownOf(path));
        for (const { copied, shown, isPart } of blocks) {
          expect(copied, path).toContain(shown);
          if (isPart) expect(copied, path).toContain('import ');
        }
        return blocks.length;
      },
      watch,
    );
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(200);
  });

  test('a guide prints as itself, whole', async () => {
    const { page } = await site.open('guides/consent/');
    await page.emulateMedia({ media: 'print' });
    for (const [, title = ''] of (await site.markdownOf('guides/consent/')).matchAll(/^#+ (.+)$/gm))
      expect(await page.locator('.vp-doc :is(h1, h2, h3)', { hasText: title }).first().isVisible(), title).toBe(true);
    expect(await page.getByText('Getting started').first().isVisible()).toBe(false);
    await page.context().close();
  });
});
