// Memory of an export of three years of one vehicle: node --expose-gc bench/three-years.ts
// Every month has the trips of February 2026, moved to its own days.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createArchive } from '@vehicle-data/archive';

type Trip = { readonly triggerStartTime: string };

// In a process of its own, so that the sandbox's memory does not count.
const month = fileURLToPath(new URL('month.ts', import.meta.url));
const read = (series: string): readonly Trip[] =>
  JSON.parse(execFileSync(process.execPath, [month, series], { encoding: 'utf8', maxBuffer: 2 ** 28 }));
/** The response of each window of a month, by series and first day. */
const windows = new Map(
  ['driving', 'powertrain'].flatMap((series) => {
    const trips = read(series);
    const firstDays = ['01', '09', '17', '25', '99'];
    return firstDays.slice(0, -1).map((first, index) => {
      const next = firstDays[index + 1] ?? '';
      const own = trips.filter(({ triggerStartTime: time }) => time.slice(8, 10) >= first && time.slice(8, 10) < next);
      return [`${series} ${first}`, JSON.stringify(own)] as const;
    });
  }),
);
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const peaks: number[] = [];
let peak = 0;
globalThis.gc?.();
const before = process.memoryUsage().rss;
const startedAt = performance.now();
const archive = await createArchive({ folder, source: 'bench' });
try {
  const report = await archive.export({
    vehicles: [{ brand: 'brand_a', vin: 'TESTVEHICLE000001' }],
    from: '2023-01-01',
    to: '2025-12-31',
    concurrency: 2,
    async readWindow({ series, startDate }) {
      const text = windows.get(`${series} ${startDate.slice(6)}`) ?? '[]';
      return JSON.parse(text.replaceAll('"2026-02', `"${startDate.slice(0, 4)}-${startDate.slice(4, 6)}`));
    },
    onProgress({ windowsDone, windowsTotal }) {
      peak = Math.max(peak, process.memoryUsage().rss);
      if (windowsDone % Math.ceil(windowsTotal / 6) === 0) {
        peaks.push(Math.round(peak / 1e6));
        peak = 0;
      }
    },
  });
  console.log({
    trips: report.trips,
    windows: report.windowsFetched,
    seconds: Number(((performance.now() - startedAt) / 1_000).toFixed(1)),
    megabytes: Number((report.bytes / 1e6).toFixed(1)),
    'resident MB before': Math.round(before / 1e6),
    'highest resident MB of each half year': peaks,
  });
} finally {
  await archive.close();
  await rm(folder, { recursive: true, force: true });
}
