import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type TripRecord, tripPageHtml } from '../src/index.ts';
import { boundsOf } from '../src/trip/ranges.ts';
import {
  accessibilityProblems,
  allDrawn,
  fileOf,
  goTo,
  hasChromium,
  openRecords,
  page,
  useBrowser,
} from './browser.ts';
import { badRecords, damagedRecords, madeTrip, put, randomOf, smallTrip } from './made-trips.ts';

const records = damagedRecords('Family car');
const damagedTrip = '#day=2026-03-04&trip=2026-03-04T06:54:10.000Z';

test('the page without data is at most 90 kB compressed and loads nothing', () => {
  const html = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
  expect(gzipSync(html).length).toBeLessThan(90_000);
  expect(html).toContain("default-src 'none'; script-src 'sha256-");
  expect(html).not.toMatch(/connect-src|<script[^>]* src=|<link rel="stylesheet"/);
});

describe.runIf(hasChromium)('in a browser with the network cut', () => {
  // Plots begin in the middle of a pixel on such a screen.
  useBrowser({ offline: true, deviceScaleFactor: 1.25 });

  test('a trip and its tables have no barriers, and the tables have every sample as sent', async () => {
    await openRecords(records, damagedTrip);
    await page.getByRole('region', { name: 'Signals by index, 2 samples' }).waitFor();
    expect(await page.getByRole('list', { name: 'Good to know' }).textContent()).toContain('2 out of range');
    for (const table of ['Days as a table', 'Samples as a table, 2 samples', 'As a table'])
      await page.getByText(table, { exact: true }).first().click();
    expect(await accessibilityProblems()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems('colors')).toEqual([]);
    await page.getByText('Samples as a table', { exact: true }).click();
    await page.getByText('Samples 1 to 100 of 600').waitFor();
    await page.getByRole('button', { name: 'Next 100' }).first().click();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '100', exact: true }) });
    expect(await row.first().textContent()).toContain('20000 ⚠');
  });

  test('nor have two trips side by side, a day without trips and a provisional one', async () => {
    await openRecords(records, `${damagedTrip}&compare=2026-03-05T07:02:00.000Z`);
    await page.getByText('Both trips in numbers').click();
    // Two samples by index have no axis in common with samples over time.
    const valuesOf = (region: string, signal: string) =>
      page
        .getByRole('region', { name: region })
        .locator('.signal', { hasText: signal })
        .locator('output')
        .allTextContents();
    expect(await valuesOf('Signals by index, 2 samples', 'seatbelt.driver')).toEqual(['unbelted']);
    expect(await valuesOf('Signals over assumed time', 'seatbelt.assistance')).toEqual(['belted', 'belted']);
    await page.getByRole('button', { name: 'Sample index' }).click();
    await page.getByRole('region', { name: 'Signals by index, 600 samples' }).waitFor();
    expect(await accessibilityProblems()).toEqual([]);
    await goTo('#day=2026-03-06');
    await page.getByText('No trip starts on this day.').waitFor();
    expect(await page.title()).toBe('0 trips on 2026-03-06');
    // No calendar has this day: the newest month is shown.
    await goTo('#day=2026-02-31');
    await page.getByRole('heading', { name: 'March 2026' }).waitFor();
    expect(await page.title()).toBe('March 2026');
  });

  test('an address of a trip or vehicle that is not here opens no other one', async () => {
    await openRecords(records, '#day=2026-03-04&trip=2026-03-04T01:00:00.000Z');
    await page.getByText('The trip of this address is not here.').waitFor();
    expect(await page.locator('.trip').count()).toBe(0);
    await goTo('#vehicle=1');
    await page.getByText('The vehicle of this address is not here.').waitFor();
    expect(await page.locator('.trip-card').count()).toBe(0);
    expect(await page.title()).toBe('Trips');
    await page.getByLabel('Vehicle').selectOption('Family car');
    await page.getByRole('region', { name: 'Trips of the month' }).waitFor();
    // Of a reader to whom it was still the day before.
    await goTo('#day=2026-03-04&trip=2026-03-05T07:02:00.000Z');
    await page.getByRole('heading', { name: 'Thu 5 Mar 2026, 08:02' }).waitFor();
  });

  test('keys move the playhead, zoom, and walk through the days', async () => {
    await openRecords(records, damagedTrip);
    const head = page.getByRole('slider', { name: 'Playhead of Signals over assumed time' });
    await head.focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    const words = await head.getAttribute('aria-valuetext');
    expect(words).toMatch(/^0:03: .*engine\.rpm [0-9,.]+ rpm; .*transmission\.gear p/);
    await page.getByRole('button', { name: 'Zoom in, Signals over assumed time' }).press('Enter');
    await expect.poll(async () => (await shownPart())[1]).toBeLessThan(310);
    await page.getByRole('button', { name: 'Show all, Signals over assumed time' }).press('Enter');
    await expect.poll(shownPart).toEqual([0, 600]);
    await page.getByRole('button', { name: 'Wed 4 Mar 2026' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thu 5 Mar 2026, 08:02' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.locator('.trip-card').nth(1).press('Enter');
    await page.getByRole('heading', { name: 'Wed 4 Mar 2026, 17:41' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toMatch(/^17:41/);
    await page.getByLabel('Compare with').press('ArrowDown');
    await page.getByText('Both trips in numbers').waitFor();
    expect(await focused()).toMatch(/^no other trip/);
    await page.getByRole('button', { name: 'Sample index' }).press('Enter');
    await page.getByText('Shown by sample index, as you chose.').waitFor();
    expect(await focused()).toBe('Sample index');
  });

  test('of trips with one start each can be opened and compared', async () => {
    const trip = madeTrip('driving', '2026-03-04T06:54:10.000Z', 300, 1);
    put(trip, 'odometer.value', Array(300).fill(156_026.7).with(0, 156_026.2));
    const ofDay = records.slice(0, 4);
    await openRecords([...ofDay, { vehicle: 'Family car', series: 'driving', trip }], '#day=2026-03-04');
    await page.getByRole('heading', { name: 'Wed 4 Mar 2026, 07:54 – 07:59' }).waitFor();
    await page.locator('.trip-card').nth(1).click();
    await page.getByRole('heading', { name: 'Wed 4 Mar 2026, 07:54 – 08:04' }).waitFor();
    await page.getByLabel('Compare with').selectOption({ label: 'Wed 4 Mar 2026, 07:54 – 07:59' });
    await page.getByText('Both trips in numbers').click();
    await page.getByText('156,026.2 / 156,026.698 / 156,026.7 km').waitFor();
    expect(await page.locator('.trip-card').evaluateAll((cards) => new Set(cards.map(({ id }) => id)).size)).toBe(3);
  });

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const earlier = 'The calendar shows 3,660 days. Earlier days are left out.';
  const calendars = [
    { days: ['2015-03-04', '2026-03-04'], address: '&latest=1', first: 1, last: 1, says: [earlier] },
    {
      days: ['2026-03-04', '2026-03-05', '2099-12-31'],
      address: '&latest=1',
      first: 1,
      last: 1,
      says: ['The calendar shows 2 days. Later days are left out.'],
    },
    { days: ['2026-03-04', '2099-12-31'], address: '&day=2099-12-31', first: 1, last: 1, says: [earlier] },
    { days: ['2098-03-04', '2098-03-06'], address: '&day=2098-03-04', first: 0, last: 1, says: [] },
    { days: [inDays(-20), inDays(0), inDays(3)], address: '&latest=1', first: 1, last: 2, says: [] },
  ];
  // A vehicle each.
  const ofCalendars = calendars.flatMap(({ days }, index) =>
    days.map((day): TripRecord => {
      const trip = smallTrip('driving', `${day}T08:00:00.000Z`, 60, 1);
      return { vehicle: `Car ${index}`, series: 'driving', trip };
    }),
  );
  test.each(calendars.map((each, vehicle) => ({ vehicle, ...each })))(
    'a calendar says which days it leaves out, and opens on one that it shows: $days at "$address"',
    async ({ vehicle, days, address, first, last, says }) => {
      await openRecords(ofCalendars, `#vehicle=${vehicle}${address}`);
      const [opened, end] = ['.day[aria-current]', '.day:last-child'].map((day) =>
        page.locator(day).getAttribute('id'),
      );
      expect([await opened, await end]).toEqual([days[first], days[last]]);
      expect(await page.locator('.problem').allTextContents()).toEqual(says);
    },
  );

  test('a brush over a lane zooms, and a double click shows everything again', async () => {
    await openRecords(records, damagedTrip);
    const tracks = page.locator('.tracks').first();
    await tracks.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = await page.locator('.overlay').first().boundingBox();
    if (box === null) throw new Error('no lanes');
    await page.mouse.move(box.x + box.width * 0.25, 440);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, 460, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await shownPart()).map(Math.round)).toEqual([150, 300]);
    await page.mouse.dblclick(box.x + 50, 450);
    await expect.poll(shownPart).toEqual([0, 600]);
  });

  test('the replay runs the playhead and can be paused; with reduced motion it moves in steps', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openRecords(records, damagedTrip);
    await page.getByRole('button', { name: 'Replay' }).click();
    const head = page.locator('.playhead').first();
    await expect.poll(async () => Number(await head.inputValue())).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });

  test('every spike is painted at its own pixel, at every zoom', async () => {
    const samples = 20_000;
    const random = randomOf(3);
    const spikes = new Map(
      Array.from({ length: 300 }, () => [Math.floor(random() * samples), 2000 + Math.floor(random() * 12_000)]),
    );
    const rpm = Array.from({ length: samples }, (_, index) => spikes.get(index) ?? 1000);
    const trips = [4, 5, 6].map((day): TripRecord => {
      const triggerStartTime = `2026-03-0${day}T08:00:00.000Z`;
      return {
        vehicle: 'Car',
        series: 'powertrain',
        trip: { triggerStartTime, tripLength: samples * 1000, engine: { rpm } },
      };
    });
    await openRecords(trips);
    await allDrawn();
    await page.getByRole('button', { name: 'Fit the vertical axes' }).click();
    const [all, zoomIn] = ['Show all', 'Zoom in'].map((name) => page.getByRole('button', { name }));
    for (const [zooms, start] of [0, 0.33, 0.42, 0.5, 0.13, 0.77, 0.9].entries()) {
      await all?.click();
      await page.getByRole('slider').fill(String(Math.floor(start * samples)));
      await zoomIn?.evaluate((button: HTMLElement, times) => {
        for (let zoom = 0; zoom < times; zoom += 1) button.click();
      }, zooms);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      expect(await unpainted(rpm, [...spikes.keys()])).toEqual([]);
    }
  });

  test('lanes near the screen are drawn before those further down, and all of them at once for paper', async () => {
    const address = await fileOf(tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records } }));
    const watched = await page.context().newPage();
    await watched.setViewportSize({ width: 1280, height: 800 });
    await watched.addInitScript(() => {
      const canvas = HTMLCanvasElement.prototype;
      const { getContext } = canvas;
      // A canvas gets its context when it is drawn for the first time. This paper comes right after the first of them.
      const print = () => {
        dispatchEvent(new Event('beforeprint'));
        document.body.dataset['left'] = String(document.querySelectorAll('canvas:not([data-early])').length);
      };
      Object.assign(canvas, {
        getContext(this: HTMLCanvasElement, ...rest: [contextId: string]) {
          if (location.hash.includes('paper') && !document.querySelector('[data-early]')) queueMicrotask(print);
          this.dataset['early'] ??= String(performance.getEntriesByName('lanes').length === 0);
          return getContext.apply(this, rest);
        },
      });
    });
    await watched.goto(`${address}#latest=1`);
    const last = watched.locator('canvas').last();
    await last.and(watched.locator('[data-early]')).waitFor();
    const drawn = await watched
      .locator('canvas')
      .evaluateAll((all: HTMLCanvasElement[]) =>
        all.map((one) => ({ isNear: one.getBoundingClientRect().top < 2 * innerHeight, early: one.dataset['early'] })),
      );
    expect(new Set(drawn.map(({ isNear }) => isNear))).toEqual(new Set([true, false]));
    expect(drawn.filter(({ isNear, early }) => String(isNear) !== early)).toEqual([]);
    await watched.goto('about:blank');
    await watched.goto(`${address}#latest=1&paper=1`);
    await watched.locator('body[data-left="0"]').waitFor();
    await watched.close();
  });

  test('lanes are drawn again for other colors, for paper, and in the pixels of another screen', async () => {
    await openRecords(records, damagedTrip);
    const drawn = () =>
      page.locator('canvas').evaluateAll((all: HTMLCanvasElement[]) => all.map((one) => one.toDataURL()));
    await allDrawn();
    const light = await drawn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(drawn).not.toEqual(light);
    const fire = (event: string) => page.evaluate((name) => dispatchEvent(new Event(name)), event);
    await fire('beforeprint');
    expect(await drawn()).toEqual(light);
    await fire('afterprint');
    expect(await drawn()).not.toEqual(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(drawn).toEqual(light);
    // The page of the tests has the pixels of one screen from the start.
    const moved = await page.context().browser()?.newPage({ viewport: null });
    if (moved === undefined) throw new Error('no browser');
    await moved.goto(page.url());
    await moved.locator('canvas').last().waitFor();
    const screen = await moved.context().newCDPSession(moved);
    const [width, height] = await moved.evaluate(() => [innerWidth, innerHeight]);
    await screen.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 2, mobile: false });
    const pixels = () =>
      moved.locator('canvas').evaluateAll((all: HTMLCanvasElement[]) => all.map((one) => one.width / one.clientWidth));
    await expect.poll(async () => new Set(await pixels())).toEqual(new Set([2]));
    await moved.close();
  });

  test('the page fits a phone, and can be printed in light colors, whatever is on the screen', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
    await openRecords(damagedRecords('Familienkutsche'.repeat(4)).slice(0, 4), damagedTrip);
    await page.locator('canvas').last().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const last = page.locator('.trip-card').last();
    await last.click();
    const chosen = page.locator('.trip-card[aria-current], .day[aria-current], [aria-pressed=true]');
    const outlines = chosen.evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
    expect(await outlines).toEqual(['solid', 'solid', 'solid', 'solid']);
    const rightEdge = () => last.evaluate((card) => card.ariaCurrent && card.getBoundingClientRect().right);
    await expect.poll(rightEdge).toBeLessThanOrEqual(360);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.getByRole('button', { name: 'Replay' }).isVisible()).toBe(false);
  });

  test('nothing of a page is cut off on paper, and the screen is as before', async () => {
    const many = Array.from({ length: 40 }, (_, index): TripRecord => {
      const start = new Date(Date.UTC(2026, 2, Math.min(index, 35), index % 20)).toISOString();
      return { vehicle: 'Car', series: 'driving', trip: smallTrip('driving', start, 60, 1) };
    });
    await openRecords(many);
    const widths = () => page.locator('.plot canvas').evaluateAll((all) => all.map((canvas) => canvas.clientWidth));
    await page.locator('canvas').last().waitFor();
    const before = await widths();
    const cutOff = page.evaluate(
      () =>
        new Promise((resolve) => {
          const parts = [...document.querySelectorAll('.plot, .days, .trip-list > ul')];
          const look = () =>
            resolve(parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.className));
          matchMedia('print').addEventListener('change', look);
        }),
    );
    await page.emulateMedia({ media: null });
    await page.pdf({ format: 'A4' });
    expect(await cutOff).toEqual([]);
    expect(await widths()).toEqual(before);
    // A calendar of a year would be pages before the trip.
    const trip = smallTrip('driving', '2025-03-01T00:00:00.000Z', 60, 1);
    await openRecords([...many, { vehicle: 'Car', series: 'driving', trip }]);
    expect(await page.locator('.day').count()).toBeGreaterThan(62);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.days').isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });

  test('bad data give a sentence, never a blank page', async () => {
    const bad = badRecords.map(([record]) => record);
    for (const [index, [{ vehicle }, sentence]] of badRecords.entries()) {
      await openRecords(bad, `#vehicle=${index}&latest=1`);
      await expect.poll(() => page.locator('main').textContent(), { message: vehicle }).toMatch(sentence);
    }
    expect(await page.locator('img').count()).toBe(0);
    await openRecords([]);
    await page.getByText('There are no trips here').waitFor();
  });

  test('a day of 86,400 samples opens', async () => {
    const long = [4, 5, 6].flatMap((date) =>
      (['driving', 'powertrain'] as const).map((series): TripRecord => {
        const trip = madeTrip(series, `2026-03-0${date}T00:00:00.000Z`, date === 6 ? 86_400 : 60, 9);
        return { vehicle: 'Car', series, trip };
      }),
    );
    await openRecords(long);
    await page.getByText('86,400', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Fri 6 Mar 2026, 01:00 – Sat 7 Mar 2026, 01:00' }).waitFor();
  });
});

/** From where to where the first lanes are shown, in seconds. */
async function shownPart(): Promise<[from: number, to: number]> {
  const stack = page.locator('.stack').first();
  const at = async (name: string) => Number(await stack.getAttribute(name)) / 1000;
  return [await at('data-from'), await at('data-to')];
}

/** Spikes in the part that is shown whose tip has no paint within a pixel and a half. */
async function unpainted(values: readonly number[], spikes: readonly number[]): Promise<number[]> {
  const [from, to] = await shownPart();
  const [low, high] = boundsOf([{ values: Float64Array.from(values) }]);
  const shown = spikes.filter((index) => index >= from && index <= to);
  expect(shown.length).toBeGreaterThan(0);
  const places = shown.map((index) => ({
    index,
    x: (index - from) / (to - from),
    y: 1 - ((values[index] ?? 0) - low) / (high - low),
  }));
  return page.evaluate((tips) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.tracks canvas');
    const over = document.querySelector('.overlay')?.getBoundingClientRect();
    const context = canvas?.getContext('2d');
    const all = canvas?.getBoundingClientRect();
    if (!over || !context || !all) throw new Error('no lane');
    // Above are 6 pixels of air, and 26 below are the axis.
    const height = all.height - 32;
    const [red, green, blue] = [0x3a, 0x56, 0xd4];
    return tips.flatMap(({ index, x, y }) => {
      const left = (over.left - all.left + x * over.width) * devicePixelRatio;
      const top = (6 + y * height) * devicePixelRatio;
      const { data } = context.getImageData(Math.round(left) - 2, Math.round(top) - 2, 4, 4);
      for (let at = 0; at < data.length; at += 4) {
        const near = [red, green, blue].every((part, channel) => Math.abs((data[at + channel] ?? 0) - part) < 40);
        if (near && (data[at + 3] ?? 0) > 200) return [];
      }
      return [index];
    });
  }, places);
}
