import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repository, stopProcess, writeVds } from './apps.ts';

interface Started {
  readonly child: ReturnType<typeof spawn>;
  readonly ended: Promise<number | null>;
  printed(): string;
  /** The addresses of sandbox and proxy, once both listen. */
  addresses(): Promise<readonly string[]>;
}

const script = `${repository}/scripts/start.js`;

/** Runs what `npm start` runs after the build, on ports of its own; within npm itself, too. */
function start(environment: Record<string, string>, withNpm = false): Started {
  const [file = '', ...flags] = withNpm
    ? ['npm', 'start', '--', '--no-build']
    : [process.execPath, script, '--no-build'];
  const child = spawn(file, flags, {
    cwd: repository,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => stopProcess(child));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    ended,
    printed: () => text,
    addresses: () =>
      vi.waitFor(() => {
        expect(text).toContain('Ctrl-C stops both.');
        return [...text.matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map(([, address]) => String(address));
      }, 20_000),
  };
}

function shell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', line], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

const freePorts = { VDS_SANDBOX_PORT: '0', VDS_PORT: '0' };

test('npm start prints three curl lines that work when pasted, and Ctrl-C stops both apps', async () => {
  const started = start(freePorts);
  const addresses = await started.addresses();
  const printed = started.printed();
  const lines = printed.split('\n').filter((line) => line.trim().startsWith('curl '));
  expect(lines).toHaveLength(3);
  const [list, week, tooLong] = (await Promise.all(lines.map(shell))) as [string, string, string];
  expect(JSON.parse(list)).toMatchObject({ meta: { code: 200 } });
  expect(week).toContain('"triggerStartTime"');
  expect(week.length).toBe(2000);
  expect(JSON.parse(tooLong)).toMatchObject({ error: { code: '4002' } });
  const docs = /^Docs +(http:\S+)/m.exec(printed)?.[1];
  expect(await (await fetch(String(docs))).text()).toContain('Vehicle Data Service');

  started.child.kill('SIGINT');
  expect(await started.ended).toBe(0);
  expect(addresses).toHaveLength(2);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
});

test.for([
  ['npm', true],
  ['the start script', false],
] as const)('killing %s stops both apps', async ([, withNpm]) => {
  const started = start(freePorts, withNpm);
  const addresses = await started.addresses();
  expect(addresses).toHaveLength(2);
  started.child.kill('SIGKILL');
  for (const address of addresses)
    await vi.waitFor(() => expect(fetch(address)).rejects.toThrow(), { timeout: 10_000, interval: 100 });
});

test('after npm start, one paste gives a year of Parquet and an answer in SQL', { timeout: 120_000 }, async () => {
  const [, proxy] = await start(freePorts).addresses();
  const folder = await mkdtemp(join(tmpdir(), 'newcomer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeVds(folder);
  const readme = await readFile(`${repository}/packages/cli/README.md`, 'utf8');
  const paste = /^## Two minutes[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(readme)?.[1];
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', String(paste)], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, VDS_BASE_URL: proxy },
  });
  const months = stdout.trim().split('\n').slice(-3);
  expect(months.map((line): unknown => JSON.parse(line))).toMatchObject([
    { month: '2025-01' },
    { month: '2025-02' },
    { month: '2025-03' },
  ]);
});

test('npm start -- --help prints the options and starts nothing', async () => {
  const help = await shell(`'${process.execPath}' '${script}' --help`);
  expect(help).toContain('--no-build');
  expect(help).toContain('VDS_SANDBOX_PORT');
});

test.for(['VDS_SANDBOX_PORT', 'VDS_PORT'])('a busy port (%s) gives one clear line', async (variable) => {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await new Promise((resolve) => blocker.once('listening', resolve));
  const address = blocker.address();
  if (address === null || typeof address === 'string') throw new Error('the blocking server has no port');
  const started = start({ ...freePorts, [variable]: String(address.port) });
  expect(await started.ended).toBe(1);
  expect(started.printed().trim().split('\n')).toHaveLength(1);
  expect(started.printed()).toMatch(/in use/);
});

test('a missing tool gives one clear line', async () => {
  const child = spawn(process.execPath, [`${repository}/scripts/check-tools.js`], { env: { PATH: '/nonexistent' } });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(printed).toBe('npx is needed and was not found on the PATH\n');
  expect(code).toBe(1);
});
