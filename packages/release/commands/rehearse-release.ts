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
async function outside(): Promise<Readonly<Record<string, string>>> {
  const cwd = repositoryFolder;
  return {
    'the work tree': await runOrFail('git', ['status', '--porcelain'], { cwd }),
    'the tags': await runOrFail('git', ['tag', '--list'], { cwd }),
    '~/.npmrc': await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => ''),
    'the home folder': (await readdir(homedir())).join('\n'),
  };
}

const before = await outside();
const steps = new Steps((line) => console.log(line));
const folder = await RehearsalFolder.create();
try {
  await rehearse(folder, steps);
  await steps.run('nothing outside the folder has changed', async () => {
    const after = await outside();
    const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) throw new Error(`changed meanwhile: ${changed.join(', ')}`);
  });
  console.log(`rehearsed in ${steps.total()} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (process.argv.includes('--keep')) console.log(`kept ${folder.path}`);
  else await folder.remove();
}
