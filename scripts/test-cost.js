// `npm run test:cost -- packages/cli`: the processor time of each test file, alone and one after the other, the dearest first. Without a
// package, of all of them. What a start of vitest takes is in each, about a second; what a browser's own children take is not.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : globSync('{openapi,packages/*,apps/*}', { cwd: root }).toSorted();
const withTests = folders.filter((folder) => existsSync(`${root}/${folder}/vitest.config.ts`));
if (withTests.length === 0 || process.platform !== 'linux') {
  console.error('usage, on Linux: npm run test:cost -- [<folder of a package>]...');
  process.exit(2);
}

/** Seconds of the processor that children which have ended took: fields 16 and 17 of proc(5), in hundredths. */
function processorSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const env = { ...process.env, ...temporaryFolder(), NODE_COMPILE_CACHE: `${root}/node_modules/.cache/node` };
const rows = withTests.flatMap((folder) => {
  const cwd = `${root}/${folder}`;
  const PATH = [`${cwd}/node_modules/.bin`, process.env['PATH']].join(delimiter);
  return globSync('test/**/*.test.ts', { cwd }).map((file) => {
    const before = processorSeconds();
    const { status } = spawnSync('vitest', ['run', file], { cwd, env: { ...env, PATH }, stdio: 'ignore' });
    const row = { seconds: processorSeconds() - before, name: relative(root, `${cwd}/${file}`), isRed: status !== 0 };
    console.error(`${row.seconds.toFixed(1)} ${row.name}`);
    return row;
  });
});
console.log('\nseconds  file');
for (const { seconds, name, isRed } of rows.toSorted((one, other) => other.seconds - one.seconds))
  console.log(`${seconds.toFixed(1).padStart(7)}  ${name}${isRed ? '  RED' : ''}`);
console.log(
  `${rows
    .reduce((sum, { seconds }) => sum + seconds, 0)
    .toFixed(1)
    .padStart(7)}  in all`,
);
process.exitCode = rows.some(({ isRed }) => isRed) ? 1 : 0;
