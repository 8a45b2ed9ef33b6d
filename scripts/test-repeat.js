// `npm run test:repeat -- 20 --busy 2`: whole runs of the tests one after the other, to find tests that fail now and then. With `--busy`, so many
// loops take the processor meanwhile. Builds, lint and types are replayed where nothing has changed; every test runs each time.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '0' }, filter: { type: 'string', multiple: true, default: [] } },
});
const [times, busy] = [Number(positionals[0]), Number(values.busy)];
if (!Number.isInteger(times) || times < 1 || !Number.isInteger(busy) || busy < 0 || positionals.length > 1) {
  console.error('usage: npm run test:repeat -- <runs> [--busy <loops>] [--filter <package>]...');
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.turbo/repeat`;
mkdirSync(folder, { recursive: true });
const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const stopLoops = () => {
  for (const loop of loops) loop.kill('SIGKILL');
};
process.on('exit', stopLoops);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(128 + constants.signals[signal]));

const run = (/** @type {string[]} */ args, /** @type {number | 'inherit'} */ output) =>
  spawnSync(process.execPath, [`${root}scripts/test.js`, ...args], { cwd: root, stdio: ['ignore', output, output] });
const filters = values.filter.map((name) => `--filter=${name}`);
let red = 0;
for (let turn = 1; turn <= times; turn++) {
  const log = `${folder}/run-${turn}.log`;
  const { status, signal } = run(['--only-tests', ...filters], openSync(log, 'w'));
  // Ctrl-C reaches the run, too, and is no failure of a test.
  if (signal === 'SIGINT' || status === 130) process.exit(130);
  const text = readFileSync(log, 'utf8');
  const total = /^ {2}(\S+ seconds in all.*)$/m.exec(text)?.[1] ?? '';
  console.log(`${turn} of ${times}: ${status === 0 ? 'green' : `red, log: ${log}`}; ${total}`);
  if (status === 0) continue;
  red++;
  console.log(text.slice(Math.max(0, text.lastIndexOf('\nFailed:'))).trim());
}
console.log(`${times - red} green, ${red} red, with ${busy} busy loops beside`);
process.exitCode = red === 0 ? 0 : 1;
