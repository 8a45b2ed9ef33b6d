import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { type Folders, startContender } from './interleave.ts';
import { load } from './load.ts';
import { median } from './medians.ts';
import { startOrigin } from './origin.ts';
import { freePort, proxyCore, residentMegabytes, startPinned } from './processes.ts';
import { requestHeaders, type Workload, workload } from './workloads.ts';

/** What a proxy holds on to, in kilobytes of resident memory, and how fast it starts, in milliseconds. */
export interface Holdings {
  readonly name: string;
  readonly title: string;
  readonly perSlowReader: number;
  readonly perThousandIdle: number;
  readonly firstAnswerLeast: number;
  readonly firstAnswerMedian: number;
}

const slowReaders = 50;
const idleConnections = 1000;
const starts = 11;

function requestText(target: string): string {
  const lines = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${target} HTTP/1.1\r\nHost: proxy\r\n${lines.join('')}\r\n`;
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Memory that connections hold, as growth of the resident memory of a process that has served for a while. */
async function held(
  contender: Contender,
  long: Workload,
  folders: Folders,
  reads: boolean,
  count: number,
): Promise<number> {
  const small = workload(300, 32);
  const origin = await startOrigin(folders.cache);
  const { port, started, row } = await startContender(contender, small, origin, folders);
  const sockets: Socket[] = [];
  try {
    if (row.problem !== '') return Number.NaN;
    await load(port, small, 2);
    await wait(1500);
    const before = residentMegabytes(started.pid).now;
    for (let index = 0; index < count; index++) {
      const socket = await opened(port);
      sockets.push(socket);
      if (!reads) socket.pause();
      else socket.resume();
      socket.write(requestText(reads ? small.target : long.target));
    }
    await wait(3000);
    return ((residentMegabytes(started.pid).now - before) * 1024) / count;
  } finally {
    for (const socket of sockets) socket.destroy();
    await started.stop();
    await origin.started.stop();
  }
}

/** Time from the start of the process to its first answer, in milliseconds. */
async function firstAnswers(contender: Contender, folders: Folders): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < starts; round++) {
    const port = await freePort();
    const place = { port, upstreamPort: 9, tls: false, certificate: '', folder: folders.cache, peers: folders.peers };
    const { command, environment } = contender.start(place);
    const startMs = performance.now();
    const started = startPinned(proxyCore, command, environment, `${folders.cache}/start.err`);
    times.push(await answered(port, startMs));
    await started.stop();
  }
  return times.sort((a, b) => a - b);
}

async function answered(port: number, startMs: number): Promise<number> {
  for (;;) {
    try {
      const socket = await opened(port);
      socket.write('GET /healthz HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n');
      await new Promise((resolve) => socket.once('data', resolve));
      const took = performance.now() - startMs;
      socket.destroy();
      return took;
    } catch {
      if (performance.now() - startMs > 15_000) return Number.NaN;
      await wait(2);
    }
  }
}

/** Measures what a proxy holds and how fast it starts. `long` is an answer far longer than every buffer. */
export async function measureHoldings(contender: Contender, long: Workload, folders: Folders): Promise<Holdings> {
  const perSlowReader = await held(contender, long, folders, false, slowReaders);
  const perThousandIdle = (await held(contender, long, folders, true, idleConnections)) * 1000;
  const times = await firstAnswers(contender, folders);
  const { name, title } = contender;
  return {
    name,
    title,
    perSlowReader,
    perThousandIdle,
    firstAnswerLeast: times[0] ?? Number.NaN,
    firstAnswerMedian: median(times),
  };
}
