import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { tripPageHtml } from '../src/index.ts';
import { boundsOf } from '../src/trip/ranges.ts';
import type { TripRecord } from '../src/trip/trip.ts';
import { accessibilityProblems, ExplorerBrowser, hasChromium, keepScreenshot } from './explorer-browser.ts';
import { damagedRecords, madeTrip, randomOf } from './made-trips.ts';

const records = damagedRecords('Family car');
const damagedTrip = '#day=2026-03-04&trip=2026-03-04T06:54:10.000Z';

test('the page without data is at most 120 kB compressed and loads nothing', () => {
  const html = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
  expect(gzipSync(html).length).toBeLessThan(120_000);
  expect(html).toContain("default-src 'none'; script-src 'sha256-");
  expect(html).not.toMatch(/connect-src|<script[^>]* src=|<link rel="stylesheet"/);
});

describe.runIf(hasChromium)('in a browser with the network cut', () => {
  const browser = new ExplorerBrowser();

  test('a trip and its tables are free of requests, errors and barriers', async () => {
    const { page, complaints } = await browser.openRecords(records, {}, damagedTrip);
    await page.getByRole('region', { name: 'Signals by index, 2 samples' }).waitFor();
    expect(await page.getByRole('list', { name: 'Good to know' }).textContent()).toContain('2 out of range');
    await keepScreenshot(page, 'trip');
    for (const summary of (await page.locator('.twin summary').all()).slice(0, 6)) await summary.click();
    await keepScreenshot(page, 'tables');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('so are two trips side by side, a day without trips and a provisional one', async () => {
    const compared = `${damagedTrip}&compare=2026-03-05T07:02:00.000Z`;
    const { page, complaints } = await browser.openRecords(records, {}, compared);
    const open = (fragment: string) => page.goto(page.url().split('#')[0] + fragment);
    await page.getByText('Both trips in numbers').click();
    await keepScreenshot(page, 'compare');
    // Two samples by index have no axis in common with samples over time.
    const legendOf = async (region: string, signal: string) => {
      const legend = page.getByRole('region', { name: region }).locator('label, li, div', { hasText: signal }).last();
      return (await legend.allInnerTexts()).join().split('\n').slice(1);
    };
    expect(await legendOf('Signals by index, 2 samples', 'seatbelt.driver')).toEqual(['unbelted']);
    expect(await legendOf('Signals over assumed time', 'seatbelt.assistance')).toEqual(['belted', 'belted']);
    await page.getByRole('button', { name: 'Sample index' }).click();
    await page.getByRole('region', { name: 'Signals by index, 600 samples' }).waitFor();
    await keepScreenshot(page, 'index');
    expect(await accessibilityProblems(page)).toEqual([]);
    await open('#day=2026-03-06');
    await page.getByText('No trip starts on this day.').waitFor();
    await keepScreenshot(page, 'empty-day');
    await open('#day=2026-03-07');
    await page.getByText('It may still change').waitFor();
    await keepScreenshot(page, 'provisional');
    expect(complaints).toEqual([]);
  });

  test('keys move the playhead, zoom, and walk through the days', async () => {
    const { page } = await browser.openRecords(records, {}, damagedTrip);
    const head = page.getByRole('slider', { name: 'Playhead of Signals over assumed time' });
    await head.focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    expect(await head.getAttribute('aria-valuetext')).toMatch(
      /^0:03: .*engine\.rpm [0-9,.]+ rpm; .*transmission\.gear p/,
    );
    const span = async () => Number(await page.locator('.stack').first().getAttribute('data-to'));
    await page.keyboard.press('+');
    await expect.poll(span).toBeLessThan(310_000);
    await page.keyboard.press('0');
    await expect.poll(span).toBe(600_000);
    await page.getByRole('button', { name: 'Wed 4 Mar 2026' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thu 5 Mar 2026, 08:02' }).waitFor();
  });

  test('a brush over a lane zooms, and a double click shows everything again', async () => {
    const { page } = await browser.openRecords(records, {}, damagedTrip);
    await page
      .locator('.tracks')
      .first()
      .evaluate((tracks) => tracks.scrollIntoView({ block: 'center' }));
    const box = await page.locator('.overlay').first().boundingBox();
    if (box === null) throw new Error('no lanes');
    await page.mouse.move(box.x + box.width * 0.25, 440);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, 460, { steps: 4 });
    await page.mouse.up();
    const stack = page.locator('.stack').first();
    await expect.poll(async () => Math.round(Number(await stack.getAttribute('data-from')) / 1000)).toBe(150);
    await expect.poll(async () => Math.round(Number(await stack.getAttribute('data-to')) / 1000)).toBe(300);
    await page.mouse.dblclick(box.x + 50, 450);
    await expect.poll(() => stack.getAttribute('data-to')).toBe('600000');
  });

  test('the replay runs the playhead and can be paused; with reduced motion it moves in steps', async () => {
    const { page } = await browser.openRecords(records, { reducedMotion: 'reduce' }, damagedTrip);
    await page.getByRole('button', { name: 'Replay' }).click();
    const head = page.locator('.playhead').first();
    await expect.poll(async () => Number(await head.inputValue()), { timeout: 10_000 }).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });

  test('the table twin has every sample as sent, also those that are out of range', async () => {
    const { page } = await browser.openRecords(records, {}, damagedTrip);
    await page.getByText('Samples as a table', { exact: true }).click();
    await page.getByRole('button', { name: 'Next 100' }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '100', exact: true }) });
    expect(await row.textContent()).toContain('20000 ⚠');
  });

  test('every spike is painted at its own pixel, at every zoom', async () => {
    const samples = 40_000;
    const random = randomOf(3);
    const spikes = new Map(
      Array.from({ length: 600 }, () => [Math.floor(random() * samples), 2000 + Math.floor(random() * 12_000)]),
    );
    const values = Array.from({ length: samples }, (_, index) => spikes.get(index) ?? 1000);
    const trips = [4, 5, 6].map((day): TripRecord => {
      const trip = {
        triggerStartTime: `2026-03-0${day}T08:00:00.000Z`,
        tripLength: samples * 1000,
        engine: { rpm: values },
      };
      return { vehicle: 'Car', series: 'powertrain', trip };
    });
    const { page } = await browser.openRecords(trips, { deviceScaleFactor: 1 });
    const head = page.getByRole('slider');
    for (const [round, start] of [0, 0.31, 0.5, 0.77].entries()) {
      await page.getByRole('button', { name: 'Show all' }).click();
      await head.fill(String(Math.floor(start * samples)));
      for (let zoom = 0; zoom < round * 2; zoom += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.waitForTimeout(60);
      expect(await unpainted(page, values, [...spikes.keys()])).toEqual([]);
    }
  });

  test('the page can be printed in light colors, whatever is on the screen', async () => {
    const { page, complaints } = await browser.openRecords(records, { colorScheme: 'dark' }, damagedTrip);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.getByRole('button', { name: 'Replay' }).isVisible()).toBe(false);
    await keepScreenshot(page, 'print');
    expect(complaints).toEqual([]);
  });

  test('the page fits a phone', async () => {
    const { page } = await browser.openRecords(records, { viewport: { width: 390, height: 800 } }, damagedTrip);
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await keepScreenshot(page, 'phone');
  });

  const one = (vehicle: string, members: object): TripRecord => {
    const trip = { triggerStartTime: '2026-03-04T06:00:00.000Z', tripLength: 60_000, ...members };
    return { vehicle, series: 'powertrain', trip };
  };
  const bad: readonly (readonly [TripRecord, RegExp])[] = [
    [one('no signals', {}), /has a start and no signals/],
    [one('empty arrays', { engine: { rpm: [] } }), /Every array of this trip is empty/],
    [one('one sample', { engine: { rpm: [900] } }), /1 sample/],
    [one('nothing but null', { engine: { rpm: [null, null] } }), /2 missing/],
    [{ vehicle: 'no object', series: 'driving', trip: 'x' }, /1 of 1 trips have no readable start time/],
    [one('negative length', { engine: { rpm: [1, 2] }, tripLength: -5 }), /no stated length/],
    [one('wrong types', { engine: 7, batteries: { hv: { voltage: 'high' } } }), /has a start and no signals/],
    [one('<img src=x onerror=alert(1)>', { engine: { rpm: [1, 2] } }), /<img src=x onerror=alert\(1\)>/],
  ];

  test('bad data give a sentence, never a blank page', async () => {
    const { page, complaints } = await browser.openRecords(bad.map(([record]) => record));
    for (const [index, [{ vehicle }, sentence]] of bad.entries()) {
      await page.getByLabel('Vehicle').selectOption({ index });
      await expect.poll(() => page.locator('main').textContent(), { message: vehicle }).toMatch(sentence);
      await keepScreenshot(page, `bad-${index}`);
    }
    expect(await page.locator('img').count()).toBe(0);
    const empty = await browser.openRecords([]);
    await empty.page.getByText('There are no trips here').waitFor();
    await keepScreenshot(empty.page, 'no-trips');
    const unknown = await browser.openFile({ title: 'Trips', source: { kind: 'api' } });
    await unknown.page.getByLabel('Access token').waitFor();
    await keepScreenshot(unknown.page, 'token');
    expect([...complaints, ...empty.complaints, ...unknown.complaints]).toEqual([]);
  });

  test('a day of 86,400 samples opens', async () => {
    const day = ['driving', 'powertrain'] as const;
    const long = [4, 5, 6].flatMap((date) =>
      day.map(
        (series): TripRecord => ({
          vehicle: 'Car',
          series,
          trip: madeTrip(series, `2026-03-0${date}T00:00:00.000Z`, date === 6 ? 86_400 : 60, 9),
        }),
      ),
    );
    const { page, complaints } = await browser.openRecords(long);
    await page.getByText('86,400', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Fri 6 Mar 2026, 01:00 – Sat 7 Mar 2026, 01:00' }).waitFor();
    await keepScreenshot(page, 'long');
    expect(complaints).toEqual([]);
  });
});

/** Spikes in the part that is shown whose tip has no paint within a pixel and a half. */
async function unpainted(page: Page, values: readonly number[], spikes: readonly number[]): Promise<number[]> {
  const stack = page.locator('.stack').first();
  const [from, to] = [
    Number(await stack.getAttribute('data-from')) / 1000,
    Number(await stack.getAttribute('data-to')) / 1000,
  ];
  const [low, high] = boundsOf([{ values: Float64Array.from(values) }]);
  const shown = spikes.filter((index) => index >= from && index <= to);
  expect(shown.length).toBeGreaterThan(0);
  const places = shown.map((index) => ({
    index,
    x: (index - from) / (to - from),
    y: 1 - ((values[index] ?? 0) - low) / (high - low),
  }));
  return page.evaluate((tips) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.uplot canvas');
    const over = document.querySelector('.u-over')?.getBoundingClientRect();
    const context = canvas?.getContext('2d');
    const all = canvas?.getBoundingClientRect();
    if (!canvas || !over || !context || !all) throw new Error('no lane');
    const [red, green, blue] = [0x3a, 0x56, 0xd4];
    return tips.flatMap(({ index, x, y }) => {
      const left = over.left - all.left + x * over.width;
      const top = over.top - all.top + y * over.height;
      const { data } = context.getImageData(Math.round(left) - 2, Math.round(top) - 2, 4, 4);
      for (let at = 0; at < data.length; at += 4) {
        const near = [red, green, blue].every((part, channel) => Math.abs((data[at + channel] ?? 0) - part) < 40);
        if (near && (data[at + 3] ?? 0) > 60) return [];
      }
      return [index];
    });
  }, places);
}
