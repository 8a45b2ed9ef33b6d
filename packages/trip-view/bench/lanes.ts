// First lanes of a trip of 100,000 samples of 11 signals, and one frame of a zoom, against ECharts and Chart.js in one run.
//
// Every round opens each page in a new process of the browser. The clock runs from the start of the navigation until the frame with the
// first lanes is over: those on the screen and a screen below it for the pages of this package, all of them for peers. The data stand
// in the pages of peers as JSON. Beside the time on the clock stands what the main thread of the page computed, which other work on
// the machine disturbs less; "best" is the least disturbed round. Call it with a number of rounds; 11 unless said.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { signalsOf } from '@vehicle-data/client/series';
import { type Browser, chromium, type Page } from 'playwright-core';
import { tripPageFile, tripPageHtml } from '../dist/index.js';
import { madeTrip } from '../test/made-trips.ts';

const rounds = Number(process.argv[2] ?? 11);
const samples = 100_000;
const zooms = 24;
const trip = madeTrip('driving', '2026-03-04T06:00:00.000Z', samples, 1);

// The peers are installed outside the workspace.
const peers = fileURLToPath(new URL('.cache/peers/', import.meta.url));
mkdirSync(peers, { recursive: true });
cpSync(new URL('peers/package.json', import.meta.url), join(peers, 'package.json'));
if (!existsSync(join(peers, 'node_modules')))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: peers });

/** A page that holds the trip, the browser bundle of a peer, and the script that draws the one with the other. */
function peerPage(bundle: string): string {
  const config = JSON.stringify({ trip, rules: signalsOf('driving') });
  const scripts = [join(peers, 'node_modules', bundle), new URL('peer-pages.js', import.meta.url)].map(
    (file) => `<script>${readFileSync(file, 'utf8').replaceAll('</script', '<\\/script')}</script>`,
  );
  return `<!DOCTYPE html><html lang="en"><title>Peer</title><body><script type="application/json" id="config">${config}</script>${scripts.join('')}`;
}

const record = { vehicle: 'Car', series: 'driving', trip, usualStepMs: 1000 } as const;
const pages: Readonly<Record<string, string | Uint8Array>> = {
  'trip-view': tripPageHtml({ title: 'Bench', zone: 'UTC', source: { kind: 'embedded', records: [record] } }),
  'trip-view, tripPageFile': await tripPageFile({ title: 'Bench', zone: 'UTC', records: [record] }),
  ECharts: peerPage('echarts/dist/echarts.min.js'),
  'Chart.js': peerPage('chart.js/dist/chart.umd.min.js'),
};
const folder = mkdtempSync(join(tmpdir(), 'lanes-bench-'));
for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), html);

/** Of each page by round, in milliseconds, and of each frame of a zoom. */
const measured = new Map(
  Object.keys(pages).map((name) => [name, { openings: [] as Opening[], frames: [] as number[] }]),
);
const before = loadavg();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, { openings, frames }] of measured) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, offline: true });
      const opening = await openingOf(browser, page, pathToFileURL(join(folder, `${name}.html`)).href);
      await page.waitForTimeout(400);
      const took = await zoomFrames(page);
      await page.close();
      if (round === 0) continue;
      openings.push(opening);
      frames.push(...took);
    }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

const loads = [before, loadavg()].map(([minute = 0]) => minute.toFixed(1));
console.log(`${samples.toLocaleString('en-US')} samples of 11 signals, ${rounds} rounds, medians; Node ${process.version}, load ${loads.join(' before and ')} after

| page | first lanes, ms | best | main thread, ms | best | from its script, ms | best | all lanes, ms | ÷ ECharts | zoom frame, ms |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|`);
/** Milliseconds until the first lanes and of a frame of a zoom, and compressed bytes without data, that a page must not exceed. */
const bars = { first: 300, frame: 16, bytes: 90_000 };
const missed: string[] = [];
const peer = median((measured.get('ECharts')?.openings ?? []).map(({ first }) => first));
for (const [name, { openings, frames }] of measured) {
  const of = (key: keyof Opening) => openings.map((opening) => opening[key]);
  const both = (key: keyof Opening) => [median(of(key)), Math.min(...of(key))].map((value) => value.toFixed(0));
  const first = median(of('first'));
  const frame = median(frames);
  const cells = [...both('first'), ...both('computed'), ...both('script'), median(of('all')).toFixed(0)];
  console.log(`| ${[name, ...cells, (first / peer).toFixed(2), frame.toFixed(1)].join(' | ')} |`);
  if (!name.startsWith('trip-view')) continue;
  if (first > bars.first) missed.push(`${name}: first lanes in ${bars.first} ms`);
  if (frame > bars.frame) missed.push(`${name}: a frame of a zoom in ${bars.frame} ms`);
}
console.log();

const empty = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
const bytes = gzipSync(empty).length;
console.log(`page without data: ${(bytes / 1000).toFixed(1)} kB compressed`);
if (bytes > bars.bytes) missed.push(`page without data: ${bars.bytes / 1000} kB`);
for (const what of missed) console.log(`missed by ${what}`);
if (missed.length > 0) process.exitCode = 1;

/** Milliseconds from the start of a navigation until its first lanes are shown, what it took of them, and until all lanes are. */
interface Opening {
  readonly first: number;
  /** From the start of the page's script. */
  readonly script: number;
  /** What the main thread computed since the document began. */
  readonly computed: number;
  readonly all: number;
}

/** Opens a page and measures it. Nothing is run in the page by the tool that controls the browser before its lanes are shown. */
async function openingOf(from: Browser, page: Page, url: string): Promise<Opening> {
  await page.addInitScript(() => {
    performance.mark('open');
    const look = () => {
      // What was never drawn has the size that a canvas has at first.
      const isDrawn = [...document.querySelectorAll('canvas')].every(
        ({ width, height }) => width !== 300 || height !== 150,
      );
      if (!isDrawn) requestAnimationFrame(look);
      else {
        performance.mark('all');
        console.log('all lanes');
      }
    };
    new PerformanceObserver((list) => list.getEntriesByName('lanes').length > 0 && look()).observe({ type: 'mark' });
  });
  await from.startTracing(page, { categories: ['blink.user_timing'] });
  const shown = page.waitForEvent('console', {
    predicate: (message) => message.text() === 'all lanes',
    timeout: 120_000,
  });
  await page.goto(url, { waitUntil: 'commit' });
  await shown;
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(String(await from.stopTracing()));
  const computedAt = (mark: string) =>
    (traceEvents.findLast(({ cat, name, tts }) => cat === 'blink.user_timing' && name === mark && tts)?.tts ??
      Number.NaN) / 1000;
  const [begin = 0, first = 0, all = 0] = await page.evaluate(() =>
    ['begin', 'lanes', 'all'].map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN),
  );
  return { first, script: first - begin, computed: computedAt('lanes') - computedAt('open'), all };
}

/** An event of a trace, with what its thread had computed by then, in microseconds. */
interface TraceEvent {
  readonly cat: string;
  readonly name: string;
  readonly tts?: number;
}

/** How long each step of a zoom takes, with what is drawn in the frame after it. */
function zoomFrames(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const { zoomTo } = window as unknown as { zoomTo?: (from: number, to: number) => void };
    const overlay = document.querySelector('.overlay');
    const { left = 0, width: across = 0 } = overlay?.getBoundingClientRect() ?? {};
    const point = (type: string, at: number) =>
      overlay?.dispatchEvent(new PointerEvent(type, { clientX: left + across * at }));
    /** Drags over all but the first 3.2 % and the last 4.8 % of what is shown. */
    const brush = () => {
      point('pointerdown', 0.032);
      point('pointermove', 0.952);
      point('pointerup', 0.952);
    };
    const took: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      const width = 0.92 ** (index + 1);
      if (zoomTo) zoomTo(0.4 * (1 - width), 0.4 * (1 - width) + width);
      else brush();
      const turned = performance.now() - start;
      // What draws in the frame after the event draws in the next one.
      const drawn = await new Promise<number>((resolve) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          const second = performance.now();
          channel.port1.onmessage = () => resolve(performance.now() - second);
          channel.port2.postMessage(0);
        });
      });
      took.push(turned + drawn);
    }
    return took;
  }, zooms);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
