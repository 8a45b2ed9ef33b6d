// First lanes of a trip of 100,000 samples of 11 signals, and one frame of a zoom, against ECharts and Chart.js in one run.
// The data stand in each page as the same JSON. "ms" is the time on the clock from the start of the page's script; "best" is its
// least disturbed round. "CPU" is what the main thread itself worked, which other programs on the machine change less.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { signalsOf } from '@vehicle-data/client/series';
import { type Browser, chromium, type Page } from 'playwright-core';
import { tripPageHtml } from '../dist/index.js';
import { madeTrip } from '../test/made-trips.ts';
import { peerScripts } from './install-peers.ts';
import { drawWithChartJs, drawWithECharts } from './peer-pages.ts';

const rounds = Number(process.argv[2] ?? 7);
const samples = 100_000;
const zooms = 24;
const { echarts, chartjs } = peerScripts();
const trip = madeTrip('driving', '2026-03-04T06:00:00.000Z', samples, 1);
const record = { vehicle: 'Car', series: 'driving' as const, trip, usualStepMs: 1000 };
const explorer = tripPageHtml({ title: 'Bench', zone: 'UTC', source: { kind: 'embedded', records: [record] } });

/** Notes when the script begins, and that the first lanes are on the screen. */
const begin = '<script>window.benchWindow={};window.begun=performance.now()</script>';

function peerPage(library: string, draw: () => void): string {
  const json = JSON.stringify(trip).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html><html lang="en"><title>Peer</title><body><script type="application/json" id="config">${json}</script>
<script>${library.replaceAll('</script', '<\\/script')}</script>${begin}
<script>
const trip=JSON.parse(document.getElementById('config').textContent);
const rules=${JSON.stringify(signalsOf('driving'))};
window.lines=Object.entries(rules).map(([name,rule])=>{
  const values=name.split('.').reduce((at,key)=>at[key],trip);
  return {name,step:rule.kind!=='number',values:rule.kind==='number'?values:values.map((value)=>rule.values.indexOf(value))};
});
(${draw})();
requestAnimationFrame(()=>{const c=new MessageChannel();c.port1.onmessage=()=>{benchWindow.ready=performance.now()-begun};c.port2.postMessage(0)});
</script>`;
}

const folder = mkdtempSync(join(tmpdir(), 'lanes-bench-'));
const pages: Readonly<Record<string, string>> = {
  'trip-view': explorer,
  ECharts: peerPage(echarts, drawWithECharts),
  'Chart.js': peerPage(chartjs, drawWithChartJs),
};
for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), html);

const browser: Browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const first = new Map<string, number[]>();
const frames = new Map<string, number[]>();
const loadCpu = new Map<string, number[]>();
const frameCpu = new Map<string, number[]>();
const add = (to: Map<string, number[]>, name: string, values: readonly number[]) =>
  to.set(name, [...(to.get(name) ?? []), ...values]);
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(pages)) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, offline: true });
      const page = await context.newPage();
      const { ready, zoom, cpu } = await measure(page, name);
      if (round > 0) {
        add(first, name, [ready]);
        add(frames, name, zoom);
        add(loadCpu, name, [cpu.load]);
        add(frameCpu, name, [cpu.frame]);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

const size = gzipSync(tripPageHtml({ title: 'Trips', source: { kind: 'embedded', records: [] } })).length;
console.log(
  `${samples.toLocaleString('en-US')} samples of 11 signals, ${rounds - 1} rounds, medians; Node ${process.version}`,
);
console.log(
  '| page | first lanes, ms | best | ÷ ECharts | load, CPU ms | ÷ ECharts | zoom frame, ms | zoom frame, CPU ms |\n|---|--:|--:|--:|--:|--:|--:|--:|',
);
for (const name of Object.keys(pages)) {
  const row = [first, loadCpu].flatMap((found) => {
    const [own, peer] = [median(found.get(name)), median(found.get('ECharts'))];
    const best = found === first ? [Math.min(...(found.get(name) ?? [])).toFixed(0)] : [];
    return [own.toFixed(0), ...best, (own / peer).toFixed(2)];
  });
  const zoom = [frames, frameCpu].map((found) => median(found.get(name)).toFixed(1));
  console.log(`| ${[name, ...row, ...zoom].join(' | ')} |`);
}
console.log(
  `page without data: ${(size / 1000).toFixed(1)} kB compressed; ECharts ${(gzipSync(echarts).length / 1000).toFixed(0)} kB, Chart.js ${(gzipSync(chartjs).length / 1000).toFixed(0)} kB`,
);

interface Measured {
  readonly ready: number;
  readonly zoom: readonly number[];
  readonly cpu: { readonly load: number; readonly frame: number };
}

async function measure(page: Page, name: string): Promise<Measured> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: 'commit' });
  await page.waitForFunction(() => {
    const { benchWindow } = window as unknown as { benchWindow?: { ready?: number } };
    return benchWindow?.ready !== undefined || performance.getEntriesByName('lanes').length > 0;
  });
  const ready = await page.evaluate(() => {
    const { benchWindow } = window as unknown as { benchWindow?: { ready?: number } };
    const at = (mark: string) => performance.getEntriesByName(mark)[0]?.startTime ?? 0;
    return benchWindow?.ready ?? at('lanes') - at('begin');
  });
  await page.waitForTimeout(400);
  const load = await worked();
  const zoom = await page.evaluate(async (count) => {
    const { benchWindow } = window as unknown as { benchWindow?: { zoomTo?: (from: number, to: number) => void } };
    const overlay = document.querySelector('.overlay');
    const box = overlay?.getBoundingClientRect();
    const turn = (index: number) => {
      const width = 0.92 ** (index + 1);
      if (benchWindow?.zoomTo) return benchWindow.zoomTo(0.4 * (1 - width), 0.4 * (1 - width) + width);
      overlay?.dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: -1,
          ctrlKey: true,
          bubbles: true,
          cancelable: true,
          clientX: (box?.left ?? 0) + (box?.width ?? 0) * 0.4,
        }),
      );
    };
    const took: number[] = [];
    for (let index = 0; index < count; index += 1) {
      took.push(
        await new Promise<number>((resolve) => {
          requestAnimationFrame(() => {
            const start = performance.now();
            turn(index);
            // What draws in the frame after the event draws in the next one.
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              const second = performance.now();
              channel.port1.onmessage = () => resolve(performance.now() - second + (done - start));
              channel.port2.postMessage(0);
            });
            const done = performance.now();
          });
        }),
      );
    }
    return took;
  }, zooms);
  return { ready, zoom, cpu: { load, frame: ((await worked()) - load) / zooms } };
}

function median(values: readonly number[] = []): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[] = [], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}
