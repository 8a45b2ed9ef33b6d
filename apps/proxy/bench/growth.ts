// Measures how ours and nginx grow with connections and sizes, at half of their peak load, and what connections hold.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contenders, ours } from './contenders.ts';
import { measureHoldings } from './holdings.ts';
import { interleave, measure, type Row, startContender } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './medians.ts';
import { startOrigin } from './origin.ts';
import { drivingAnswer } from './payloads.ts';
import { residentMegabytes } from './processes.ts';
import { shown } from './table.ts';
import { leastSeconds, type Workload, workload } from './workloads.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '1' } },
});
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const cache = fileURLToPath(new URL('.cache/', import.meta.url));
const folders = { cache, peers: join(cache, 'peers') };
mkdirSync(cache, { recursive: true });

const pair = contenders.filter(({ name }) => name === 'ours' || name === 'nginx');
const connectionSteps = [1, 4, 16, 64, 256, 1000];
const sizeSteps = [300, 3000, 30_000, 300_000, 1_000_000, 8_000_000];
const sizeConnections = 16;

async function grow(steps: readonly Workload[]): Promise<{ workload: Omit<Workload, 'body'>; rows: Row[] }[]> {
  const results = [];
  for (const step of steps) {
    const seconds = Math.max(effort.seconds, leastSeconds(step));
    const rows = await interleave(pair, step, { ...effort, seconds }, folders);
    const figures = rows.map(
      (row) => `${row.name} ${shown(medianOf(row, 'requestsPerSecond'))}/s p99 ${shown(medianOf(row, 'p99'))} µs`,
    );
    console.log(`${step.title}: ${figures.join(', ')}`);
    const { body: _, ...rest } = step;
    results.push({ workload: rest, rows });
  }
  return results;
}

/** Long enough that the first requests of the connections, which come while all are opened, are fewer than one in a hundred. */
const halfLoadSeconds = 8;

/** Both at half of what nginx and ours reach: many connections that wait between their requests. */
async function atHalfLoad(): Promise<{ rows: Row[]; share: number }> {
  const crowd = workload(300, 256);
  const origin = await startOrigin(folders.cache);
  const runners = [];
  for (const contender of pair) runners.push(await startContender(contender, crowd, origin, folders));
  for (const runner of runners) {
    await measure(runner, crowd, 1);
    const peak = await measure(runner, crowd, leastSeconds(crowd));
    const pauseMs = (crowd.connections / (peak.requestsPerSecond / 2)) * 1000;
    Object.assign(runner, { pauseMs });
  }
  for (let round = 0; round < effort.rounds; round++) {
    for (const runner of runners) {
      const pauseMs = 'pauseMs' in runner && typeof runner.pauseMs === 'number' ? runner.pauseMs : 1;
      runner.row.samples.push(await measure(runner, crowd, halfLoadSeconds, pauseMs));
    }
  }
  for (const { row, started } of runners) {
    row.memory = residentMegabytes(started.pid);
    await started.stop();
  }
  await origin.started.stop();
  return { rows: runners.map(({ row }) => row), share: 0.5 };
}

/** An answer of 100 MB: the trips of one of 8 MB again and again. */
function writeLongAnswer(): Workload {
  const long = workload(100_000_000, 1);
  const text = drivingAnswer(8_000_000);
  const [start, end] = [text.indexOf('[') + 1, text.lastIndexOf('],"meta"')];
  const trips = text.slice(start, end);
  const folder = join(cache, 'payloads');
  mkdirSync(folder, { recursive: true });
  const many = Array.from({ length: 13 }, () => trips).join(',');
  writeFileSync(join(folder, `${long.target.split('/')[3]}.json`), text.slice(0, start) + many + text.slice(end));
  return long;
}

const byConnections = await grow(connectionSteps.map((connections) => workload(300, connections)));
const bySize = await grow(sizeSteps.map((bytes) => workload(bytes, sizeConnections)));
const halfLoad = await atHalfLoad();
const long = writeLongAnswer();
const holdings = [];
for (const contender of [
  ours('ours', 'vds-proxy, request checks', { VDS_DEADLINE_MS: '600000', VDS_MAX_IN_FLIGHT: '4096' }),
  ours('ours-checking', 'vds-proxy, answers checked and reported as well', {
    VDS_DEADLINE_MS: '600000',
    VDS_MAX_IN_FLIGHT: '4096',
    VDS_VALIDATE_RESPONSES: 'report',
  }),
]) {
  const found = await measureHoldings(contender, long, folders);
  console.log(found);
  holdings.push(found);
}
const result = {
  date: new Date().toISOString(),
  command: 'run bench:growth',
  machine: describeMachine(),
  effort,
  byConnections,
  bySize,
  halfLoad,
  holdings,
};
const folder = fileURLToPath(new URL('results/', import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'growth.json'), `${JSON.stringify(result)}\n`);
process.exit(0);
