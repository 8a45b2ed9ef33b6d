// First lanes of a trip of 100,000 samples of 11 signals, and one frame of a zoom, against ECharts and Chart.js in one run.
// The data stand in each page as the same JSON, but for the page to take along, which unpacks them. "ms" is the time on the clock from the start of the page's script; "best" is its
// least disturbed round.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { signalsOf } from '@vehicle-data/client/series';
import { chromium, type Page } from 'playwright-core';
import { tripPageFile, tripPageHtml } from '../dist/index.js';
import { madeTrip } from '../test/made-trips.ts';

const rounds = Number(process.argv[2] ?? 7);
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

/** Milliseconds until the first lanes, by round, and of each frame of a zoom. */
const measured = new Map(Object.keys(pages).map((name) => [name, { first: [] as number[], frames: [] as number[] }]));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (let round = 0; round < rounds; round += 1)
    for (const [name, { first, frames }] of measured) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, offline: true });
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByName('lanes').length > 0);
      const ready = await page.evaluate(() => performance.measure('first', 'begin', 'lanes').duration);
      await page.waitForTimeout(400);
      const took = await zoomFrames(page);
      await page.close();
      // The first round warms up.
      if (round === 0) continue;
      first.push(ready);
      frames.push(...took);
    }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

console.log(`${samples.toLocaleString('en-US')} samples of 11 signals, ${rounds - 1} rounds, medians; Node ${process.version}
| page | first lanes, ms | best | ÷ ECharts | zoom frame, ms |
|---|--:|--:|--:|--:|`);
/** Milliseconds until the first lanes, and of a frame of a zoom, that the page must not exceed. */
const bars = { first: 300, frame: 16 };
const missed: string[] = [];
const peer = median(measured.get('ECharts')?.first ?? []);
for (const [name, { first, frames }] of measured) {
  const [ready, best] = [median(first), Math.min(...first)];
  const cells = [ready.toFixed(0), best.toFixed(0), (ready / peer).toFixed(2), median(frames).toFixed(1)];
  console.log(`| ${[name, ...cells].join(' | ')} |`);
  if (name.startsWith('trip-view') && (ready > bars.first || median(frames) > bars.frame)) missed.push(name);
}

const empty = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
const bytes = gzipSync(empty).length;
console.log(`page without data: ${(bytes / 1000).toFixed(1)} kB compressed`);
if (bytes > 90_000) missed.push('page without data');
for (const name of missed)
  console.log(
    `missed by ${name}: first lanes in ${bars.first} ms, a frame of a zoom in ${bars.frame} ms, 90 kB without data`,
  );
if (missed.length > 0) process.exitCode = 1;

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
