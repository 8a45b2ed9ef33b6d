import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { runProgram, startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';
import { oauthAnswer, startTokenEndpoint } from './support/token-endpoint.ts';

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

async function twoWorkers(environment: Record<string, string>) {
  const program = await startProgram({ VDS_WORKERS: '2', ...environment });
  cleanUp.push(() => program.process.kill('SIGKILL'));
  const admin = /metrics on (http:\S+)\/metrics\n/.exec(program.output.stdout)?.[1] ?? '';
  const workers = () => childrenOf(program.process.pid ?? 0);
  return { ...program, admin, workers, call: () => callOnce(program.port) };
}

/** One call on a connection of its own, so that the next one can be another worker's; 0 when it was broken off. */
function callOnce(port: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = { brand: 'brand_a', authorization: 'Bearer callers' };
    const call = request({ port, host: '127.0.0.1', path: '/v1/vehicles/consent', headers, agent: false }, (answer) => {
      answer.on('error', () => resolve(0)).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    call.on('error', () => resolve(0)).end();
  });
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

async function callsIn(admin: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const lines = [...text.matchAll(/^vds_proxy_calls_total\{\S*status="200"\S*\} (\d+)$/gm)];
  return lines.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

describe('two workers', () => {
  it('share a limit without a store, to the call', { timeout: 20_000 }, async () => {
    const { url } = await service();
    const { call, workers } = await twoWorkers({ VDS_UPSTREAM_URL: url, VDS_LIMIT_PER_CALLER: '40/600s' });
    expect(workers()).toHaveLength(2);
    const statuses = await Promise.all(times(60, call));
    expect(count(statuses, 200)).toBe(40);
    expect(count(statuses, 429)).toBe(20);
  });

  it('ask for one token for all calls that have none', { timeout: 20_000 }, async () => {
    const { url, tokens } = await service();
    const issuer = await startTokenEndpoint((_, number) => ({ ...oauthAnswer(`token-${number}`), delayMs: 300 }));
    cleanUp.push(issuer.close);
    const { call, admin } = await twoWorkers({
      VDS_UPSTREAM_URL: url,
      VDS_UPSTREAM_AUTH: 'token-endpoint',
      VDS_TOKEN_URL: `${issuer.url}/token`,
      VDS_CLIENT_ID: 'me',
      VDS_CLIENT_SECRET: 'secret-7',
      VDS_ADMIN_PORT: '0',
    });
    expect(count(await Promise.all(times(100, call)), 200)).toBe(100);
    expect(issuer.requests).toHaveLength(1);
    expect(new Set(tokens)).toEqual(new Set(['Bearer token-1']));
    const shown = await (await fetch(`${admin}/tokens`)).text();
    expect(shown).toContain('"state": "valid"');
    expect(shown).not.toMatch(/token-1|secret-7/);
  });

  it('of which one is killed lose no answer of the other, and are two again', { timeout: 30_000 }, async () => {
    const { url, byProcess } = await service(700);
    const { call, workers, output } = await twoWorkers({ VDS_UPSTREAM_URL: url, VDS_LOG_LEVEL: 'silent' });
    const [first = 0] = workers();
    const underWay = times(20, call);
    await wait(350);
    process.kill(first, 'SIGKILL');
    const statuses = await Promise.all(underWay);
    const [one = 0, other = 0] = byProcess.values();
    expect(byProcess.size).toBe(2);
    expect([count(statuses, 200), count(statuses, 0)].sort()).toEqual([one, other].sort());
    expect(one + other).toBe(20);
    await expect.poll(() => workers().length, { timeout: 5000 }).toBe(2);
    expect(workers()).not.toContain(first);
    expect(output.stderr).toMatch(/^vds-proxy: a worker ended \(SIGKILL\); another one starts in 0\.2 s\n$/);
    expect(count(await Promise.all(times(10, call)), 200)).toBe(10);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finish their calls on %s, also when every process gets it, and end with 0',
    { timeout: 30_000 },
    async (signal) => {
      const { url } = await service(700);
      const { call, workers, process: first, exit } = await twoWorkers({ VDS_UPSTREAM_URL: url });
      const both = workers();
      const underWay = times(20, call);
      await wait(350);
      first.kill(signal);
      if (signal === 'SIGINT') for (const worker of both) process.kill(worker, signal);
      expect(count(await Promise.all(underWay), 200)).toBe(20);
      expect(await exit).toBe(0);
      for (const worker of both) expect(() => process.kill(worker, 0)).toThrow('ESRCH');
    },
  );

  it('show their metrics and their drift as one, and keep the counts of one that ended', {
    timeout: 30_000,
  }, async () => {
    const { url } = await service();
    const { call, workers, admin } = await twoWorkers({ VDS_UPSTREAM_URL: url, VDS_ADMIN_PORT: '0' });
    await Promise.all(times(30, call));
    expect(await callsIn(admin)).toBe(30);
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toMatch(/^vds_proxy_call_duration_seconds_count\{\S*route="\/v1\/vehicles\/consent"\S*\} 30$/m);
    expect(metrics).toContain('vds_proxy_circuit_breaker{state="closed"} 1\n');
    expect(JSON.parse(await (await fetch(`${admin}/drift`)).text())).toMatchObject({ checked: 30 });
    const [first = 0] = workers();
    process.kill(first, 'SIGKILL');
    await expect.poll(() => !workers().includes(first) && workers().length === 2, { timeout: 5000 }).toBe(true);
    expect(await callsIn(admin)).toBe(30);
    await expect.poll(async () => count(await Promise.all(times(4, call)), 200), { timeout: 5000 }).toBe(4);
    expect(await callsIn(admin)).toBeGreaterThanOrEqual(34);
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
    const { workers, process: first } = await twoWorkers({ VDS_UPSTREAM_URL: url });
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
