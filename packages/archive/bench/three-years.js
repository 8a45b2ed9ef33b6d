// Resident memory of an export of three years of one vehicle, in megabytes, as `vds` runs it: node bench/three-years.js
// With Node's own way of growing the space for new objects: node bench/three-years.js --growing
// Every month has the trips of February 2026, moved to its own days. A program of its own makes them, so that the memory of the
// sandbox does not count. In JavaScript, since Node needs 20 MB more to read TypeScript.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createArchive } from '@vehicle-data/archive';

const isGrowing = process.argv.includes('--growing');
if (!isGrowing) setFlagsFromString('--semi-space-growth-factor=1');
const root = await mkdtemp(join(tmpdir(), 'bench-'));
execFileSync(process.execPath, [fileURLToPath(new URL('month.ts', import.meta.url)), root]);
console.log(
  `node bench/three-years.js${isGrowing ? ' --growing' : ''}\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}\n`,
);
const peaks = [];
let peak = 0;
const before = process.memoryUsage.rss();
const startedAt = performance.now();
const archive = await createArchive({ folder: join(root, 'archive'), source: 'bench' });
try {
  const report = await archive.export({
    vehicles: [{ brand: 'brand_a', vin: 'TESTVEHICLE000001' }],
    from: '2023-01-01',
    to: '2025-12-31',
    concurrency: 2,
    async readWindow({ series, startDate }) {
      const text = await readFile(join(root, `${series}-${startDate.slice(6)}.json`), 'utf8');
      const trips = JSON.parse(text);
      const month = `${startDate.slice(0, 4)}-${startDate.slice(4, 6)}`;
      for (const trip of trips) trip.triggerStartTime = trip.triggerStartTime.replace('2026-02', month);
      return trips;
    },
    onProgress({ windowsDone, windowsTotal }) {
      peak = Math.max(peak, process.memoryUsage.rss());
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
    'highest resident MB of each sixth': peaks,
    'highest of all, by the system': Math.round(process.resourceUsage().maxRSS / 1e3),
  });
} finally {
  await archive.close();
  await rm(root, { recursive: true, force: true });
}
