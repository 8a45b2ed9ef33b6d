// `npm run test:repeat -- 20 --busy 2`: whole runs of the tests one after the other, to find tests that fail now and then. With `--busy`, so many
// loops take the processor meanwhile. Builds, lint and types are replayed where nothing has changed; every test runs each time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
// This process ends when its runs have, and the loops with it.
for (const loop of loops) loop.unref();
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
/** @type {NodeJS.Signals | undefined} */
let endedBy;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    endedBy ??= signal;
    running?.kill(signal);
  });

/** @type {(args: string[], output: number) => Promise<unknown>} */
const run = async (args, output) => {
  running = spawn(process.execPath, [`${root}scripts/test.js`, ...args], {
    cwd: root,
    stdio: ['ignore', output, output],
  });
  const [code] = await once(running, 'exit');
  // What ends these runs ends the one under way, which is no failure of a test.
  if (endedBy !== undefined) process.exit(128 + constants.signals[endedBy]);
  return code;
};
const filters = values.filter.map((name) => `--filter=${name}`);
let red = 0;
const rows = [['run', 'result', 'seconds', 'processor minutes', 'red tests']];
/** The tests that a run names at its end, each in a line that begins with the path of its file. @type {(text: string) => string[]} */
const redTests = (text) =>
  [...text.slice(text.lastIndexOf('\nFailed:')).matchAll(/^ {4}(\S+\.test\.ts: .*)$/gm)].map(([, name = '']) => name);
for (let turn = 1; turn <= times; turn++) {
  const log = `${folder}/run-${turn}.log`;
  const status = await run(['--only-tests', ...filters], openSync(log, 'w'));
  const text = readFileSync(log, 'utf8');
  const [, seconds = '', minutes = ''] = /^ {2}(\S+) seconds in all(?:, (\S+) processor minutes)?/m.exec(text) ?? [];
  const result = status === 0 ? 'green' : 'red';
  console.log(`${turn} of ${times}: ${result}, ${seconds} seconds, ${minutes} processor minutes; log: ${log}`);
  rows.push([String(turn), result, seconds, minutes, redTests(text).join('; ')]);
  if (status === 0) continue;
  red++;
  console.log(text.slice(Math.max(0, text.lastIndexOf('\nFailed:'))).trim());
}
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
console.log();
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
console.log(`${times - red} green, ${red} red, with ${busy} busy loops beside`);
process.exitCode = red === 0 ? 0 : 1;
