import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import type { Contender } from './contenders.ts';
import { load, requestOnce } from './load.ts';
import { type Origin, startOrigin } from './origin.ts';
import { cpuNanoseconds, listening, proxyCore, residentMegabytes, type Started, startPinned } from './processes.ts';
import type { Workload } from './workloads.ts';

/** One measurement of one contender. Latencies in microseconds, CPU in microseconds, memory in megabytes. */
export interface Sample {
  readonly requestsPerSecond: number;
  readonly megabytesPerSecond: number;
  readonly cpuPerRequest: number;
  /** Processor time for a megabyte passed on, in microseconds. */
  readonly cpuPerMegabyte: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** All measurements of one contender under one workload. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly samples: Sample[];
  /** Resident memory at its peak and at the end, in megabytes. */
  memory: { readonly peak: number; readonly now: number };
  /** Why it was left out, or empty. */
  problem: string;
}

/** How long and how often. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

interface Runner {
  readonly row: Row;
  readonly port: number;
  readonly started: Started;
}

/** Where a run keeps its files. */
export interface Folders {
  readonly cache: string;
  readonly peers: string;
}

/** Starts a contender and checks that it passes on the origin's exact bytes. */
async function startContender(
  contender: Contender,
  workload: Workload,
  origin: Origin,
  folders: Folders,
): Promise<Runner> {
  const { name, title } = contender;
  const port = await getPort();
  const row: Row = { name, title, samples: [], memory: { peak: 0, now: 0 }, problem: '' };
  const upstreamPort = workload.tls ? origin.tlsPort : origin.port;
  const place = {
    port,
    upstreamPort,
    tls: workload.tls,
    certificate: origin.certificate,
    folder: folders.cache,
    peers: folders.peers,
  };
  const { command, environment } = contender.start(place);
  const started = startPinned(proxyCore, command, environment, join(folders.cache, `${name}.err`));
  if (!(await listening(port, started))) row.problem = 'does not start';
  else row.problem = await differs(port, workload);
  return { row, port, started };
}

async function differs(port: number, workload: Workload): Promise<string> {
  try {
    const { status, body } = await requestOnce(port, workload.target);
    if (status !== 200) return `responds with status ${status}`;
    return body.equals(Buffer.from(workload.body())) ? '' : 'passes on other bytes than the origin sent';
  } catch (error) {
    return `does not respond: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

/** Measures one contender once. */
async function measure(runner: Runner, workload: Workload, seconds: number): Promise<Sample> {
  const before = cpuNanoseconds(runner.started.pid);
  const seen = await load(runner.port, workload, seconds);
  const cpu = (cpuNanoseconds(runner.started.pid) - before) / 1000;
  return {
    requestsPerSecond: seen.requests / (seen.microseconds / 1e6),
    megabytesPerSecond: seen.bytes / seen.microseconds,
    cpuPerRequest: cpu / Math.max(1, seen.requests),
    cpuPerMegabyte: cpu / Math.max(1, seen.bytes / 1e6),
    p50: seen.p50,
    p99: seen.p99,
    errors: seen.errors,
  };
}

/**
 * Measures contenders in turns: every round visits each of them once, so that what else happens on the machine meets all alike.
 */
export async function interleave(
  list: readonly Contender[],
  workload: Workload,
  effort: Effort,
  folders: Folders,
): Promise<Row[]> {
  const origin = await startOrigin(folders.cache);
  const runners: Runner[] = [];
  try {
    for (const contender of list) runners.push(await startContender(contender, workload, origin, folders));
    const fit = runners.filter(({ row }) => row.problem === '');
    for (const runner of fit)
      await measure(runner, workload, 1).catch((error: Error) => (runner.row.problem = error.message));
    for (let round = 0; round < effort.rounds; round++) {
      for (const runner of fit) {
        if (runner.row.problem !== '') continue;
        await measure(runner, workload, effort.seconds).then(
          (sample) => runner.row.samples.push(sample),
          () => (runner.row.problem = 'stopped responding'),
        );
      }
    }
    for (const { row, started } of fit) row.memory = residentMegabytes(started.pid);
    await wait(50);
  } finally {
    for (const { started } of runners) await started.stop();
    await origin.started.stop();
  }
  return runners.map(({ row }) => row);
}
