import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function service(delayMs = 0) {
  const tokens: string[] = [];
  /** Calls by the process that sent them: identifiers of requests begin alike in one process. */
  const byProcess = new Map<string, number>();
  const upstream = await listen((call, response) => {
    tokens.push(call.headers.authorization ?? '');
    const sender = String(call.headers['x-request-id']).slice(0, 24);
    byProcess.set(sender, (byProcess.get(sender) ?? 0) + 1);
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(successBody()), delayMs);
  });
  cleanUp.push(upstream.close);
  return { url: upstream.url, tokens, byProcess };
}

/** Numbers of the processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

async function twoProcesses(environment: Record<string, string>) {
  const program = await startProgram({ VDS_WORKERS: '2', ...environment });
  cleanUp.push(() => program.process.kill('SIGKILL'));
  const workers = () => childrenOf(program.process.pid ?? 0);
  return { ...program, workers, call: () => callOnce(program.port) };
}

/** One call on a connection of its own, so that the next one can be another worker's; 0 when it was broken off. */
function callOnce(port: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = { brand: 'brand_a', authorization: 'Bearer clients' };
    const call = request({ port, host: '127.0.0.1', path: '/v1/vehicles/consent', headers, agent: false }, (answer) => {
      answer.on('error', () => resolve(0)).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    call.on('error', () => resolve(0)).end();
  });
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

const total = (byProcess: ReadonlyMap<string, number>) => [...byProcess.values()].reduce((sum, each) => sum + each, 0);

async function callsIn(admin: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const lines = [...text.matchAll(/^vds_proxy_requests_total\{\S*status="200"\S*\} (\d+)$/gm)];
  return lines.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

describe('two processes', () => {
  it('count limits alone without Redis, and share the port', { timeout: 20_000 }, async () => {
    const { url, byProcess } = await service();
    const { call, workers } = await twoProcesses({ VDS_UPSTREAM_URL: url, VDS_LIMIT_PER_CLIENT: '40/600s' });
    await expect.poll(() => workers().length).toBe(2);
    await expect.poll(async () => [await call(), byProcess.size][1], { timeout: 5000 }).toBe(2);
    const statuses = await Promise.all(times(100, call));
    expect(count(statuses, 200)).toBeGreaterThan(40);
    expect(count(statuses, 429)).toBeGreaterThan(0);
    for (const requests of byProcess.values()) expect(requests).toBeLessThanOrEqual(40);
  });

  it('of which one is killed lose no answer of the other, and are two again', { timeout: 30_000 }, async () => {
    const { url, byProcess } = await service(1500);
    const { call, workers, output } = await twoProcesses({ VDS_UPSTREAM_URL: url, VDS_LOG_LEVEL: 'silent' });
    await expect.poll(async () => [await Promise.all(times(2, call)), byProcess.size][1], { timeout: 10_000 }).toBe(2);
    byProcess.clear();
    const [first = 0] = workers();
    const underWay = times(20, call);
    await expect.poll(() => total(byProcess), { interval: 20 }).toBe(20);
    process.kill(first, 'SIGKILL');
    const statuses = await Promise.all(underWay);
    const [one = 0, other = 0] = byProcess.values();
    expect(byProcess.size).toBe(2);
    expect([count(statuses, 200), count(statuses, 0)].sort()).toEqual([one, other].sort());
    expect(one + other).toBe(20);
    await expect.poll(() => workers().length, { timeout: 5000 }).toBe(2);
    expect(workers()).not.toContain(first);
    expect(output.stderr).toMatch(/^vds-proxy: a process ended \(SIGKILL\); another one starts in 0\.2 s\n$/);
    expect(count(await Promise.all(times(10, call)), 200)).toBe(10);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finish their calls on %s, also when every process gets it, and end with 0',
    { timeout: 30_000 },
    async (signal) => {
      const { url, byProcess } = await service(1500);
      const { call, workers, process: first, exit } = await twoProcesses({ VDS_UPSTREAM_URL: url });
      await expect.poll(() => workers().length).toBe(2);
      const both = workers();
      const underWay = times(20, call);
      await expect.poll(() => total(byProcess), { interval: 20 }).toBe(20);
      first.kill(signal);
      if (signal === 'SIGINT') for (const worker of both) process.kill(worker, signal);
      expect(count(await Promise.all(underWay), 200)).toBe(20);
      expect(await exit).toBe(0);
      for (const worker of both) expect(() => process.kill(worker, 0)).toThrow('ESRCH');
    },
  );

  it('serve their metrics on a port each', { timeout: 20_000 }, async () => {
    const { url } = await service();
    const { call, output } = await twoProcesses({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    const ports = () =>
      [...output.stdout.matchAll(/metrics on (http:\S+)\/metrics\n/g)].map(([, address]) => address ?? '');
    await expect.poll(() => ports().length, { timeout: 5000 }).toBe(2);
    await expect
      .poll(async () => [await call(), ...(await Promise.all(ports().map(callsIn)))].slice(1), { timeout: 5000 })
      .toSatisfy((calls: readonly number[]) => calls.every((each) => each > 0));
  });

  it('that cannot listen say so once, and the program ends', async () => {
    const taken = await service();
    const { port } = new URL(taken.url);
    const run = runProgram({ VDS_WORKERS: '2', VDS_UPSTREAM_URL: taken.url, VDS_PORT: port });
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toBe('vds-proxy: VDS_PORT: the port is already in use\n');
  });

  it('end when the process that started them is killed', { timeout: 20_000 }, async () => {
    const { url } = await service();
    const { workers, process: first } = await twoProcesses({ VDS_UPSTREAM_URL: url });
    await expect.poll(() => workers().length).toBe(2);
    const both = workers();
    first.kill('SIGKILL');
    const alive = (worker: number) => {
      try {
        return process.kill(worker, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => both.some(alive), { timeout: 5000 }).toBe(false);
  });
});
