// A program that exports, to be killed: node exporting.ts FOLDER
import { createArchive } from '@vehicle-data/archive';
import { now, syntheticWindow, vehiclesOf } from '../synthetic-source.ts';
import { sayLine, toldFiles } from './killed-program.ts';

/** Exports, and says each step and each window that it fetches. */
export async function exportTrips(folder: string, say: (line: string) => void): Promise<void> {
  const files = toldFiles(say);
  await using archive = await createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => now, files });
  await archive.export({
    vehicles: vehiclesOf(1, 2),
    from: '2026-01-01',
    to: '2026-01-31',
    concurrency: 2,
    readWindow: async (window) => {
      say(`fetched ${window.vin} ${window.series} ${window.startDate}`);
      return syntheticWindow(window);
    },
  });
}

if (import.meta.main) await exportTrips(process.argv[2] ?? '', sayLine);
