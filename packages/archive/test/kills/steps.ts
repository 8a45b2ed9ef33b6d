// A program that does one thing to an archive, to be killed: node steps.ts STEP FOLDER
import { openArchive, repairArchive } from '@vehicle-data/archive';
import { now, vin } from '../synthetic-source.ts';

const [step = '', folder = ''] = process.argv.slice(2);
const open = { folder, now: () => now };
process.stdout.write('started\n');
if (step === 'repair') await repairArchive(open);
else {
  // Opening migrates.
  await using archive = await openArchive(open);
  if (step === 'merge') await archive.mergeMonths();
  if (step === 'purge') await archive.purge({ vin: vin(2) });
  // Two at once.
  if (step === 'withdraw') await archive.reconcile({ brand: 'brand_a', vins: [vin(1)], confirmPurge: 2 });
}
