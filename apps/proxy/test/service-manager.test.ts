// What systemd is told, over a real socket of its kind, and what a watchdog does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isInstalled } from './support/listening.ts';
import { childrenOf, newFile, startProgram } from './support/program.ts';
import { startUpstream } from './support/servers.ts';

const receiver = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`;

/** A socket as systemd has it for a unit, and the lines that came there. */
async function startSocket() {
  const NOTIFY_SOCKET = newFile('notify');
  const child = spawn('python3', ['-c', receiver, NOTIFY_SOCKET]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  await expect.poll(() => text).toContain('bound\n');
  /** What was told of the program; the barrier is systemd-notify's own. */
  const states = () => text.split('\n').filter((line) => /^[A-Z]+=/.test(line) && !line.startsWith('BARRIER'));
  const environment = { NOTIFY_SOCKET, PATH: process.env['PATH'] ?? '' };
  return { environment, states };
}

/** The processes that serve, without those that tell systemd something. */
const serving = (pid?: number) =>
  childrenOf(pid).filter((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('node'));

describe.skipIf(!isInstalled('systemd-notify') || !isInstalled('python3'))('systemd', () => {
  it.each(['1', '2'])('is told of %s processes that they are ready, alive, and end', async (workers) => {
    const { environment, states } = await startSocket();
    const { url } = await startUpstream();
    const watchdog = { WATCHDOG_USEC: '600000' };
    const proxy = await startProgram({ VDS_UPSTREAM_URL: url, VDS_WORKERS: workers, ...environment, ...watchdog });
    await expect.poll(states).toContain('READY=1');
    await expect.poll(() => states().filter((state) => state === 'WATCHDOG=1').length).toBeGreaterThan(2);
    expect((await proxy.call()).status).toBe(200);
    expect(states()[0]).toBe('READY=1');
    expect((await proxy.stop()).code).toBe(0);
    await expect.poll(states).toContain('STOPPING=1');
  });

  it('is told nothing more of a program that hangs', async () => {
    const { environment, states } = await startSocket();
    const { url } = await startUpstream();
    const proxy = await startProgram({ VDS_UPSTREAM_URL: url, ...environment, WATCHDOG_USEC: '300000' });
    await expect.poll(() => states().length).toBeGreaterThan(2);
    proxy.process.kill('SIGSTOP');
    // What was on its way still comes; after that nothing, for the time of ten signs of life.
    let seen = -1;
    while (seen !== states().length) {
      seen = states().length;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  });
});

it('of two processes, one that hangs is killed and replaced while there is a watchdog', async () => {
  const { url } = await startUpstream();
  const environment = { NOTIFY_SOCKET: newFile('nobody'), WATCHDOG_USEC: '9000000', PATH: process.env['PATH'] ?? '' };
  const proxy = await startProgram({ VDS_UPSTREAM_URL: url, VDS_WORKERS: '2', ...environment });
  await expect.poll(() => serving(proxy.process.pid).length).toBe(2);
  const [first = 0] = serving(proxy.process.pid);
  process.kill(first, 'SIGSTOP');
  await expect.poll(() => proxy.output.stderr, { timeout: 50_000 }).toContain('a process hangs and is killed\n');
  await expect.poll(() => serving(proxy.process.pid).filter((pid) => pid !== first).length).toBe(2);
  expect((await proxy.call()).status).toBe(200);
});

it('a program that cannot tell systemd its state says so once, and serves', async () => {
  const { url } = await startUpstream();
  const proxy = await startProgram({
    VDS_UPSTREAM_URL: url,
    NOTIFY_SOCKET: newFile('nobody'),
    WATCHDOG_USEC: '300000',
    PATH: '/nowhere',
  });
  await expect.poll(() => proxy.output.stderr).toContain('NOTIFY_SOCKET: systemd-notify cannot be run');
  expect((await proxy.call()).status).toBe(200);
  expect(proxy.output.stderr.match(/NOTIFY_SOCKET/g)).toHaveLength(1);
});
