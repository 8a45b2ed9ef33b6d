// First lanes of a trip of 100,000 samples of 11 signals, and one frame of a zoom, against ECharts and Chart.js in one run.
// The data stand in each page as the same JSON. "ms" is the time on the clock from the start of the page's script; "best" is its
// least disturbed round.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { signalsOf } from '@vehicle-data/client/series';
import { chromium, type Page } from 'playwright-core';
import { tripPageHtml } from '../dist/index.js';
import { madeTrip } from '../test/made-trips.ts';

const rounds = Number(process.argv[2] ?? 7);
const samples = 100_000;
const zooms = 24;
const trip = madeTrip('driving', '2026-03-04T06:00:00.000Z', samples, 1);

const drawings = readFileSync(new URL('peer-pages.js', import.meta.url), 'utf8');

/** The browser bundle of a chart, which is installed outside the workspace. */
function bundleOf(path: string): string {
  const peers = fileURLToPath(new URL('.cache/peers', import.meta.url));
  mkdirSync(peers, { recursive: true });
  cpSync(new URL('peers/package.json', import.meta.url), join(peers, 'package.json'));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  if (!existsSync(join(peers, 'node_modules')))
    execFileSync('npm', ['install', ...options], { cwd: peers, stdio: 'inherit' });
  return readFileSync(join(peers, 'node_modules', path), 'utf8');
}

function peerPage(library: string, draw: 'drawWithECharts' | 'drawWithChartJs'): string {
  const json = JSON.stringify(trip).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html><html lang="en"><title>Peer</title><body><script type="application/json" id="config">${json}</script>
<script>${library.replaceAll('</script', '<\\/script')}</script>
<script>${drawings}</script>
<script>window.benchWindow={};performance.mark('begin')</script>
<script>
const trip=JSON.parse(document.getElementById('config').textContent);
const rules=${JSON.stringify(signalsOf('driving'))};
window.lines=Object.entries(rules).map(([name,rule])=>{
  const values=name.split('.').reduce((at,key)=>at[key],trip);
  return {name,step:rule.kind!=='number',values:rule.kind==='number'?values:values.map((value)=>rule.values.indexOf(value))};
});
${draw}(window);
requestAnimationFrame(()=>{const c=new MessageChannel();c.port1.onmessage=()=>performance.mark('lanes');c.port2.postMessage(0)});
</script>`;
}

const [echarts, chartjs] = [bundleOf('echarts/dist/echarts.min.js'), bundleOf('chart.js/dist/chart.umd.min.js')];
const record = { vehicle: 'Car', series: 'driving', trip, usualStepMs: 1000 } as const;
const pages: Readonly<Record<string, string>> = {
  'trip-view': tripPageHtml({ title: 'Bench', zone: 'UTC', source: { kind: 'embedded', records: [record] } }),
  ECharts: peerPage(echarts, 'drawWithECharts'),
  'Chart.js': peerPage(chartjs, 'drawWithChartJs'),
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
const peer = median(measured.get('ECharts')?.first ?? []);
for (const [name, { first, frames }] of measured) {
  const [ready, best] = [median(first), Math.min(...first)];
  const cells = [ready.toFixed(0), best.toFixed(0), (ready / peer).toFixed(2), median(frames).toFixed(1)];
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}
const empty = tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } });
const kilobytes = [empty, echarts, chartjs].map((text) => (gzipSync(text).length / 1000).toFixed(1));
console.log(
  `page without data: ${kilobytes[0]} kB compressed; ECharts ${kilobytes[1]} kB, Chart.js ${kilobytes[2]} kB`,
);

/** How long each step of a zoom takes, with what is drawn in the frame after it. */
function zoomFrames(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const { benchWindow } = window as unknown as { benchWindow?: { zoomTo?: (from: number, to: number) => void } };
    const overlay = document.querySelector('.overlay');
    const box = overlay?.getBoundingClientRect();
    const at = { clientX: (box?.left ?? 0) + (box?.width ?? 0) * 0.4, ctrlKey: true, bubbles: true, cancelable: true };
    const turn = (index: number) => {
      const width = 0.92 ** (index + 1);
      if (benchWindow?.zoomTo) return benchWindow.zoomTo(0.4 * (1 - width), 0.4 * (1 - width) + width);
      overlay?.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, ...at }));
    };
    const took: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      turn(index);
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
