// How long the pages of the site keep the main thread busy, from the first paint until five seconds after the load event: of each task
// longer than 50 ms, what is above 50 ms. Once by the clock, and once by the processor time of the thread, which says what a machine
// without other work would need. The median of three tries, each with an empty cache.
// `node bench/main-thread.ts [--dist folder] [--tries 3] [path …]`: without paths, every page.
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { serveSite, startBrowser } from './site.ts';

const { values, positionals } = parseArgs({
  options: {
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    tries: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});

/** An event of the trace format of Chromium. Times are microseconds; `tdur` is processor time. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** What one visit blocks, in milliseconds. */
interface Blocked {
  readonly clock: number;
  readonly processor: number;
}

/** Milliseconds above 50 of each task of the thread that paints first, from that paint on. */
function blockedOf(events: readonly TraceEvent[]): Blocked {
  const paint = events.find(({ name }) => name === 'firstContentfulPaint');
  if (paint === undefined) throw new Error('the trace has no first paint');
  const tasks = events.filter(
    ({ name, pid, tid, ts, dur = 0 }) =>
      name.endsWith('RunTask') && pid === paint.pid && tid === paint.tid && ts + dur > paint.ts,
  );
  const above = (ms: number) => Math.max(0, ms - 50);
  return {
    clock: tasks.reduce((sum, { ts, dur = 0 }) => sum + above((ts + dur - Math.max(ts, paint.ts)) / 1000), 0),
    processor: tasks.reduce((sum, { tdur = 0 }) => sum + above(tdur / 1000), 0),
  };
}

/** One visit of a page by a reader who has never been here. */
async function visit(browser: Browser, address: string): Promise<Blocked> {
  const page = await browser.newPage();
  await browser.startTracing(page, { categories: ['toplevel', 'loading', 'devtools.timeline', 'blink.user_timing'] });
  await page.goto(address, { waitUntil: 'load' });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5000)));
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  await page.close();
  return blockedOf(trace.traceEvents);
}

const every = (await readdir(values.dist, { recursive: true }))
  .filter((file) => file === 'index.html' || file.endsWith('/index.html'))
  .map((file) => file.slice(0, -'index.html'.length));
const { site, close } = await serveSite(values.dist);
const browser = await startBrowser();
const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const rows: { path: string; clock: number; processor: number }[] = [];
for (const path of positionals.length > 0 ? positionals : every) {
  const tries: Blocked[] = [];
  for (let left = Number(values.tries); left > 0; left--) tries.push(await visit(browser, site + path));
  rows.push({
    path,
    clock: median(tries.map(({ clock }) => clock)),
    processor: median(tries.map(({ processor }) => processor)),
  });
}
await browser.close();
close();
console.log('    clock  processor');
for (const { path, clock, processor } of rows.toSorted((one, other) => other.processor - one.processor))
  console.log(`${clock.toFixed(0).padStart(6)} ms  ${processor.toFixed(0).padStart(6)} ms  ${path || '(home)'}`);
