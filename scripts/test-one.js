// `npm test -- packages/client retries`: builds what a package needs, and runs vitest in it, each time and on the terminal itself.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { delimiter, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** @type {(problem: string) => never} */
const stop = (problem) => {
  console.error(`${problem}\nusage: npm test -- <package> [<part of a file's name>]... [<options of vitest>]`);
  process.exit(2);
};

/**
 * Runs tests of one package, and ends the process with the exit code of vitest.
 *
 * @param {string} place The folder of a package, or a file or folder in it
 * @param {readonly string[]} more What vitest is told: parts of names of files, `-t` with a part of a test's name, other options
 * @returns {Promise<never>}
 */
export async function testOne(place, more) {
  const folders = globSync('{openapi,packages/*,apps/*}/vitest.config.ts', { cwd: root }).map(dirname).toSorted();
  const path = relative(root, resolve(root, place));
  const folder = folders.find((each) => path === each || path.startsWith(`${each}${sep}`));
  if (folder === undefined) return stop(`${place} is in no package with tests; these have some: ${folders.join(', ')}`);
  if (!existsSync(`${root}/${path}`)) return stop(`${place} does not exist`);
  const env = {
    ...process.env,
    ...temporaryFolder(),
    TURBO_TELEMETRY_DISABLED: '1',
    NODE_COMPILE_CACHE: `${root}/node_modules/.cache/node`,
    // The package's own vitest first: that of the root may be another copy, whose hooks are not those of the tests.
    PATH: [`${root}/${folder}/node_modules/.bin`, process.env['PATH']].join(delimiter),
  };
  /** @type {(program: string, args: readonly string[], cwd: string) => void} */
  const run = (program, args, cwd) => {
    const { status, error } = spawnSync(program, args, { cwd, env, stdio: 'inherit' });
    if (error) throw error;
    if (status !== 0) process.exit(status ?? 1);
  };
  run('turbo', ['run', 'build', `--filter={./${folder}}...`, '--concurrency=2', '--output-logs=errors-only'], root);
  const isFile = statSync(`${root}/${path}`).isFile();
  const within = path === folder ? [] : [`${relative(folder, path)}${isFile ? '' : sep}`];
  run('vitest', ['run', ...within, ...more], `${root}/${folder}`);
  process.exit();
}
