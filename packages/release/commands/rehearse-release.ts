// Plays a whole release against a throw-away registry: `npm run rehearse-release`. `--keep` leaves the folder behind.
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { RehearsalFolder } from '../src/rehearsal/rehearsal-folder.ts';
import { rehearse } from '../src/rehearsal/rehearse.ts';
import { Steps } from '../src/rehearsal/steps.ts';
import { runOrFail } from '../src/run.ts';
import { repositoryFolder } from '../src/workspace.ts';

/** What a careless release tool would change: the work tree, the tags, the user's npm configuration and home. */
async function outside(): Promise<string> {
  const cwd = repositoryFolder;
  const parts = [
    await runOrFail('git', ['status', '--porcelain'], { cwd }),
    await runOrFail('git', ['tag', '--list'], { cwd }),
    await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => ''),
    (await readdir(homedir())).join('\n'),
  ];
  return parts.join('\0');
}

const before = await outside();
const steps = new Steps((line) => console.log(line));
const folder = await RehearsalFolder.create();
try {
  await rehearse(folder, steps);
  await steps.run('nothing outside the folder has changed', async () => {
    if ((await outside()) !== before)
      throw new Error('the repository, the npm configuration or the home folder is not what it was');
  });
  console.log(`rehearsed in ${steps.total()} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) console.log(`kept ${folder.path}`);
  else await folder.remove();
}
