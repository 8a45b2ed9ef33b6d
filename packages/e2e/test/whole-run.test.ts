// `npm test` of a small workspace: a run that was ended before its tests were is not green, and `test:repeat` ends with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository, run, temporaryFolder } from './apps.ts';

const scripts = ['test.js', 'test-repeat.js', 'test-one.js', 'temporary-folder.js'];
const task = { cache: false };
const endless = `console.log('begun'); setTimeout(() => {}, 200_000)`;
const stops: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A workspace of one package with this test, and the scripts of the repository. */
async function workspaceWith(testScript: string) {
  const folder = await temporaryFolder();
  const write = (file: string, content: object | string) =>
    writeFile(`${folder}/${file}`, typeof content === 'string' ? content : JSON.stringify(content));
  await mkdir(`${folder}/only`);
  for (const script of scripts) await cp(`${repository}/scripts/${script}`, `${folder}/scripts/${script}`);
  // Of npm: pnpm would look for its own version first.
  const workspace = { packageManager: 'npm@10.0.0', workspaces: ['only'] };
  await write('package.json', { name: 'small', private: true, type: 'module', ...workspace });
  await write('turbo.json', { ui: 'stream', tasks: { build: task, lint: task, typecheck: task, test: task } });
  await write('only/package.json', { name: 'only', version: '1.0.0', scripts: { test: `node -e "${testScript}"` } });
  await write('.gitignore', '.turbo\n');
  await run('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

/** Starts a script there, in a group of its own as in a terminal, which is killed when the test has finished. */
function start(folder: string, script: string, ...args: readonly string[]) {
  const PATH = `${repository}/node_modules/.bin:${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { PATH, HOME: folder, TMPDIR: process.env['TMPDIR'] };
  const child = spawn(process.execPath, [`scripts/${script}`, ...args], { cwd: folder, env, detached: true });
  onTestFinished(() => endGroup(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  return { child, printed: () => printed, exit: once(child, 'exit') as Promise<[number | null, string | null]> };
}

function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

test('a run is green when its tests are, and red when one of them is', async () => {
  const green = start(await workspaceWith('console.log(1)'), 'test.js');
  expect([...(await green.exit), green.printed()]).toEqual([0, null, expect.stringMatching(/ seconds in all.*\n$/)]);
  const red = start(await workspaceWith('process.exit(3)'), 'test.js');
  expect([...(await red.exit), red.printed()]).toEqual([
    3,
    null,
    expect.stringMatching(/\nFailed:\n {2}only#test; log/),
  ]);
});

test.each(stops)('a run that %s ends before its tests are done is not green', async (signal) => {
  const { child, printed, exit } = start(await workspaceWith(endless), 'test.js');
  await expect.poll(printed).toContain('begun\n');
  child.kill(signal);
  expect((await exit)[0]).toBeGreaterThan(128);
  expect(printed()).toMatch(new RegExp(`\\nEnded by ${signal}: 1 of 1 tasks were not done\\.\\n$`));
});

test('Ctrl-C in a terminal, which all of a run hears, ends it as not green', async () => {
  const { child, printed, exit } = start(await workspaceWith(endless), 'test.js');
  await expect.poll(printed).toContain('begun\n');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect((await exit)[0]).toBe(130);
  expect(printed()).toMatch(/\nEnded by SIGINT: /);
});

const isLinux = process.platform === 'linux';
if (!isLinux)
  console.log('A run whose turbo someone else ends is not tested here: only Linux tells which process it is.');
test.skipIf(!isLinux)('a run whose turbo is ended by someone else is not green', async () => {
  const { child, printed, exit } = start(await workspaceWith(endless), 'test.js');
  await expect.poll(printed).toContain('begun\n');
  const turbo = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  process.kill(Number(turbo.trim()), 'SIGTERM');
  expect((await exit)[0]).toBe(1);
  expect(printed()).toMatch(/\nEnded: 1 of 1 tasks were not done\.\n$/);
});

test.each(stops)('%s ends the runs of `test:repeat`, of which none begins afterwards', async (signal) => {
  const folder = await workspaceWith(`require('fs').appendFileSync('../begun', '1'); setTimeout(() => {}, 200_000)`);
  const { child, printed, exit } = start(folder, 'test-repeat.js', '3');
  const begun = async () => (await run('sh', ['-c', 'cat begun || true'], { cwd: folder })).stdout;
  await expect.poll(begun).toBe('1');
  child.kill(signal);
  expect((await exit)[0]).toBeGreaterThan(128);
  expect([await begun(), printed()]).toEqual(['1', expect.not.stringContaining('green')]);
});

test.skipIf(!isLinux)('runs of `test:repeat` beside busy loops end, and the loops with them', async () => {
  const folder = await workspaceWith('console.log(1)');
  const { child, printed, exit } = start(folder, 'test-repeat.js', '1', '--busy', '1');
  const childrenOf = () => readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  await expect.poll(childrenOf).toMatch(/^\d+ /);
  const [loop = ''] = (await childrenOf()).split(' ');
  expect(await readFile(`/proc/${loop}/cmdline`, 'utf8')).toContain('for (;;);');
  expect((await exit)[0]).toBe(0);
  expect(printed()).toContain('1 green, 0 red, with 1 busy loops beside\n');
  await expect.poll(() => readFile(`/proc/${loop}/cmdline`, 'utf8').catch(() => '')).toBe('');
});
