import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repository, stopProcess } from './apps.ts';

interface Started {
  readonly child: ReturnType<typeof spawn>;
  readonly ended: Promise<number | null>;
  printed(): string;
  until(text: string): Promise<void>;
}

const manifest = JSON.parse(await readFile(`${repository}/package.json`, 'utf8')) as { scripts: { start: string } };
const [program, script] = manifest.scripts.start.split(' ');

/** Runs what `npm start` runs after the build, on ports of its own. */
function start(environment: Record<string, string>): Started {
  const child = spawn(process.execPath, [`${repository}/${script}`, '--no-build'], {
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
    until: async (expected) => {
      for (let waitedMs = 0; !text.includes(expected); waitedMs += 50) {
        if (waitedMs > 20_000 || child.exitCode !== null) throw new Error(`"${expected}" was not printed:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
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

test('npm start ends in a script for Node', () => {
  expect(program).toBe('node');
});

test('npm start prints three curl lines that work when pasted, and Ctrl-C stops both apps', async () => {
  const started = start(freePorts);
  await started.until('Ctrl-C stops both.');
  const lines = started
    .printed()
    .split('\n')
    .filter((line) => line.trim().startsWith('curl '));
  expect(lines).toHaveLength(3);
  const [list, week, tooLong] = (await Promise.all(lines.map(shell))) as [string, string, string];
  expect(JSON.parse(list)).toMatchObject({ meta: { code: 200 } });
  expect(week).toContain('"triggerStartTime"');
  expect(week.length).toBe(2000);
  expect(JSON.parse(tooLong)).toMatchObject({ error: { code: '4002' } });

  const addresses = [...started.printed().matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map(
    (match) => match[1] as string,
  );
  expect(addresses).toHaveLength(2);
  const docs = /^Docs +(http:\S+)/m.exec(started.printed())?.[1];
  expect(await (await fetch(String(docs))).text()).toContain('Vehicle Data Service');

  started.child.kill('SIGINT');
  expect(await started.ended).toBe(0);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
});

test('killing npm start stops both apps', async () => {
  // A shell stands for npm: it dies without passing the signal on.
  const line = `'${process.execPath}' '${repository}/${script}' --no-build; exit 0`;
  const shellAround = spawn('bash', ['-c', line], {
    env: { PATH: process.env['PATH'], ...freePorts },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => stopProcess(shellAround));
  let text = '';
  shellAround.stdout.on('data', (chunk: Buffer) => (text += chunk));
  await vi.waitFor(() => expect(text).toContain('Ctrl-C stops both.'), 20_000);
  const addresses = [...text.matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map((match) => String(match[1]));
  expect(addresses).toHaveLength(2);
  shellAround.kill('SIGKILL');
  for (const address of addresses) {
    await vi.waitFor(() => expect(fetch(address)).rejects.toThrow(), { timeout: 10_000, interval: 100 });
  }
});

test('the start script that is killed leaves no app running', async () => {
  const started = start(freePorts);
  await started.until('Ctrl-C stops both.');
  const addresses = [...started.printed().matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map((match) =>
    String(match[1]),
  );
  started.child.kill('SIGKILL');
  for (const address of addresses) {
    await vi.waitFor(() => expect(fetch(address)).rejects.toThrow(), { timeout: 10_000, interval: 100 });
  }
});

test('npm start -- --help prints the options and starts nothing', async () => {
  const help = await shell(`'${process.execPath}' '${repository}/${script}' --help`);
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

test('a machine with the tools passes without a word', async () => {
  expect(await shell(`'${process.execPath}' '${repository}/scripts/check-tools.js' 2>&1`)).toBe('');
});
