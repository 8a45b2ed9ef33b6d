// A program that exports, to be killed: node exporting.ts FOLDER CALLS-FILE
import { appendFileSync } from 'node:fs';
import { createArchive } from '@vehicle-data/archive';
import { now, syntheticWindow, vehiclesOf } from '../synthetic-source.ts';

const [folder = '', calls = ''] = process.argv.slice(2);
process.stdout.write('started\n');
await using archive = await createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => now });
await archive.export({
  vehicles: vehiclesOf(1, 2),
  from: '2026-01-01',
  to: '2026-02-28',
  concurrency: 2,
  readWindow: async (window) => {
    appendFileSync(calls, `${window.vin} ${window.series} ${window.startDate}\n`);
    await new Promise((done) => setTimeout(done, 2));
    return syntheticWindow(window);
  },
});
