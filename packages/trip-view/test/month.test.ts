import { readFile } from 'node:fs/promises';
import { McapIndexedReader } from '@mcap/core';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import type { TripRecord } from '../src/index.ts';
import { accessibilityProblems, hasChromium, openRecords, page, useBrowser } from './browser.ts';
import { drivenTrip } from './made-trips.ts';

const drives = [
  ['2026-03-02T07:00:00.000Z', 300, 0.2],
  ['2026-03-05T16:30:00.000Z', 600, 0.3],
  ['2026-03-11T07:00:00.000Z', 400, 0.66],
  ['2026-03-19T07:00:00.000Z', 400, 0.5],
  ['2026-05-04T07:00:00.000Z', 300, 0.9],
] as const;
const records = drives.map(
  ([start, seconds, brakingG]): TripRecord => ({
    vehicle: 'Family car',
    series: 'driving',
    trip: drivenTrip(start, seconds, brakingG),
  }),
);

describe.runIf(hasChromium)('the first screen, in a browser with the network cut', () => {
  useBrowser({ offline: true });

  test('the hardest braking of March is two clicks away, and its address opens it again', async () => {
    await openRecords(records, '');
    await page.getByRole('heading', { name: 'May 2026', exact: true }).waitFor();
    await page.getByRole('link', { name: /^March 2026:/ }).click();
    await page.getByRole('link', { name: /^▼?\s*Hard braking/ }).click();
    await page.getByRole('heading', { name: 'Wed 11 Mar 2026, 08:00' }).waitFor();
    // Off for ten seconds, on for 400: what follows is the braking.
    const shown = () =>
      page
        .locator('.stack')
        .first()
        .evaluate(({ dataset }) => [Number(dataset['from']) / 1000, Number(dataset['to']) / 1000]);
    const [from = 0, to = 0] = await shown();
    expect(from).toBeLessThan(411);
    expect(to).toBeGreaterThan(414);
    expect(to - from).toBeLessThan(120);
    expect(await page.locator('.head-label').last().textContent()).toBe('Playhead 6:51');
    await page
      .getByText('-0.5 g')
      .or(page.getByText(/-0\.6\d* g/))
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Wed 11 Mar 2026, 08:00' }).waitFor();
    expect((await shown()).map(Math.round)).toEqual([from, to].map(Math.round));
  });

  test('a month has a scale in km, totals of weeks, trips as rows, and a legend', async () => {
    await openRecords(records, '#month=2026-03');
    const month = page.getByRole('region', { name: 'Month', exact: true });
    await month.getByText(/km in 4 trips/).waitFor();
    expect(await month.locator('.scale span').allTextContents()).toEqual(['15 km', '7.5 km', '0 km']);
    const weeks = await month.locator('.week > .note').allTextContents();
    expect(weeks.map((week) => week.trim())).toEqual([
      '–',
      '18 km 2 trips',
      '7.9 km 1 trip',
      '7.9 km 1 trip',
      '–',
      '–',
    ]);
    expect(await month.locator('.legend').textContent()).toMatch(
      /distance of the day.*provisional.*no trip.*not read yet/,
    );
    expect(await month.getByRole('link', { name: 'Thu 5 Mar 2026: 1 trip, 12 km' }).count()).toBe(1);
    const row = page.locator('.trip-row', { hasText: '17:30 – 17:40' });
    // With the zone of that day.
    expect(await row.textContent()).toMatch(/^17:30 – 17:40 GMT\+1\s*12 km/);
    expect(await row.getByRole('img', { name: 'Speed, derived: up to 71 km/h' }).count()).toBe(1);
    const braked = page.locator('.trip-row').filter({ has: page.getByRole('img', { name: 'Hard braking: 1 moment' }) });
    expect(await braked.count()).toBe(2);
    await row.click();
    await page.getByRole('heading', { name: 'Thu 5 Mar 2026, 17:30 – 17:40' }).waitFor();
    await page.getByRole('link', { name: 'March 2026' }).click();
    await month.waitFor();
    await month.getByRole('link', { name: 'Earlier' }).click();
    await page.getByText('No trip starts in this month.').waitFor();
    await month.getByRole('link', { name: 'Later' }).click();
    await month.getByText(/km in 4 trips/).waitFor();
  });

  test('on paper a month says of which vehicle it is, and in which zone its times are', async () => {
    await openRecords(records, '#month=2026-03');
    await page.emulateMedia({ media: 'print' });
    for (const label of ['Vehicle', 'Time zone']) expect(await page.getByLabel(label).isVisible()).toBe(true);
  });

  test('on a phone the total of a week does not run into the next one, and trips stay on their lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    // A week of one day each, at both ends of the month.
    const ends = ['2026-08-31', '2026-08-28', '2026-08-02', '2026-08-04'].map(
      (day): TripRecord => ({
        vehicle: 'Family car',
        series: 'driving',
        trip: drivenTrip(`${day}T07:00:00.000Z`, 600, 0.2),
      }),
    );
    await openRecords(ends, '#month=2026-08');
    const totals = await page.locator('.week > .note').evaluateAll((notes) =>
      notes.flatMap((note) => {
        const range = document.createRange();
        range.selectNodeContents(note);
        const { left, right } = range.getBoundingClientRect();
        return note.checkVisibility({ visibilityProperty: true }) ? [{ left, right }] : [];
      }),
    );
    expect(totals.length).toBeGreaterThan(3);
    for (const [index, { left }] of totals.entries()) expect(left).toBeGreaterThan((totals[index - 1]?.right ?? 0) + 2);
    // What stands in a row of a trip stays on its line.
    const cells = page.locator('.trip-row').first().locator('> span:not(.spark, .signs, .badges)');
    const heights = await cells.evaluateAll((all) =>
      all.map((cell) => Math.round(cell.getBoundingClientRect().height)),
    );
    expect(Math.max(...heights)).toBeLessThan(30);
  });

  test('the month has no barriers in both color schemes, and fits a phone, also one that was turned', async () => {
    await openRecords(records, '#month=2026-03');
    for (const [width, links] of [
      [1280, 31],
      [390, 0],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: 'light' });
      // Days of a phone are too narrow to be links.
      await expect.poll(() => page.locator('.month-day').count()).toBe(31);
      await expect.poll(() => page.locator('a.month-day').count()).toBe(links);
      expect(await accessibilityProblems()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityProblems('colors')).toEqual([]);
    }
  });

  test('on a phone the first lane is above the second screen, and no text is smaller than 12 pixels', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const fragment of ['#month=2026-03', '#latest=1']) {
      await openRecords(records, fragment);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('body *')].flatMap((element) => {
          const size = Number.parseFloat(getComputedStyle(element).fontSize);
          const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
          return hasText && size < 12 && element.checkVisibility() ? [`${element.className} ${size}`] : [];
        }),
      );
      expect(small).toEqual([]);
    }
    const lane = await page.locator('.tracks .plot').first().boundingBox();
    expect(lane?.y).toBeLessThan(844);
  });

  const takeAlong = async (kind: string) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: kind, exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`trip-2026-03-11T0700.${kind.toLowerCase()}`);
    return readFile(await download.path());
  };

  test('what the lanes show is taken along as pictures, and the same samples as CSV, Parquet and MCAP', async () => {
    await openRecords(records, '#day=2026-03-11&from=400000&to=420000');
    expect((await takeAlong('SVG')).toString()).toContain(', from 6:40 to 7:00<');
    expect((await takeAlong('PNG')).subarray(1, 4).toString()).toBe('PNG');

    const [note, head, ...rows] = (await takeAlong('CSV')).toString().trim().split('\n');
    expect(note).toMatch(/^# Time is assumed/);
    expect(head).toBe('time_assumed,odometer.value (km),acceleration.longitudinal (g)');
    expect(rows).toHaveLength(20);
    const samples = rows.map((row) => {
      const [time = '', odometer, acceleration] = row.split(',');
      return { time: new Date(time), odometer: Number(odometer), acceleration: Number(acceleration) };
    });
    expect(samples[0]).toEqual({
      time: new Date('2026-03-11T07:06:40.000Z'),
      odometer: expect.closeTo(12007.7, 1),
      acceleration: 0,
    });

    const parquet = new Uint8Array(await takeAlong('Parquet')).buffer;
    expect(await parquetReadObjects({ file: parquet })).toEqual(
      samples.map(({ time, odometer, acceleration }) => ({
        time_assumed: time,
        odometer_value: odometer,
        acceleration_longitudinal: acceleration,
      })),
    );
    const { key_value_metadata: metadata } = parquetMetadata(parquet);
    expect(metadata?.find(({ key }) => key === 'vehicle-data')?.value).toContain('"odometer.value":"km"');

    const mcap = await takeAlong('MCAP');
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(mcap.length),
        read: async (offset, length) => mcap.subarray(Number(offset), Number(offset + length)),
      },
    });
    const messages = [];
    for await (const { logTime, data } of reader.readMessages({ topics: ['/trip'] })) {
      const { odometer, acceleration } = JSON.parse(Buffer.from(data).toString());
      const time = new Date(Number(logTime / 1_000_000n));
      messages.push({ time, odometer: odometer.value, acceleration: acceleration.longitudinal });
    }
    expect(messages).toEqual(samples);
    const [schema] = reader.schemasById.values();
    expect(JSON.parse(Buffer.from(schema?.data ?? []).toString())).toMatchObject({
      properties: { odometer: { properties: { value: { type: ['number', 'null'] } } } },
    });
  });

  test('samples without a time are not taken along as MCAP, which has times', async () => {
    await openRecords(records, '#day=2026-03-11&axis=index');
    expect(await page.getByRole('button', { name: 'MCAP', exact: true }).isDisabled()).toBe(true);
    expect((await takeAlong('CSV')).toString().split('\n')[1]).toMatch(/^index,/);
  });

  test('what changes between two places is measured, and the address keeps it', async () => {
    await openRecords(records, '#day=2026-03-11&a=0&at=10000');
    await page.getByRole('button', { name: 'Set B at the playhead' }).click();
    const result = page.getByRole('region', { name: 'Measurement from A to B' });
    const row = result.getByRole('row', { name: /Speed, derived/ });
    await row.waitFor();
    // 0.2 g for ten seconds.
    expect(await row.locator('td').allTextContents()).toEqual([
      '0 km/h',
      '70.6 km/h',
      '70.6 km/h',
      expect.stringMatching(/^35\.\d+ km\/h$/),
      '7.06 km/h/s',
    ]);
    await page.reload();
    await row.waitFor();
    await page.getByRole('button', { name: 'End the measurement' }).click();
    await expect.poll(() => result.count()).toBe(0);
    expect(page.url()).not.toMatch(/[&#][ab]=/);
  });

  test('trips are compared over the distance, where both have the same places', async () => {
    await openRecords(records, '#day=2026-03-02&axis=distance');
    await page.getByRole('region', { name: 'Signals over distance' }).waitFor();
    await page.getByLabel('Compare with').selectOption({ index: 2 });
    const speed = page.locator('.signal', { hasText: 'Speed, derived' });
    await page.locator('.playhead').first().fill('100');
    expect(await speed.locator('output').allTextContents()).toEqual(['70.6 km/h', '70.6 km/h']);
    expect(await accessibilityProblems()).toEqual([]);
  });

  test('copies of a trip and trips that overlap say so', async () => {
    const [first, second, ...others] = records;
    if (!first || !second) throw new Error('no records');
    const copy = { ...first, trip: structuredClone(first.trip) };
    const early = { ...second, trip: drivenTrip('2026-03-05T16:35:00.000Z', 300, 0.2) };
    await openRecords([first, copy, second, early, ...others], '#month=2026-03');
    await page.locator('.trip-row', { hasText: 'sent 2 times' }).waitFor();
    expect(await page.locator('.trip-row', { hasText: 'overlaps' }).count()).toBe(1);
    expect(await page.locator('.trip-row').count()).toBe(5);
  });
});
