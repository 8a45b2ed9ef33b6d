// Plays a whole release against a throw-away registry: `npm run rehearse-release`. `--keep` leaves the folder behind.
import { createRehearsalFolder } from '../src/rehearsal/rehearsal-folder.ts';
import { rehearse } from '../src/rehearsal/rehearse.ts';

const folder = await createRehearsalFolder();
try {
  await rehearse(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) console.log(`kept ${folder.path}`);
  else await folder.remove();
}
