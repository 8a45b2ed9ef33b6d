// First lanes of a trip of 100,000 samples of 11 signals, and one frame of a zoom, against ECharts and Chart.js in one run.
// The data stand in each page as the same JSON. "ms" is the time on the clock from the start of the page's script; "best" is its
// least disturbed round. "CPU" is what the main thread itself worked, which other programs on the machine change less.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { signalsOf } from '@vehicle-data/client/series';
import { chromium, type Page } from 'playwright-core';
import { tripPageHtml } from '../dist/index.js';
import { madeTrip } from '../test/made-trips.ts';
import { peerScripts } from './install-peers.ts';

const rounds = Number(process.argv[2] ?? 7);
const samples = 100_000;
const zooms = 24;
const { echarts, chartjs } = peerScripts();
const trip = madeTrip('driving', '2026-03-04T06:00:00.000Z', samples, 1);
const record = { vehicle: 'Car', series: 'driving' as const, trip, usualStepMs: 1000 };
const explorer = tripPageHtml({ title: 'Bench', zone: 'UTC', source: { kind: 'embedded', records: [record] } });

/** Notes when the script begins. */
const begin = "<script>window.benchWindow={};performance.mark('begin')</script>";

const drawings = readFileSync(new URL('peer-pages.js', import.meta.url), 'utf8');

function peerPage(library: string, draw: 'drawWithECharts' | 'drawWithChartJs'): string {
  const json = JSON.stringify(trip).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html><html lang="en"><title>Peer</title><body><script type="application/json" id="config">${json}</script>
<script>${library.replaceAll('</script', '<\\/script')}</script><script>${drawings}</script>${begin}
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

const folder = mkdtempSync(join(tmpdir(), 'lanes-bench-'));
const pages: Readonly<Record<string, string>> = {
  'trip-view': explorer,
  ECharts: peerPage(echarts, 'drawWithECharts'),
  'Chart.js': peerPage(chartjs, 'drawWithChartJs'),
};
for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), html);

interface Measured {
  /** Milliseconds until the first lanes, of the main thread until then, of each frame of a zoom, and of the main thread in it. */
  readonly first: number[];
  readonly load: number[];
  readonly frames: number[];
  readonly frame: number[];
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const measured = new Map(Object.keys(pages).map((name): [string, Measured] => [name, newMeasured()]));
try {
  for (let round = 0; round < rounds; round += 1)
    // The first round warms up.
    for (const [name, to] of measured) await measure(name, round > 0 ? to : newMeasured());
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

const size = gzipSync(tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } })).length;
console.log(
  `${samples.toLocaleString('en-US')} samples of 11 signals, ${rounds - 1} rounds, medians; Node ${process.version}
| page | first lanes, ms | best | ÷ ECharts | load, CPU ms | ÷ ECharts | zoom frame, ms | zoom frame, CPU ms |
|---|--:|--:|--:|--:|--:|--:|--:|`,
);
const peer = measured.get('ECharts') ?? newMeasured();
for (const [name, { first, load, frames, frame }] of measured) {
  const [ready, cpu] = [median(first), median(load)];
  const loading = [ready, Math.min(...first)].map((ms) => ms.toFixed(0));
  const ratios = [ready / median(peer.first), cpu / median(peer.load)].map((ratio) => ratio.toFixed(2));
  const zoom = [frames, frame].map((ms) => median(ms).toFixed(1));
  console.log(`| ${[name, ...loading, ratios[0], cpu.toFixed(0), ratios[1], ...zoom].join(' | ')} |`);
}
const kilobytes = [size, gzipSync(echarts).length, gzipSync(chartjs).length].map((bytes) => (bytes / 1000).toFixed(1));
console.log(
  `page without data: ${kilobytes[0]} kB compressed; ECharts ${kilobytes[1]} kB, Chart.js ${kilobytes[2]} kB`,
);

function newMeasured(): Measured {
  return { first: [], load: [], frames: [], frame: [] };
}

async function measure(name: string, to: Measured): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, offline: true });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('lanes').length > 0);
  const ready = await page.evaluate(() => {
    const [begin, lanes] = ['begin', 'lanes'].map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? 0);
    return (lanes ?? 0) - (begin ?? 0);
  });
  await page.waitForTimeout(400);
  const load = await worked();
  to.first.push(ready);
  to.load.push(load);
  to.frames.push(...(await zoomFrames(page)));
  to.frame.push(((await worked()) - load) / zooms);
  await context.close();
}

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
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const took: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await frame();
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
