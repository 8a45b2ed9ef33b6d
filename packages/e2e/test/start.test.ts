import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { afterChangeOf } from '../../../scripts/watch-sources.js';
import { repository, run, serve, stopProcess, temporaryFolder, writeVds } from './apps.ts';

const script = `${repository}/scripts/start.js`;
/** VDS_WHOLE_YEAR=1 is the long form: the README has its reader export a year, and asks about the first three months. Here the second one ends early. */
const isWholeYear = process.env['VDS_WHOLE_YEAR'] === '1';
const lastDay = isWholeYear ? '2025-12-31' : '2025-02-07';

// That of util-linux; others have other flags.
const hasTerminal = await run('script', ['--version']).then(
  ({ stdout }) => stdout.includes('util-linux'),
  () => false,
);
if (!hasTerminal) console.log('Not run in a terminal: the command script of util-linux is missing.');

/** Runs what `npm start` runs after the build, on ports of its own; within npm itself or in a terminal, too. */
function start(
  environment: Record<string, string> = {},
  { withNpm = false, inTerminal = false, isWatching = false } = {},
) {
  const command = [...(withNpm ? ['npm', 'start', '--'] : [process.execPath, script]), '--no-build'];
  if (isWatching) command.push('--watch');
  const shell = `echo "pid $$"; exec '${command.join("' '")}'`;
  const [file = '', ...args] = inTerminal && hasTerminal ? ['script', '-qec', shell, '/dev/null'] : command;
  const child = spawn(file, args, {
    cwd: repository,
    env: { PATH: process.env['PATH'], VDS_SANDBOX_PORT: '0', VDS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => stopProcess(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk));
  // After its exit, some of what it printed may still be on the way.
  const ended = once(child, 'close');
  /** Sends a signal to what was started: `npm`, or the script itself. */
  const kill = (signal: NodeJS.Signals) => process.kill(Number(/^pid (\d+)/.exec(text)?.[1] ?? child.pid), signal);
  /** Resolves once it has printed these words. */
  const said = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => text.includes(words) && resolve();
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      child.once('close', () => reject(new Error(`it ended: ${text}`)));
      look();
    });
  /** The addresses of sandbox and proxy, once both listen. */
  const addresses = async () => {
    await said('Ctrl-C stops both.');
    return [...text.matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map(([, address]) => String(address));
  };
  return { said, kill, ended, addresses, printed: () => text.replaceAll('\r', '') };
}

test('npm start prints three curl lines that work when pasted, one paste gives Parquet and an answer in SQL, and Ctrl-C stops both apps', {
  timeout: 300_000,
}, async () => {
  // What the docs have their reader export, in a shell where `npm start` may run next.
  const docs = ['packages/cli/README.md', 'openapi/guides/cli.md'].map((file) =>
    readFile(`${repository}/${file}`, 'utf8'),
  );
  const lines = [...(await Promise.all(docs)).join().matchAll(/^export VDS_.*$/gm)].join();
  const variables = [...lines.matchAll(/(VDS_\w+)=([^\s,]+)/g)];
  expect(variables.map(([, name]) => name)).toContain('VDS_BRAND');
  const settings = Object.fromEntries(variables.map(([, name, value]) => [name, value]));
  const started = start(settings, { inTerminal: true });
  const addresses = await started.addresses();
  const printed = started.printed();
  const curls = printed.split('\n').filter((line) => line.trim().startsWith('curl '));
  const responses = await Promise.all(curls.map((line) => run('bash', ['-c', line])));
  const [list = '', week = '', tooLong = '', ...others] = responses.map(({ stdout }) => stdout);
  expect(others).toEqual([]);
  expect(JSON.parse(list)).toMatchObject({ meta: { code: 200 } });
  expect(week).toContain('"triggerStartTime"');
  expect(week.length).toBe(2000);
  expect(JSON.parse(tooLong)).toMatchObject({ error: { code: '4002' } });
  const pages = /^Docs +(http:\S+)/m.exec(printed)?.[1];
  expect(await (await fetch(String(pages))).text()).toContain('Vehicle Data Service');

  const folder = await temporaryFolder();
  await writeVds(folder);
  const readme = await readFile(`${repository}/packages/cli/README.md`, 'utf8');
  const paste = String(/^## Two minutes[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(readme)?.[1]);
  expect(paste).toContain(' --from 2025-01-01 --to 2025-12-31 ');
  const { stdout } = await run('bash', ['--norc', '-ec', paste.replace('2025-12-31', lastDay)], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, VDS_BASE_URL: addresses[1] },
  });
  const firstMonths = ['2025-01', '2025-02', ...(isWholeYear ? ['2025-03'] : [])].map((month) => ({ month }));
  const months = stdout.trim().split('\n').slice(-firstMonths.length);
  expect(months.map((line): unknown => JSON.parse(line))).toMatchObject(firstMonths);

  started.kill('SIGINT');
  expect(await started.ended).toEqual([0, null]);
  expect(addresses).toHaveLength(2);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
});

test.for([
  { story: 'the script' },
  { story: 'npm', withNpm: true },
  { story: 'npm in a terminal', withNpm: true, inTerminal: true },
])('killing it stops both apps: $story', async ({ story, ...place }, { skip }) => {
  skip(place.inTerminal === true && !hasTerminal);
  const started = start({}, place);
  const addresses = await started.addresses();
  expect(addresses).toHaveLength(2);
  started.kill('SIGKILL');
  for (const address of addresses)
    await vi.waitFor(() => expect(fetch(address)).rejects.toThrow(), { timeout: 60_000, interval: 100 });
});

test.each(['VDS_SANDBOX_PORT', 'VDS_PORT'])('a busy port (%s) gives one clear line', async (variable) => {
  const { port } = new URL(await serve(() => undefined));
  const started = start({ [variable]: port });
  expect(await started.ended).toEqual([1, null]);
  expect(started.printed().trim().split('\n')).toHaveLength(1);
  expect(started.printed()).toMatch(/in use/);
});

test('npm start -- --help prints the options and starts nothing', async () => {
  const { stdout } = await run(process.execPath, [script, '--help']);
  expect(stdout).toContain('--no-build');
  expect(stdout).toContain('VDS_SANDBOX_PORT');
});

test('a missing tool gives one clear line', async () => {
  const checking = run(process.execPath, [`${repository}/scripts/check-tools.js`], { env: { PATH: '/nonexistent' } });
  const stderr = 'npx is needed and was not found on the PATH\n';
  await expect(checking).rejects.toMatchObject({ code: 1, stderr });
});

test('npm run dev serves the sources, and a saved source of the sandbox or the proxy at the same addresses', {
  timeout: 300_000,
}, async () => {
  const started = start({}, { isWatching: true });
  const [sandbox, proxy] = await started.addresses();
  await started.said('Watching the sources.');
  for (const [app, address] of [
    ['sandbox', `${sandbox}/sandbox/trips`],
    ['proxy', `${proxy}/docs/`],
  ]) {
    const now = new Date();
    await utimes(`${repository}/apps/${app}/src/node.ts`, now, now);
    await started.said(`Serving it: ${app} (`);
    expect((await fetch(String(address))).status).toBe(200);
  }
  started.kill('SIGTERM');
  expect(await started.ended).toEqual([0, null]);
  await expect(fetch(String(proxy))).rejects.toThrow('fetch failed');
});

test('a change of the contract builds all that is made from it, one of the proxy starts the proxy alone, and a test starts nothing', () => {
  const after = (file: string) => {
    const { steps, apps } = afterChangeOf([file]);
    return { built: steps.map(({ folder }) => folder), apps };
  };
  for (const file of ['components/schemas/DrivingTrip.yaml', 'webhooks/vehicle.consent_ended.yaml', 'overlay.yaml'])
    expect(after(`openapi/${file}`)).toEqual({
      built: ['openapi', 'packages/validators', 'packages/client', 'packages/trip-view', 'apps/sandbox'],
      apps: ['sandbox', 'proxy'],
    });
  expect(after('apps/proxy/src/node.ts')).toEqual({ built: [], apps: ['proxy'] });
  expect(after('packages/archive/src/format/layout.ts')).toEqual({ built: [], apps: ['sandbox'] });
  expect(after('packages/validators/src/formats.ts')).toEqual({ built: [], apps: ['sandbox', 'proxy'] });
  expect(after('packages/client/test/retries.test.ts')).toEqual({ built: [], apps: [] });
});
