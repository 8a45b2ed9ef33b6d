// The page to take along: what is packed, how the file holds it, and that browsers read it from a disk and from a server.
import assert from 'node:assert';
import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFirefox } from '../../../scripts/firefox.ts';
import { deflate } from '../src/deflate.ts';
import { type TripRecord, tripPageFile, tripPageHtml } from '../src/index.ts';
import { packRecords, unpackRecords } from '../src/packed-records.ts';
import { bytesOf, textOf, utf16File } from '../src/page-text.ts';
import { fileOf, hasChromium, open, page, removeFiles, serve, useBrowser } from './browser.ts';
import { badRecords, damagedRecords, madeRecords, randomOf } from './made-trips.ts';

const decoder = new TextDecoder('utf-16le', { fatal: true });

describe('records', () => {
  /** Any JSON value, mostly arrays as signals have them and as they have them where something is wrong. */
  function anyValue(random: () => number, depth = 0): unknown {
    const upTo = (end: number) => Math.floor(random() * end);
    const pick = <Value>(...of: readonly Value[]): Value => of[upTo(of.length)] as Value;
    const odd = () =>
      pick<unknown>(null, -0, 0.1 + 0.2, 1e300, -1e-9, 2 ** 53, 16_383.5, 'invalid', '', '\0"<\ud800', true, []);
    const scale = pick(1, 2, 4, 5, 8, 10, 100, 1000, 10_000, 3, 7.5);
    const spread = pick(0, 1, 3, 60, 500, 1e6, 1e12);
    const oddShare = pick(0, 0, 0.01, 0.3, 0.9);
    let at = upTo(10_000) - 5000;
    const signal = () =>
      Array.from({ length: pick(0, 1, 7, 8, 9, 200) }, () => {
        at += upTo(2 * spread + 1) - spread;
        return random() < oddShare ? odd() : at / scale;
      });
    const states = () =>
      Array.from({ length: pick(3, 8, 300) }, () => pick('on', 'on', 'off', random() < oddShare ? null : 'on'));
    const deeper = () => (depth > 3 ? odd() : anyValue(random, depth + 1));
    const members = () =>
      Object.fromEntries(pick(['a.b', 'c'], ['__proto__'], ['odometer', 'x', 'y'], []).map((name) => [name, deeper()]));
    return pick<() => unknown>(signal, signal, states, members, odd, () => [deeper(), deeper()])();
  }

  test('are the same after they are unpacked, whatever they hold', { timeout: 60_000 }, () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed);
      const trips = Array.from({ length: 5 }, (_, index) => ({
        start: index,
        ...Object(anyValue(random)),
        more: anyValue(random),
      }));
      const records = trips.map((trip) => ({ vehicle: 'Car', series: 'driving' as const, trip }));
      // What JSON has of them, but for the sign of zero. It tells -0 from 0, as `toEqual` does, and members by their names.
      assert.deepStrictEqual(unpackRecords(packRecords(records)), records, `seed ${seed}`);
    }
  });

  test('are smaller than their compressed JSON also where samples are missing, and are rejected where they are cut', async () => {
    const records = [...damagedRecords('Car'), ...madeRecords('Other'), ...badRecords.map(([record]) => record)];
    const gaps = records.map((record) =>
      JSON.parse(JSON.stringify(record), (key, value) => (Number(key) % 50 === 7 ? null : value)),
    );
    for (const sent of [records, gaps] as TripRecord[][]) {
      const packed = packRecords(sent);
      expect(unpackRecords(packed)).toEqual(sent);
      const json = new TextEncoder().encode(JSON.stringify(sent));
      expect((await deflate(packed)).length).toBeLessThan((await deflate(json)).length * 0.8);
      expect(() => unpackRecords(packed.slice(0, -400))).toThrow();
    }
  });
});

/** Every letter of two bytes. */
const letters = new Uint8Array(Uint16Array.from({ length: 65_536 }, (_, unit) => unit).buffer);

test('bytes are the same after they were text of a page, and take a thirtieth more', () => {
  for (const bytes of [
    letters,
    letters.subarray(1),
    ...[0, 1, 2, 3].map((length) => letters.subarray(13, 13 + length)),
  ])
    expect(bytesOf(textOf(bytes))).toEqual(Uint8Array.from(bytes));
  const text = textOf(letters);
  expect(text.length).toBeLessThan((letters.length / 2) * 1.035);
  // Any that HTML would change, and what could end its element.
  expect(text).not.toMatch(/[\0\r<]/);
  expect(decoder.decode(utf16File(text))).toBe(text);
});

const records = madeRecords('Family car');
const pageOf = () => tripPageFile({ title: 'Trips', zone: 'Europe/Berlin', records });
const failed = 'This page cannot be shown.';
const damaged = 'The data inside this page are damaged. Make the page again.';

describe.runIf(hasChromium)('the page to take along, in a browser', () => {
  useBrowser();

  test('shows its trips from a disk, and from a server that claims another encoding', async () => {
    const file = await pageOf();
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const moved = Number(document.documentElement.dataset['moved'] ?? 0);
        document.documentElement.dataset['moved'] = String(moved + list.getEntries().length);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const address of [await fileOf(file), await serve(file, 'text/html; charset=utf-8')]) {
      await open(address);
      await page.getByRole('heading', { name: 'Sat 7 Mar 2026, 11:00' }).waitFor();
      // Its style is there, which arrives compressed as well.
      expect(await page.locator('body').evaluate((body) => getComputedStyle(body).marginTop)).toBe('0px');
      await page.locator('.card').first().waitFor();
      expect(await page.locator('html[data-moved]').count()).toBe(0);
    }
  });

  test('keeps every letter', async () => {
    const address = await fileOf(
      utf16File(`<!DOCTYPE html><main><p class="message">Letters<script type="text/plain">${textOf(letters)}</script>`),
    );
    await open(address, '');
    const text = await page.locator('script').evaluate((script) => `${script.textContent}`);
    expect(bytesOf(text)).toEqual(letters);
  });

  test('runs no script but its own, and says where it is damaged', async () => {
    const html = decoder.decode(await pageOf());
    const replaced = (id: string, of: (text: string) => string) =>
      fileOf(utf16File(html.replace(new RegExp(`(?<=id="${id}">)[^<]+`), of)));
    const foreign = textOf(await deflate(new TextEncoder().encode("document.title = 'foreign'")));
    // The browser complains, as it must.
    const other = await page.context().newPage();
    const complaint = other.waitForEvent('console');
    await other.goto(await replaced('script', () => foreign));
    expect((await complaint).text()).toContain('violates the following Content Security Policy directive');
    expect(await other.title()).toBe('Trips');
    for (const [id, shown] of Object.entries({ script: failed, style: failed, records: damaged })) {
      await other.goto(await replaced(id, (text) => text.slice(0, text.length >> 1)));
      await other.getByText(shown).waitFor();
    }
    await other.close();
  });
});

test('the page without trips is a third of one whose script is not compressed', async () => {
  const whole = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
  expect((await tripPageFile({ title: 'Trips', records: [] })).length).toBeLessThan(0.4 * whole.length);
});

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
if (!firefox) console.log('The page is not opened in Firefox: there is no /usr/bin/firefox-esr or /usr/bin/firefox.');

test.runIf(firefox)(
  'the page to take along keeps every letter in Firefox, and shows its trips',
  { timeout: 120_000 },
  async () => {
    const session = await startFirefox(`${firefox}`);
    onTestFinished(session.close);
    onTestFinished(removeFiles);
    const file = await pageOf();
    for (const address of [await fileOf(file), await serve(file, 'text/html; charset=utf-8')]) {
      await session.open(`${address}#latest=1`);
      const heading = `new Promise((resolve) => {
        const look = () =>
          document.querySelector('main h2')?.textContent.includes('7 Mar 2026') ? resolve(true) : requestAnimationFrame(look);
        look();
      })`;
      expect(await session.evaluate(heading)).toBe(true);
    }
    await session.open(await fileOf(utf16File(`<!DOCTYPE html><script type="text/plain">${textOf(letters)}</script>`)));
    expect(bytesOf(`${await session.evaluate("document.querySelector('script').textContent")}`)).toEqual(letters);
  },
);
