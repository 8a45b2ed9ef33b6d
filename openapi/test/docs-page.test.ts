import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { errorCatalogue, operations } from '../src/index.js';
import { DocsBrowser, hasChromium } from './docs-browser.ts';

describe.skipIf(!hasChromium)('the docs page in a browser, with the network cut', { timeout: 60_000 }, () => {
  const docs = new DocsBrowser();

  test('renders guides and reference, asks nothing of anyone and prints no error', async () => {
    const { page, complaints } = await docs.open();
    const menu = await page.locator('.menu-content').textContent();
    for (const entry of ['Guides', 'Getting started', 'Errors', 'Reference', 'Consent', 'Trips', 'Latest'])
      expect(menu).toContain(entry);
    await page.mouse.wheel(0, 20_000);
    await page.waitForTimeout(300);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('search finds an operation by one of its fields and a guide by a word in it', async () => {
    const { page, complaints } = await docs.open();
    await page.keyboard.press('Control+k');
    const field = page.getByPlaceholder(/search/i).last();
    await field.fill('altitude');
    await page.getByText('Get the latest location').last().waitFor();
    await field.fill('once only');
    await page.getByText('Where tokens come from').last().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('every error code and every operation has a short address that leads to it', async () => {
    const { page, complaints } = await docs.open('#error-4002');
    const shown = async (title: string) => {
      const heading = page.getByRole('heading', { name: title }).first();
      await heading.waitFor();
      await expect
        .poll(() => heading.evaluate((element) => Math.abs(element.getBoundingClientRect().top)))
        .toBeLessThan(450);
    };
    await shown('4002');
    for (const { code } of errorCatalogue.filter((_, index) => index % 6 === 5)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `error-${code}`);
      await shown(code);
    }
    for (const { operationId, summary } of Object.values(operations)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, operationId);
      await shown(summary);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader switches the colour scheme, and the page follows the system before that', async () => {
    const { page } = await docs.open('', { colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(18, 20, 28)');
    await page.getByTestId('color-mode-switcher').click();
    await expect.poll(ground).toBe('rgb(255, 255, 255)');
    await page.context().close();
  });

  test('a reader copies the sample of an operation and a code block of a guide', async () => {
    const { page, complaints } = await docs.open('#getLocation');
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    const sample = page
      .locator('[data-section-id$="/getlocation"] [data-testid="right-panel"]')
      .filter({ hasText: '{vin}/locations' });
    await sample.locator('[data-component-name="CodeBlock/CodeBlock"]').getByTestId('copy-button').click();
    await expect.poll(clipboard).toMatch(/^curl -s 'http:\/\/127\.0\.0\.1:8787\/v1\/vehicles\/[^/]+\/locations'/);
    await sample.getByRole('button', { name: 'curl' }).click();
    await page.getByRole('menuitem', { name: 'TypeScript' }).click();
    await sample.locator('[data-component-name="CodeBlock/CodeBlock"]').getByTestId('copy-button').click();
    await expect.poll(clipboard).toMatch(/^import \{ createVehicleDataClient \} from '@vehicle-data\/client';/);
    await page.evaluate(() => {
      location.hash = 'guide-getting-started';
    });
    await page.locator('pre', { hasText: 'npm start' }).getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toBe('npm start');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('everything can be reached and opened by keyboard, and where the keyboard is can be seen', async () => {
    const { page, complaints } = await docs.open();
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return { text: element.textContent ?? '', seen: outlineStyle !== 'none' && outlineWidth !== '0px' };
      });
    let here = await focused();
    for (let presses = 0; presses < 40 && !here.text.startsWith('Errors'); presses++) {
      await page.keyboard.press('Tab');
      here = await focused();
    }
    expect(here).toMatchObject({ text: 'Errors', seen: true });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How to decide' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('words in the code of guides have colours of both schemes, and no letter of the code is changed', async () => {
    const guide = await readFile(new URL('../dist/docs/guides/sdk.md', import.meta.url), 'utf8');
    const written = [...guide.matchAll(/^```[a-z]+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trimEnd());
    const colours = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await docs.open('#guide-sdk', { colorScheme });
      const block = page.locator('pre[data-language="ts"]').filter({ hasText: 'listVehicles' }).first();
      await block.getByText('Copy').waitFor();
      const shown = await block.evaluate((element) => element.firstChild?.textContent?.trimEnd() ?? '');
      expect(written).toContain(shown);
      const { keywords, strings, colour, plain } = await block.evaluate((element) => {
        const wordsIn = (kind: string) =>
          [...(CSS.highlights.get(kind) ?? [])]
            .filter(({ startContainer }) => startContainer === element.firstChild)
            .map(({ startOffset, endOffset }) => element.textContent?.slice(startOffset, endOffset));
        return {
          keywords: wordsIn('vds-keyword'),
          strings: wordsIn('vds-string'),
          colour: getComputedStyle(element, '::highlight(vds-keyword)').color,
          plain: getComputedStyle(element).color,
        };
      });
      expect(keywords).toEqual(expect.arrayContaining(['import', 'from', 'const', 'await']));
      expect(strings).toEqual(expect.arrayContaining(["'@vehicle-data/client'", "'brand_a'"]));
      expect(colour).not.toBe(plain);
      colours.add(colour);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
    expect(colours.size).toBe(2);
  });

  test('the landing page shows its one style sheet under its own policy', async () => {
    const page = await docs.openSite({});
    expect(await page.locator('main').evaluate((element) => getComputedStyle(element).maxWidth)).toBe('1040px');
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    expect(policy).not.toContain('unsafe');
    await page.context().close();
  });

  test('a phone shows no line cut off, and its menu opens', async () => {
    const { page } = await docs.open('#guide-trips', { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: 'Trips as time series' }).first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    const drawing = await page.getByRole('img', { name: /^Four signals of one trip/ }).boundingBox();
    expect(drawing?.height).toBeGreaterThan(200);
    const menu = page.locator('.menu-content').getByText('Getting started');
    await page.locator('button').filter({ hasNotText: /./ }).last().click();
    await menu.click();
    await page.getByRole('heading', { name: 'Start the service' }).waitFor();
    await page.context().close();
  });

  test.for(['light', 'dark'] as const)(
    'no accessibility rule of WCAG 2.2 AA is broken in the %s scheme',
    async (colorScheme) => {
      for (const fragment of ['#guide-trips', '#getDrivingData']) {
        const { page } = await docs.open(fragment, { colorScheme, bypassCSP: true });
        await page.waitForTimeout(800);
        expect(await violations(page), fragment).toEqual([]);
        await page.context().close();
      }
      for (const width of [390, 1400]) {
        const landing = await docs.openSite({ colorScheme, bypassCSP: true, viewport: { width, height: 900 } });
        expect(await violations(landing), `landing page, ${width} pixels wide`).toEqual([]);
        expect(await landing.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await landing.context().close();
      }
    },
  );
});

/** What axe finds against the rules of WCAG 2.2, levels A and AA. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } };
    const result = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
    return result.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary?.slice(0, 200)}`,
    );
  });
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}
