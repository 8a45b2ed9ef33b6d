// `npm test` after the setup: runs every task of the workspace, then shows one table, what was skipped and why, and last what failed and where
// to read about it. `npm test -- packages/client retries` runs the test files of one package whose names contain the word.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';
import { testOne } from './test-one.js';

/**
 * @typedef {{ taskId: string, task: string, directory: string, logFile: string, cache: { status: string },
 *   execution?: { startTime: number, endTime: number, exitCode: number | null } }} Task
 * @typedef {{ passed: number, failed: number, skipped: number, processorSeconds?: number,
 *   failures: { file: string, name: string, message: string }[], skips: { file: string, name: string, reason: string }[] }} Report
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const startedMs = Date.now();
const runs = `${root}.turbo/runs`;
const before = new Set(existsSync(runs) ? readdirSync(runs) : []);

const given = process.argv.slice(2);
if (given[0] !== undefined && !given[0].startsWith('-')) await testOne(given[0], given.slice(1));
// `test:repeat` runs every test each time, and builds only what has changed.
const onlyTests = given.includes('--only-tests');
const tasks = onlyTests ? ['test'] : ['build', 'lint', 'typecheck', 'test'];
// What does not depend on a failure still runs, so that one run shows every failure.
const options = [
  '--concurrency=2',
  '--continue=dependencies-successful',
  '--summarize',
  ...given.filter((each) => each !== '--only-tests'),
];
const env = {
  ...process.env,
  ...temporaryFolder(),
  TURBO_TELEMETRY_DISABLED: '1',
  NODE_COMPILE_CACHE: `${root}node_modules/.cache/node`,
  // The compiler, which is written in Go, ends before it needs memory again: collecting it takes a third of its time.
  GOGC: 'off',
  GOMEMLIMIT: '1GiB',
};
if (onlyTests) {
  const built = spawnSync('turbo', ['run', 'build', '--concurrency=2'], { cwd: root, env, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  options.push('--only', '--force');
}
const turbo = spawn('turbo', ['run', ...tasks, ...options], { cwd: root, env, stdio: 'inherit' });
// Turbo ends its tasks when it is told to end, and says with 0 that none of them failed; the table of what was done follows.
/** @type {NodeJS.Signals | undefined} */
let endedBy;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    endedBy ??= signal;
    turbo.kill('SIGTERM');
  });
/** @type {number} */
const exitCode = await new Promise((resolve, reject) => {
  turbo.once('error', reject);
  turbo.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
});

/** @type {<T>(file: string) => T} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const name = existsSync(runs) ? readdirSync(runs).find((file) => !before.has(file)) : undefined;
if (name === undefined) {
  console.error(`turbo ended with code ${exitCode} and wrote no summary`);
  process.exit(exitCode || 1);
}
const summary = /** @type {{ tasks: Task[], execution: { attempted: number } }} */ (readJson(`${runs}/${name}`));

/** What vitest wrote in this run, or in the one whose result turbo replays. @type {(task: Task) => Report | undefined} */
const reportOf = ({ task, directory, cache, execution }) => {
  const file = `${root}${directory}/.cache/tests.json`;
  if (task !== 'test' || execution === undefined || !existsSync(file)) return undefined;
  // One from an earlier run says nothing about this one.
  return cache.status === 'HIT' || statSync(file).mtimeMs >= execution.startTime ? readJson(file) : undefined;
};
const shown = summary.tasks.map((task) => ({ task, report: reportOf(task) }));
const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(1);

console.log('\n  seconds  processor  passed  skipped  task');
for (const { task, report } of shown) {
  const { cache, execution } = task;
  if (execution === undefined) continue;
  const time = cache.status === 'HIT' ? 'cached' : seconds(execution.endTime - execution.startTime);
  const processor = cache.status === 'HIT' ? undefined : report?.processorSeconds?.toFixed(1);
  const counts = [report?.passed ?? '', report?.skipped ?? ''].map(String);
  const red = execution.exitCode === 0 || cache.status === 'HIT' ? '' : '  FAILED';
  console.log(
    `${time.padStart(9)}${(processor ?? '').padStart(11)}${counts[0]?.padStart(8)}${counts[1]?.padStart(9)}  ${task.taskId}${red}`,
  );
}
console.log(`  ${seconds(Date.now() - startedMs)} seconds in all${processorMinutes()}`);

/** Processor time of all that this process has started and waited for, where the system tells it. */
function processorMinutes() {
  if (process.platform !== 'linux') return '';
  // After the name of the program, which may hold spaces: fields 16 and 17 of proc(5), in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const minutes = (Number(fields[13]) + Number(fields[14])) / 6000;
  return `, ${minutes.toFixed(1)} processor minutes`;
}

const withSkips = shown.filter(({ report }) => report !== undefined && report.skips.length > 0);
if (withSkips.length > 0) console.log('\nSkipped:');
for (const { task, report } of withSkips) {
  const skips = report?.skips ?? [];
  for (const [index, { file, name, reason }] of skips.entries()) {
    console.log(`  ${task.directory}/${file}: ${name}`);
    if (skips[index + 1]?.reason !== reason) console.log(`    why: ${reason}`);
  }
}

const failed = shown.filter(({ task }) => task.execution !== undefined && task.execution.exitCode !== 0);
if (exitCode !== 0) console.log('\nFailed:');
for (const { task, report } of failed) {
  console.log(`  ${task.taskId}; log: ${task.logFile}`);
  for (const { file, name, message } of report?.failures ?? []) {
    console.log(`    ${task.directory}/${file}: ${name}`);
    if (message !== '') console.log(`      ${message}`);
  }
}
const { attempted } = summary.execution;
const notDone = attempted - summary.tasks.filter(({ execution }) => execution !== undefined).length;
if (endedBy !== undefined || notDone > 0)
  console.log(
    `\nEnded${endedBy === undefined ? '' : ` by ${endedBy}`}: ${notDone} of ${attempted} tasks were not done.`,
  );
process.exitCode = endedBy === undefined ? exitCode || Math.min(notDone, 1) : 128 + constants.signals[endedBy];
