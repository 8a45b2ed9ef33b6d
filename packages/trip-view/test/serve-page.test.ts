import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Response as PageResponse, Route } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createArchive } from '../../archive/dist/index.js';
import { ArchiveFolder } from '../src/node/archive-folder.ts';
import { type ServePageOptions, servePage } from '../src/node/serve-page.ts';
import { dayInWords } from '../src/page/calendar-strip.ts';
import { archiveSource } from '../src/page/source/archive.ts';
import { type ArchiveFile, tripPageHtml } from '../src/page-html.ts';
import { daysBetween } from '../src/trip/calendar.ts';
import { hasChromium, open, page, requests, useBrowser } from './browser.ts';
import { smallTrip } from './made-trips.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function serve(source: ServePageOptions['source']): Promise<string> {
  const served = await servePage({ zone: 'Europe/Berlin', source });
  undo.push(() => served.close());
  return served.url;
}

/** What the page asks for: the list of a brand (`consent`), `locations`, or days of `driving` or `powertrains`. */
function callOf({ url, headers }: Request) {
  const { pathname, searchParams } = new URL(url);
  const [, , , vin, kind = 'consent'] = pathname.split('/');
  const day = (name: string) => searchParams.get(name)?.replace(/(....)(..)/, '$1-$2-') ?? '';
  return { kind, vin, brand: headers.get('brand'), first: day('startDate'), last: day('endDate') };
}

/** Serves the page over an API. Of the data of a call, the page takes what it needs. */
const serveApi = (dataOf: (call: ReturnType<typeof callOf>) => object | Promise<object>) => {
  const fetch = async (request: Request) => {
    const data = await dataOf(callOf(request));
    return data instanceof Response ? data : Response.json({ data });
  };
  return serve({ kind: 'api', fetch });
};
const failure = (code: string, message = 'Failed') => Response.json({ error: { code, message } }, { status: 500 });
/** A trip of now, for those who ask for driving trips. */
const tripsNow = (kind: string) => (kind === 'driving' ? [smallTrip(kind, new Date().toISOString(), 60, 1)] : []);
const van = { vin: 'SANDB0XA000000001', nickname: 'Van' };

/** A promise, and what fulfills it. */
function gate() {
  let release = () => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { opened, release };
}

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'trip-archive-'));
  undo.push(() => rm(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(path, name, '..'), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return path;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const made = new Map<number, Promise<string>>();
afterAll(async () => {
  for (const path of made.values()) await rm(await path, { recursive: true, force: true });
});

/** An archive of so many days until now, with a trip at noon of each: a copy of one that is made once. */
async function archiveOf(days: number): Promise<string> {
  const source = made.get(days) ?? mkdtemp(join(tmpdir(), 'trip-archive-')).then((path) => exportInto(path, days));
  made.set(days, source);
  const path = await folder({});
  await cp(await source, path, { recursive: true });
  return path;
}

/** Exports both series of a vehicle from so many days ago until now, with trips at some hours of each day. */
async function exportInto(path: string, days: number, hours: readonly string[] = ['12']): Promise<string> {
  const archive = await createArchive({ folder: path, source: 'https://vehicles.invalid', zoneId: 'Europe/Berlin' });
  const { vehicles } = await archive.export({
    vehicles: [{ brand: 'brand_a', vin: 'SANDB0XA000000001' }],
    series: ['driving', 'powertrain'],
    from: daysAgo(days),
    to: daysAgo(0),
    // The samples of a week have a usual step.
    readWindow: async ({ series, startDate, endDate }) => {
      const [first = '', last = ''] = [startDate, endDate].map((day) => day.replace(/^(....)-?(..)-?/, '$1-$2-'));
      const samples = series === 'driving' ? 120 : 119;
      return daysBetween(first, last)
        .filter((date) => date <= daysAgo(0))
        .flatMap((date) => hours.map((hour) => `${date}T${hour}:00:00.000Z`))
        .map((start) => smallTrip(series === 'driving' ? series : 'powertrain', start, samples, Date.parse(start)));
    },
  });
  await archive.close();
  expect(vehicles.map(({ outcome }) => outcome)).toEqual(['complete']);
  return path;
}

/** Opens a folder as its page does. The files are passed as `change` returns them. */
async function sourceOf(path: string, change = (file: ArchiveFile) => file) {
  const url = await serve({ kind: 'archive', folder: path });
  const { files } = await new ArchiveFolder(path).list();
  const source = archiveSource(url.slice(0, -1), { files: files.map(change) });
  const [vehicle] = (await source.vehicles('')).vehicles;
  if (vehicle === undefined) throw new Error('no vehicle');
  return { source, vehicle };
}

test('only the full address on loopback is served, by GET, and files only by number', async () => {
  const file = 'PAR1 and more';
  const url = await serve({ kind: 'archive', folder: await folder({ 'a/march.parquet': file, 'secret.txt': 'x' }) });
  const { origin, port } = new URL(url);
  const status = async (path: string, init?: RequestInit) => (await fetch(path, init)).status;
  expect(await status(url)).toBe(200);
  expect(await status(`${origin}/`)).toBe(404);
  expect(await status(url, { method: 'POST' })).toBe(405);
  const listed = JSON.stringify([{ id: 0, name: 'a/march.parquet', bytes: file.length, provisional: false }]);
  expect(await (await fetch(url)).text()).toContain(listed);
  const range = await fetch(`${url}files/0`, { headers: { range: 'bytes=0-3' } });
  expect([range.status, await range.text(), range.headers.get('content-range')]).toEqual([
    206,
    'PAR1',
    `bytes 0-3/${file.length}`,
  ]);
  expect(await status(`${url}files/0`, { headers: { range: 'bytes=99999999-' } })).toBe(416);
  for (const path of ['files/1', 'files/../secret.txt', 'files/%2e%2e%2fsecret.txt', 'secret.txt'])
    expect(await status(url + path)).toBe(404);
  // `fetch` sends no other host.
  const sent = httpRequest({ port, path: new URL(url).pathname, headers: { host: 'evil.example' } }).end();
  const [{ statusCode }] = await once(sent, 'response');
  expect(statusCode).toBe(421);
});

test('the page of a folder with more files than it reads says so', async () => {
  const path = await folder({ 'a.parquet': '', 'b.parquet': '' });
  const url = await serve({ kind: 'archive', folder: path });
  const listed = await new ArchiveFolder(path, 1).list();
  const { problems } = await archiveSource(url.slice(0, -1), listed).vehicles('');
  expect(problems).toEqual([
    'This page leaves out 1 of the 2 Parquet files in this folder. Open a folder inside it to see the others.',
    'a.parquet could not be read: it is damaged or it is not a Parquet file.',
  ]);
});

test('a trip of values that no column holds is read from an archive as the API sent it', async () => {
  const start = '2026-03-04T12:00:07Z';
  const trip = { triggerStartTime: start, tripLength: 2999.6, engine: { rpm: [800, 'x', 900], more: null }, more: 1 };
  // No calendar has its day.
  const last = { ...trip, triggerStartTime: '9999-12-31T12:00:00Z' };
  const path = await folder({});
  const archive = await createArchive({ folder: path, source: 'https://vehicles.invalid' });
  const vehicle = { brand: 'brand_a', vin: 'SANDB0XA000000001' };
  const [day, readWindow] = ['2026-03-04', async () => ['no trip', trip, last]];
  await archive.export({ vehicles: [vehicle], series: ['powertrain'], from: day, to: day, readWindow });
  await archive.close();
  const { source, vehicle: found } = await sourceOf(path);
  expect(await source.index?.(found)).toMatchObject([{ startTime: Date.parse(start), durationMs: 3000 }]);
  const { records } = await source.read(found, day, 'UTC');
  expect(records.map((record) => record.trip)).toEqual(['no trip', trip, last]);
});

test.each(['driving', 'powertrain'])(
  'a trip of an archive is provisional if its %s file is, and as long as its longer series',
  async (series) => {
    const path = await archiveOf(0);
    const { source, vehicle } = await sourceOf(path, (file) => ({ ...file, provisional: file.name.includes(series) }));
    expect((await source.index?.(vehicle))?.at(-1)).toMatchObject({ provisional: true, durationMs: 120_000 });
  },
);

test('the API is reached through the function alone, by GET, without headers of the browser', async () => {
  const seen: string[] = [];
  const fetchApi = async (request: Request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${[...request.headers.keys()].join()}`);
    return Response.json({ data: { vehicles: [] } });
  };
  const url = await serve({ kind: 'api', fetch: fetchApi });
  expect((await fetch(`${url}v1/vehicles/consent`, { headers: { Brand: 'brand_a', cookie: 'a=b' } })).status).toBe(200);
  expect((await fetch(`${url}v1/vehicles/consent`, { method: 'DELETE' })).status).toBe(405);
  expect(seen).toEqual(['GET /v1/vehicles/consent accept,brand']);
});

describe.runIf(hasChromium)('in a browser', () => {
  useBrowser();

  const day = (days: number) => page.getByTitle(`${dayInWords(daysAgo(days))}:`);

  const openTrip = async (url: string) => {
    await open(url);
    await page.locator('.stack').first().waitFor();
  };

  /** Sets the reader's clock to so many minutes after a time, then clicks. */
  const clickAt = async (time: number, minutes: number, button: string) => {
    await page.evaluate((now) => Object.assign(Date, { now: () => now }), time + minutes * 60_000);
    await page.getByRole('button', { name: button }).click();
  };

  test('an archive is read by ranges, and its open windows are provisional', async () => {
    await open(await serve({ kind: 'archive', folder: await archiveOf(30) }));
    await page.getByRole('region', { name: 'Signals over assumed time' }).waitFor();
    await page.getByText('provisional', { exact: true }).first().waitFor();
    await page.getByTitle(`${dayInWords(daysAgo(25))}: 1 trip, 2 min`).click();
    await page.getByRole('region', { name: 'Signals over assumed time' }).waitFor();
    expect(await page.getByText('powertrain + driving').count()).toBe(1);
    // Two series of five windows or more: their ends are read, not the whole files of days that nobody opened.
    expect(new Set(requests).size).toBeGreaterThan(8);
    expect(await page.getByLabel('Vehicle').textContent()).not.toContain('SANDB0X');
  });

  test('after a sync, an open page asks to be loaded again, and then shows the new files', async () => {
    const path = await archiveOf(30);
    await openTrip(await serve({ kind: 'archive', folder: path }));
    await exportInto(path, 30, ['08', '12']);
    for (const name of await readdir(path, { recursive: true })) await utimes(join(path, name), 0, 0);
    await day(25).click();
    await page.getByText('The archive has changed').first().waitFor();
    expect(await page.getByText('it is damaged').count()).toBe(0);
    await openTrip(page.url().split('#')[0] ?? '');
    expect(await page.locator('.trip-card').count()).toBe(2);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('foreign, damaged and missing files give sentences', async () => {
    const path = await archiveOf(7);
    const foreign = parquetWriteBuffer({ columnData: [{ name: 'price', data: [1, 2], type: 'DOUBLE' }] });
    await writeFile(join(path, 'foreign.parquet'), new Uint8Array(foreign));
    await writeFile(join(path, 'damaged.parquet'), 'PAR1 but no more');
    await open(await serve({ kind: 'archive', folder: path }));
    await page.getByText('foreign.parquet is a Parquet file of something else').waitFor();
    await page.getByText('damaged.parquet could not be read').waitFor();
    await page.locator('.stack').first().waitFor();
    await open(await serve({ kind: 'archive', folder: await folder({}) }));
    await page.getByText('This folder has no Parquet files').waitFor();
  });

  test('what the server failed to send is not damaged, and there after the reload that the page asks for', async () => {
    await openTrip(await serve({ kind: 'archive', folder: await archiveOf(30) }));
    const failures = [
      (route: Route) => route.abort('connectionrefused'),
      (route: Route) => route.fulfill({ status: 500 }),
    ];
    for (const [index, fail] of failures.entries()) {
      await page.route('**/files/*', fail, { times: 1 });
      await day(25 - index * 10).click();
      await page.getByRole('alert').getByText('Check that vds trips view still runs, then reload the page').waitFor();
      expect(await page.getByText('it is damaged').count()).toBe(0);
      await page.reload();
      await page.locator('.stack').first().waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });

  test('quick clicks on days of one window read it once, and each trip is there once', async () => {
    const calls: string[] = [];
    const clicked = gate();
    const url = await serveApi(async ({ kind, first, last }) => {
      if (kind === 'consent') return { vehicles: [van] };
      if (kind === 'locations') return failure('4045');
      calls.push(`${kind} ${first} ${last}`);
      if (calls.length > 2) await clicked.opened;
      const series = kind === 'driving' ? kind : 'powertrain';
      return { trips: daysBetween(first, last).map((day) => smallTrip(series, `${day}T12:00:00.000Z`, 60, 1)) };
    });
    await openTrip(url);
    for (const days of [12, 20, 10]) await day(days).click();
    clicked.release();
    await expect.poll(() => day(10).getAttribute('title')).toMatch(/: 1 trip,/);
    expect(await page.locator('.trip-card').count()).toBe(1);
    expect(calls).toHaveLength(new Set(calls).size);
  });

  test('earlier months are read by a link, each once, newest days first', async () => {
    const calls: string[] = [];
    const url = await serveApi(({ kind, first, last }) => {
      if (kind === 'consent') return { vehicles: [van] };
      if (kind === 'locations') return failure('4045');
      calls.push(`${kind} ${last}`);
      const series = kind === 'driving' ? kind : 'powertrain';
      // In the last hours of a day the page asks for the next one as well, which has no trips yet.
      const past = daysBetween(first, last).filter((day) => day <= daysAgo(0));
      return { trips: past.map((day) => smallTrip(series, `${day}T12:00:00.000Z`, 60, 1)) };
    });
    await open(url, '');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const rows = () => page.locator('.trip-row').count();
    const days = (month: string) =>
      daysBetween(`${month}-01`, daysAgo(0)).filter((day) => day.startsWith(month)).length;
    const [now, before] = [daysAgo(0).slice(0, 7), daysAgo(Number(daysAgo(0).slice(8))).slice(0, 7)];
    await expect.poll(rows).toBe(days(now));
    const ends = calls.map((call) => call.split(' ')[1]);
    expect(ends).toEqual(ends.toSorted().reverse());
    await link('Earlier').click();
    await expect.poll(rows).toBe(days(before));
    const read = calls.length;
    await link('Later').click();
    await expect.poll(rows).toBe(days(now));
    expect(calls).toHaveLength(read);
    expect([...new Set(calls)]).toEqual(calls);
    expect(page.url()).toContain(`#month=${now}`);
  });

  test('a vehicle of an archive has its alias, and any day of it can be compared with', async () => {
    const path = await archiveOf(30);
    const [pseudonym = ''] = (await readdir(path, { recursive: true })).flatMap(
      (name) => /[0-9a-f]{32}/.exec(name) ?? [],
    );
    await openTrip(await serve({ kind: 'archive', folder: path, names: { [pseudonym]: 'home' } }));
    expect(await page.getByLabel('Vehicle').textContent()).toBe('home (brand_a)');
    const compare = page.getByLabel('Compare with');
    const before = await compare.locator('option').count();
    await page.getByLabel('Also offer the trips of').fill(daysAgo(25));
    await page.getByText(`1 trip of ${daysAgo(25)} can be chosen.`).waitFor();
    await expect.poll(() => compare.locator('option').count()).toBeGreaterThan(before);
    await compare.selectOption({ label: (await compare.locator('option').allTextContents())[1] ?? '' });
    await page.getByText('Both trips in numbers').waitFor();
    // The address alone is enough for a page that has read nothing.
    await page.reload();
    await page.getByText('Both trips in numbers').waitFor();
  });

  test('vehicles that no list has are offered after those of their brand', async () => {
    const asked: string[] = [];
    const url = await serveApi(({ kind, vin }) => {
      if (kind === 'driving') asked.push(vin ?? '');
      return { vehicles: [van], trips: tripsNow(kind), location: {} };
    });
    const furtherVehicles = [{ brand: 'brand_a', vin: 'SANDB0XADIRTY0001', name: 'Dirty data: null members' }];
    const body = tripPageHtml({ title: 'Trips', source: { kind: 'api', furtherVehicles }, base: url.slice(0, -1) });
    await page.route(url, (route) => route.fulfill({ body, contentType: 'text/html' }));
    undo.push(() => page.unroute(url));
    await openTrip(url);
    expect(await page.getByLabel('Vehicle').textContent()).toBe('VanDirty data: null members');
    await page.getByLabel('Vehicle').selectOption({ index: 1 });
    await expect.poll(() => asked).toContain('SANDB0XADIRTY0001');
    await page.getByLabel('Brand').selectOption('brand_b');
    await expect.poll(() => page.getByLabel('Vehicle').textContent()).toBe('Van');
  });

  test('an error that comes after its reader went on to another day or brand is not shown', async () => {
    const wentOn = gate();
    // The same in each window that is read: copies are one trip.
    const trips = tripsNow('driving');
    const late: Promise<unknown>[] = [];
    const failed = (response: PageResponse) => {
      if (response.status() === 500) late.push(response.finished());
    };
    page.on('response', failed);
    undo.push(async () => page.off('response', failed));
    const url = await serveApi(async ({ kind, brand, last }) => {
      if (brand === 'brand_b' || (last && last < daysAgo(9))) {
        await wentOn.opened;
        return failure('5001');
      }
      return { vehicles: [van], trips: kind === 'driving' ? trips : [], location: {} };
    });
    await openTrip(url);
    for (const days of [20, 0]) await day(days).click();
    const brands = page.getByLabel('Brand');
    for (const brand of ['brand_b', 'brand_a']) await brands.selectOption(brand);
    // The month of a brand reads its days before: that continues to nothing as well.
    await page.evaluate(() => Object.assign(location, { hash: '#latest=1' }));
    await page.locator('.stack').first().waitFor();
    wentOn.release();
    await expect.poll(() => late.length).toBeGreaterThanOrEqual(3);
    await Promise.all(late);
    // What the page does with them comes before it has read a later response.
    await page.evaluate(() => fetch(location.pathname).then((response) => response.text()));
    expect(await page.locator('.message', { hasText: '5001' }).count()).toBe(0);
    expect(await page.locator('.trip-card').count()).toBe(1);
  });

  test('a list of vehicles is shown also to a reader who chose something while it was read', async () => {
    const chosen = gate();
    const url = await serveApi(async ({ kind, brand }) => {
      if (kind === 'consent') await chosen.opened;
      const nickname = brand === 'brand_b' ? 'Truck' : 'Van';
      return { vehicles: [{ ...van, nickname }], trips: tripsNow(kind), location: {} };
    });
    const opening = open(url);
    await page.waitForURL(`${url}#latest=1`);
    await page.getByLabel('Brand').selectOption('brand_b');
    await page.getByLabel('Time zone').selectOption({ index: 1 });
    chosen.release();
    await opening;
    await page.locator('.stack').first().waitFor();
    expect(await page.getByLabel('Vehicle').textContent()).toBe('Truck');
  });

  test('a vehicle just chosen is never shown with the location of another one, nor becomes another one of a new list', async () => {
    const shown = gate();
    let isFailing = false;
    const vehicles = ['Van', 'Truck', ''].map((nickname, index) => ({ vin: `SANDB0XA00000000${index}`, nickname }));
    const url = await serveApi(async ({ kind, vin }) => {
      if (isFailing) return failure('5001');
      const isTruck = vin === 'SANDB0XA000000001';
      if (isTruck && kind === 'locations') await shown.opened;
      return { vehicles, trips: tripsNow(kind), location: { latitude: isTruck ? 48 : 52, longitude: 13 } };
    });
    await open(url);
    await page.getByText('52.0000°').waitFor();
    await page.getByLabel('Vehicle').selectOption('Truck');
    await page.locator('.facts', { hasText: 'Truck' }).waitFor();
    expect(await page.getByText('Latest location').count()).toBe(0);
    shown.release();
    await page.getByText('48.0000°').waitFor();
    expect(await page.getByLabel('Vehicle').textContent()).toBe('VanTruckVehicle 3');
    isFailing = true;
    await day(20).click();
    await page.getByText('5001').waitFor();
    isFailing = false;
    vehicles.unshift({ vin: 'SANDB0XA000000009', nickname: 'Bus' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('48.0000°').waitFor();
    expect(await page.getByLabel('Vehicle').inputValue()).toBe('Truck');
    // A list that failed is read again by the next step, whatever it is.
    isFailing = true;
    await page.getByLabel('Vehicle').selectOption({ index: 3 });
    await page.locator('#again').evaluate((button) => button.setAttribute('id', 'before'));
    await page.locator('#before').click();
    await page.locator('#again').waitFor();
    isFailing = false;
    await page.getByLabel('Vehicle').selectOption('Van');
    await page.getByText('52.0000°').waitFor();
  });

  test('a page that stays open reads today again, and its days and ages follow the clock', async () => {
    // Far from midnight.
    const sent = Date.parse(`${daysAgo(-1)}T10:00:00Z`);
    const timestamp = new Date(sent).toISOString();
    const trips = [2, 1, 0].map((days) => smallTrip('driving', `${daysAgo(days)}T00:00:00.000Z`, 60, days));
    let reads = 0;
    let works = true;
    const url = await serveApi(({ kind }) => {
      if (kind === 'driving') reads++;
      return works ? { vehicles: [van], trips: kind === 'driving' ? trips : [], timestamp } : failure('5001');
    });
    const click = async (minutes: number, button: string, text: string) => {
      await clickAt(sent, minutes, button);
      await page.getByText(text).waitFor();
    };
    await openTrip(url);
    await click(10, 'Sample index', '10 minutes');
    await click(10.6, 'Assumed time', '11 minutes');
    expect(reads).toBe(2);
    await click(12, 'Sample index', '12 minutes');
    expect(reads).toBe(3);
    works = false;
    await click(14, 'Assumed time', 'Latest location: The API returned error 5001');
    await page.getByRole('alert').getByText('5001').waitFor();
    expect(await page.locator('.trip-card').count()).toBe(1);
    await click(14.5, 'Sample index', 'Shown by sample index, as you chose.');
    works = true;
    await click(14.5, 'Try again', '15 minutes');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(reads).toBe(5);
    const lastDay = () => page.locator('.day').last().getAttribute('title');
    const before = await lastDay();
    await click(24 * 60, 'Assumed time', '24 hours');
    expect(reads).toBe(6);
    expect(await lastDay()).not.toBe(before);
    // What belongs to another day is not kept.
    await click(15, 'Sample index', '15 minutes');
    expect(reads).toBe(7);
  });

  test('what was read is there at once while it is read again, and stays where that fails', async () => {
    const shown = gate();
    let isFirst = true;
    let isFailing = false;
    const trips = ['04', '05', '06', '07'].map((hour, index) =>
      smallTrip('driving', `2026-03-04T${hour}:00:00.000Z`, 60, index),
    );
    const url = await serveApi(async ({ kind }) => {
      if (!isFirst) await shown.opened;
      if (isFailing && kind === 'driving') return failure('5001');
      return { vehicles: [van], trips: kind === 'driving' ? trips.slice(isFirst ? 1 : 0) : [] };
    });
    const source = { kind: 'api', now: Date.parse('2026-03-04T10:00:00Z') } as const;
    const body = tripPageHtml({ title: 'Trips', zone: 'UTC', source, base: url.slice(0, -1) });
    await page.route(url, (route) => route.fulfill({ body, contentType: 'text/html' }));
    undo.push(() => page.unroute(url));
    const opened = Date.now();
    const cards = () => page.locator('.trip-card').count();
    const place = () => page.evaluate(() => [document.activeElement?.textContent, scrollY]);
    await open(url);
    await page.getByText('Latest location').waitFor();
    isFirst = false;
    await clickAt(opened, 2, 'Sample index');
    await page.getByText('Shown by sample index, as you chose.').waitFor();
    const before = await place();
    shown.release();
    await expect.poll(cards).toBe(4);
    expect(await place()).toEqual(before);
    isFailing = true;
    await clickAt(opened, 4, 'Assumed time');
    await page.getByRole('alert').getByText('5001').waitFor();
    expect(await cards()).toBe(4);
    isFailing = false;
    await clickAt(opened, 6, 'Try again');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await cards()).toBe(4);
  });

  test('errors of the API give a sentence, and the reader can try again', async () => {
    let code = '4011';
    let located = false;
    const trips = [smallTrip('powertrain', new Date().toISOString(), 60, 1)];
    const url = await serveApi(({ kind }) => {
      if (code === '429' ? kind === 'driving' : code !== '') return failure(code, 'No trips');
      if (kind === 'driving' || (kind === 'locations' && !located)) return failure('4045');
      const location = { latitude: 52.52, longitude: 13.4, heading: 60 };
      return { vehicles: [{ ...van, nickname: '<b>Van</b>' }], trips, location };
    });
    await open(url);
    await page
      .getByText(
        'error 4011: No trips. Renew the sign-in of the server of this page, such as vds trips view, then start it again.',
      )
      .waitFor();
    code = '429';
    await page.getByRole('button', { name: 'Try again' }).click();
    const half =
      /The driving trips from [0-9-]{10} to [0-9-]{10} could not be read: The API returned error 429: No trips/;
    await page.getByRole('alert').getByText(half).waitFor();
    await page.locator('.stack').first().waitFor();
    code = '';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByText('Latest location: The API returned error 4045').waitFor();
    expect(await page.getByLabel('Vehicle').textContent()).toBe('<b>Van</b>');
    expect(await page.evaluate(() => location.href)).not.toContain('SANDB0X');
    located = true;
    await page.reload();
    await page.getByText('60°', { exact: true }).waitFor();
  });
});
