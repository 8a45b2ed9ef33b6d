// A program that does one thing to an archive, to be killed: node steps.ts STEP FOLDER
import { openArchive, repairArchive } from '@vehicle-data/archive';
import { now, vin } from '../synthetic-source.ts';
import { sayLine, toldFiles } from './killed-program.ts';

export const allSteps = ['merge', 'migrate', 'repair', 'purge', 'withdraw'] as const;
export type Step = (typeof allSteps)[number];

/** Does it, and says each step on the disk. */
export async function doStep(step: Step, folder: string, say: (line: string) => void): Promise<void> {
  const open = { folder, now: () => now, files: toldFiles(say) };
  if (step === 'repair') return void (await repairArchive(open));
  // Opening migrates.
  await using archive = await openArchive(open);
  if (step === 'merge') await archive.mergeMonths();
  if (step === 'purge') await archive.purge({ vin: vin(2) });
  // Two at once.
  if (step === 'withdraw') await archive.reconcile({ brand: 'brand_a', vins: [vin(1)], confirmPurge: 2 });
}

if (import.meta.main) {
  const [, , wanted, folder = ''] = process.argv;
  const step = allSteps.find((one) => one === wanted);
  if (step === undefined) throw new Error(`no such step: ${wanted}`);
  await doStep(step, folder, sayLine);
}
