import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { attempt } from '../src/attempt.js';
import { printKeys } from '../src/auth/key-record.js';
import { apiKey, recordOf } from './support/api-key.ts';
import { canLimitFiles } from './support/audited-proxy.ts';
import { bundled, childrenOf, newFile, runToEnd, startProgram } from './support/program.ts';
import { type Reply, requestTo, startUpstream } from './support/servers.ts';
import { consent, count } from './support/set-up.ts';

const asInTable = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/** Which of some processes has each connection to a server, by the port of its end. */
function ownersOf(serverUrl: string, pids: readonly number[]): ReadonlyMap<number, number> {
  const owners = new Map<string, number>();
  for (const pid of pids)
    for (const name of attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [])
      owners.set(attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? '', pid);
  const remote = asInTable(Number(new URL(serverUrl).port));
  const connections = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  return new Map(
    connections.flatMap(([, from = '', to = '', , , , , , , inode]) => {
      const owner = owners.get(`socket:[${inode}]`);
      return to.endsWith(remote) && owner !== undefined ? [[Number.parseInt(from.slice(-4), 16), owner]] : [];
    }),
  );
}

async function start(environment: Record<string, string> = {}, reply: Reply = {}) {
  const senders: number[] = [];
  // A connection stays that of its process. To look for each request would keep all others, and their clients, waiting.
  let owners: ReadonlyMap<number, number> = new Map();
  const upstream = await startUpstream(({ clientPort }) => {
    if (!owners.has(clientPort)) owners = new Map([...owners, ...ownersOf(upstream.url, processes())]);
    senders.push(owners.get(clientPort) ?? 0);
    return reply;
  });
  const program = await startProgram({ VDS_WORKERS: '2', VDS_UPSTREAM_URL: upstream.url, ...environment });
  const processes = () => childrenOf(program.process.pid);
  await expect.poll(() => processes().length).toBe(2);
  /** How many requests the upstream has had of each process since `forget`. */
  const requestsByProcess = () =>
    [...new Set(senders)].map((sender) => senders.filter((each) => each === sender).length);
  const forget = () => {
    senders.length = 0;
    owners = new Map();
  };
  const call = () => callOnce(program.port);
  return { ...program, processes, requests: () => senders.length, requestsByProcess, forget, call };
}

/** One request on a connection of its own, so that the next one can be another process's; 0 when it was broken off. */
function callOnce(port: number, more: Record<string, string> = {}): Promise<number> {
  const headers = { brand: 'brand_a', authorization: 'Bearer clients', ...more };
  return requestTo(`http://127.0.0.1:${port}${consent}`, headers).then(
    ({ status }) => status,
    () => 0,
  );
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe('two processes', () => {
  it('share the port, count limits alone without Redis, and serve metrics and the use of keys on a port each', async () => {
    const keysFile = newFile('keys.json');
    await writeFile(keysFile, printKeys([recordOf({ rate: { calls: 40, seconds: 600 } })]));
    const adminPort = await reservedPort();
    const settings = { VDS_ADMIN_PORT: String(adminPort), VDS_KEYS_FILE: keysFile, VDS_DEADLINE_MS: '120000' };
    const { port, output, requestsByProcess } = await start({ ...settings, VDS_CLIENT_AUTH: 'api-key' });
    // Every call counts: each process has had at least one, and none had more than its limit.
    const statuses: number[] = [];
    const call = () => callOnce(port, { 'x-api-key': apiKey });
    await expect.poll(async () => [statuses.push(await call()), requestsByProcess().length][1]).toBe(2);
    statuses.push(...(await Promise.all(times(100, call))));
    expect(count(statuses, 200)).toBeGreaterThan(40);
    const limited = count(statuses, 429);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(limited).toBeGreaterThan(0);
    for (const requests of requestsByProcess()) expect(requests).toBeLessThanOrEqual(40);
    const addresses = [adminPort, adminPort + 1].map((each) => `http://127.0.0.1:${each}`);
    for (const address of addresses) expect(output.stdout).toContain(`metrics on ${address}/metrics\n`);
    const usage = await runToEnd(settings, ['keys', 'usage', '--admin-url', addresses.join()]);
    expect(usage.stdout).toContain(`abcdefghij  requests ${statuses.length}  errors ${limited}  limited ${limited}`);

    // Another program says once that it cannot listen beside these two; its second process meets the admin port of the first one here.
    const other = { VDS_WORKERS: '2', VDS_UPSTREAM_URL: 'http://127.0.0.1:9' };
    for (const [name, taken] of [
      ['VDS_PORT', { VDS_PORT: String(port) }],
      ['VDS_ADMIN_PORT', { VDS_ADMIN_PORT: String(adminPort - 1), VDS_PORT: '0' }],
    ] as const) {
      const stderr = `vds-proxy: ${name}: the port is already in use\n`;
      expect(await runToEnd({ ...other, ...taken })).toMatchObject({ code: 1, stderr });
    }
  });

  it('say once that they cannot listen beside another program of one process', async () => {
    const one = await startProgram({ VDS_UPSTREAM_URL: 'http://127.0.0.1:9' });
    const settings = { VDS_WORKERS: '2', VDS_UPSTREAM_URL: 'http://127.0.0.1:9', VDS_PORT: String(one.port) };
    const stderr = 'vds-proxy: VDS_PORT: the port is already in use\n';
    expect(await runToEnd(settings)).toMatchObject({ code: 1, stderr });
  });

  it('of which one is killed lose no response of the other, and are two again, also when nobody reads standard output', async () => {
    let release = () => {};
    const replies: { after?: Promise<void> } = {};
    const started = await start({ VDS_LOG_LEVEL: 'silent' }, replies);
    const { call, processes, output, requests, requestsByProcess, forget } = started;
    started.process.stdout.destroy();
    await expect.poll(async () => [await Promise.all(times(2, call)), requestsByProcess().length][1]).toBe(2);
    forget();
    // None has its response before the kill, however long the requests take to arrive.
    replies.after = new Promise((resolve) => {
      release = resolve;
    });
    const [first = 0] = processes();
    const underWay = times(20, call);
    await expect.poll(requests).toBe(20);
    process.kill(first, 'SIGKILL');
    release();
    const statuses = await Promise.all(underWay);
    const shares = requestsByProcess();
    expect(shares).toHaveLength(2);
    expect([count(statuses, 200), count(statuses, 0)].sort()).toEqual(shares.sort());
    // The killed one is among them until it is reaped.
    await expect.poll(() => processes().filter((each) => each !== first)).toHaveLength(2);
    expect(output.stderr).toMatch(/^vds-proxy: a process ended \(SIGKILL\); another one starts in 0\.2 s\n$/);
    forget();
    await expect.poll(async () => [await call(), requestsByProcess().length][1]).toBe(2);
    expect(count(await Promise.all(times(10, call)), 200)).toBe(10);
  });

  it.skipIf(!canLimitFiles)(
    'of which one is killed while no process can be started are two again once one can',
    async () => {
      const { process: first, call, processes, output, requestsByProcess } = await start({ VDS_LOG_LEVEL: 'silent' });
      // Both listen.
      await expect.poll(async () => [await Promise.all(times(2, call)), requestsByProcess().length][1]).toBe(2);
      const limit = (descriptors: string) =>
        execFileSync('prlimit', ['--pid', String(first.pid), `--nofile=${descriptors}`]);
      const usual = readFileSync(`/proc/${first.pid}/limits`, 'utf8').match(/^Max open files +(\d+)/m)?.[1];
      // Those for standard input and outputs are all that it may open.
      limit('3:');
      const [killed = 0] = processes();
      process.kill(killed, 'SIGKILL');
      await expect
        .poll(() => output.stderr)
        .toMatch(/a process could not be started \(EMFILE\); another one starts in 0\.8 s\n/);
      expect(await call()).toBe(200);
      limit(`${usual}:`);
      await expect.poll(() => processes().filter((each) => each !== killed)).toHaveLength(2);
      expect(first.exitCode).toBe(null);
    },
  );

  it.each([
    { what: 'their log is a file', listening: [] as unknown[] },
    { what: 'their outputs are one file', listening: [expect.stringMatching(/^proxy listening on \S+$/)] },
  ])('overwrite nothing in a file, nor does what is written after them, when $what', async ({ listening }) => {
    const file = newFile('log');
    const log = await open(file, 'w');
    onTestFinished(() => log.close());
    const port = String(await reservedPort());
    const run = (VDS_PORT: string) => {
      const env = { VDS_WORKERS: '2', VDS_UPSTREAM_URL: 'http://127.0.0.1:9', VDS_PORT };
      const output = listening.length === 0 ? 'ignore' : log.fd;
      const child = spawn(process.execPath, [bundled], { env, stdio: ['ignore', output, log.fd] });
      onTestFinished(() => {
        const pids = childrenOf(child.pid);
        child.kill('SIGKILL');
        for (const each of pids) attempt(() => process.kill(each, 'SIGKILL'));
      });
      return child;
    };
    const lines = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    await once(run('zebra'), 'exit');
    const { pid = 0 } = run(port);
    await expect.poll(() => callOnce(Number(port))).not.toBe(0);
    await expect.poll(async () => (await lines()).at(-1)).toMatch(/^\{/);
    process.kill(childrenOf(pid)[0] ?? Number.NaN, 'SIGKILL');
    const expected = [
      expect.stringMatching(/^vds-proxy: VDS_PORT: /),
      ...listening,
      expect.stringMatching(/^\{.*\}$/),
      expect.stringContaining('a process ended'),
      ...listening,
    ];
    await expect.poll(lines).toEqual(expected);
  });

  it('reload on SIGHUP while one of them starts, and one that is killed while it starts is started again', async () => {
    const { call, processes, process: first, output, requestsByProcess } = await start();
    first.kill('SIGHUP');
    await expect.poll(async () => [await call(), requestsByProcess().length][1]).toBe(2);
    expect(output.stderr).not.toContain('a process ended');
    const killed = await start();
    process.kill(killed.processes()[1] ?? Number.NaN, 'SIGKILL');
    await expect.poll(async () => [await killed.call(), killed.requestsByProcess().length][1]).toBe(2);
    expect([processes().length, killed.processes().length]).toEqual([2, 2]);
  });

  it.each([
    { signal: 'SIGTERM', receivers: 'the first process alone' },
    { signal: 'SIGINT', receivers: 'all processes' },
  ] as const)(
    'finish their requests on a signal, and end with 0: $signal to $receivers',
    async ({ signal, receivers }) => {
      const { call, processes, process: first, exit, requests } = await start({}, { delayMs: 1000 });
      const both = processes();
      const underWay = times(20, call);
      await expect.poll(requests).toBe(20);
      first.kill(signal);
      if (receivers === 'all processes') for (const each of both) process.kill(each, signal);
      expect(count(await Promise.all(underWay), 200)).toBe(20);
      expect(await exit).toBe(0);
      expect(both.some(isAlive)).toBe(false);
    },
  );

  it('end after a time when the process that started them is killed and nobody takes over', async () => {
    const { processes, process: first, output } = await start({ VDS_WORKERS_ALONE_MS: '500' });
    const both = processes();
    first.kill('SIGKILL');
    await expect.poll(() => both.some(isAlive)).toBe(false);
    const said = (words: RegExp) => expect.poll(() => output.stderr.match(words)).toHaveLength(2);
    await said(/serves on until another one takes over, for 0\.5 s at most\n/g);
    await said(/no other process has taken over; this one ends\n/g);
  });

  it('serve on when the process that started them is killed, with their metrics, until another one takes over', async () => {
    const upstream = await startUpstream(() => ({ delayMs: 20 }));
    const port = await reservedPort();
    const ports = { VDS_PORT: String(port), VDS_ADMIN_PORT: String(await reservedPort()) };
    const startBoth = async () => {
      const started = await startProgram({ VDS_WORKERS: '2', VDS_UPSTREAM_URL: upstream.url, ...ports });
      await expect.poll(() => childrenOf(started.process.pid).length).toBe(2);
      return started;
    };
    const { process: first, output, adminPage } = await startBoth();
    const both = childrenOf(first.pid);
    const statuses: number[] = [];
    let running = true;
    const clients = times(8, async () => {
      while (running) statuses.push(await callOnce(port));
    });
    const servedMore = async () => {
      const before = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(before + 50);
    };
    await servedMore();
    first.kill('SIGKILL');
    await expect.poll(() => output.stderr.match(/the first process has ended/g)).toHaveLength(2);
    await servedMore();
    expect(await adminPage('/metrics')).toContain('vds_proxy_requests_total');
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const second = await startBoth();
    await expect.poll(() => both.some(isAlive)).toBe(false);
    await servedMore();
    running = false;
    await Promise.all(clients);
    await expect.poll(() => output.stderr.match(/other processes have taken over; this one ends\n/g)).toHaveLength(2);
    expect(await second.adminPage('/metrics')).toContain('vds_proxy_requests_total');
    // A connection that is made while one of two closes the port is reset, unless the system moves it to another process.
    const lost = statuses.filter((status) => status !== 200);
    expect(lost).toEqual(lost.map(() => 0));
    const moves = attempt(() => readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim()) === '1';
    expect(lost.length).toBeLessThanOrEqual(moves ? 0 : 2 * clients.length);
  });

  it('end with the first one where a process cannot listen by itself, which is said at the start', async () => {
    const elsewhere = 'Object.defineProperty(process, "platform", { value: "darwin" })';
    const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(elsewhere)}`];
    const settings = { VDS_WORKERS: '2', VDS_UPSTREAM_URL: 'http://127.0.0.1:9' };
    const { process: first, port, output } = await startProgram(settings, [], nodeFlags);
    await expect.poll(() => childrenOf(first.pid).length).toBe(2);
    expect(await callOnce(port)).toBe(502);
    expect(output.stderr).toContain('vds-proxy: VDS_WORKERS: on darwin the processes end with the first one');
    const both = childrenOf(first.pid);
    first.kill('SIGKILL');
    await expect.poll(() => both.some(isAlive)).toBe(false);
  });
});
