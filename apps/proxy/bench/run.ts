// Measures our proxy beside others, in turns: every round visits each of them once, so that what else happens on the machine meets
// all alike. Needs nginx, haproxy, wrk and taskset.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import { reservedPort } from '../../../scripts/reserved-port.ts';
import { startListening } from '../test/support/listening.ts';
import { type Contender, contenders, origin } from './contenders.ts';

/** Processor of the origin and of the load generator, and the one of the proxy under test. */
const loadCore = 0;
const proxyCore = 1;

/**
 * The target of a workload and the body that every contender must pass, byte for byte: up to 300 B of the location call, above that of a
 * driving call of about that size. Both bodies are as the contract says.
 */
function workload(bytes: number) {
  const vin = `BENCH${String(bytes).padStart(12, '0')}`;
  const isSmall = bytes <= 300;
  const range = '?startDate=20260101&endDate=20260107&zoneId=Asia%2FSeoul';
  const { getLocation, getDrivingData } = operations;
  const target = (isSmall ? getLocation.path : getDrivingData.path + range).replace('{vin}', vin);
  const value = Array.from({ length: bytes / 6 }, (_, index) => (1000 + (index % 9000)) / 10);
  const trip = { triggerStartTime: '2026-01-07T06:41:07.000Z', tripLength: value.length * 1000, odometer: { value } };
  const speed = { value: 63, unit: 'kph' };
  const location = { latitude: 52.5163, longitude: 13.3777, altitude: 36, heading: 271, speed, type: 0 };
  const data = isSmall ? { location, timestamp: '2026-01-08T10:15:29Z' } : { trips: [trip] };
  const meta = {
    code: 200,
    message: 'Success',
    success: 'true',
    timestamp: '2026-01-08T10:15:30.123Z',
    requestId: 'r',
  };
  return { target, body: JSON.stringify({ data, meta }) };
}

/** One measurement: processor time in microseconds, latencies in microseconds. */
interface Sample {
  readonly cpu: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** What the load generator saw. */
type Load = { readonly requests: number; readonly microseconds: number } & Pick<Sample, 'p50' | 'p99' | 'errors'>;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: contenders.map(({ name }) => name).join() },
    workload: { type: 'string', default: '300x32,300x1,1000000x4' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const folder = fileURLToPath(new URL('.cache/', import.meta.url));
const script = fileURLToPath(new URL('wrk/report.lua', import.meta.url));
const headers = {
  Brand: operations.listVehicles.parameters[0].rule.enum[0],
  Authorization: 'Bearer user-token',
  Accept: 'application/json',
};

/** Starts a contender on one processor, and waits until it listens. */
async function start(contender: Contender, core: number, upstreamPort = 0) {
  const port = await reservedPort();
  const { command, environment } = contender.command({ port, upstreamPort, folder });
  const pinned = ['taskset', '-c', String(core), ...command];
  const { pid, kill } = await startListening(pinned, { NODE_ENV: 'production', ...environment }, [port]);
  return { ...contender, pid, kill, port, samples: [] as Sample[] };
}

type Runner = Awaited<ReturnType<typeof start>>;

/** Measures one contender once. */
async function measure({ pid, port }: Runner, target: string, connections: number, seconds: string): Promise<Sample> {
  const before = cpuMicroseconds(pid);
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '20s', '-s', script, ...lines];
  const wrk = ['-c', String(loadCore), 'wrk', ...flags, `http://127.0.0.1:${port}${target}`];
  const { stdout } = await promisify(execFile)('taskset', wrk);
  const load: unknown = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? 'null');
  const { requests, microseconds, p50, p99, errors } = load as Load;
  return { cpu: (cpuMicroseconds(pid) - before) / requests, rate: requests / (microseconds / 1e6), p50, p99, errors };
}

/** Time that all threads of a process have spent on a processor, in microseconds. */
function cpuMicroseconds(pid: number): number {
  // After the name in parentheses; the time as user and that in the kernel are in hundredths of a second. `man 5 proc_pid_stat`
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process at its peak, in megabytes. */
function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2;
}

/**
 * The table of one workload, in the order of the contenders. A ratio is the median over the rounds of both figures in one round; nginx
 * has an access log where the other has one.
 */
function tableOf(runners: readonly Runner[]): string {
  const rows = runners.map(({ title, yardstick, pid, samples }) => {
    const nginx = runners.find(({ name }) => name === yardstick);
    const figure = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
    const ratio = (name: keyof Sample) =>
      median(samples.map((sample, round) => sample[name] / (nginx?.samples[round]?.[name] ?? Number.NaN)));
    const cells = [
      ratio('cpu').toFixed(2),
      figure('cpu').toFixed(1),
      figure('rate').toFixed(0),
      ratio('rate').toFixed(2),
    ];
    const latencies = [figure('p50').toFixed(0), figure('p99').toFixed(0)];
    const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
    return [title, ...cells, ...latencies, peakMegabytes(pid).toFixed(0), errors].join(' | ');
  });
  const head = 'proxy | CPU ÷ nginx | CPU µs/request | requests/s | rate ÷ nginx | p50 µs | p99 µs | peak MB | errors';
  return [head, `---${' | --:'.repeat(8)}`, ...rows].map((line) => `| ${line} |`).join('\n');
}

mkdirSync(folder, { recursive: true });
const peersHere = ['nginx', 'haproxy'].map((program) => {
  const { stdout, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  return `${program} ${/\d+(\.\d+)+/.exec(stdout + stderr)?.[0]}`;
});
console.log(
  [cpus()[0]?.model.trim(), `${cpus().length} cores`, `Node ${process.versions.node}`, ...peersHere].join(', '),
);
const names = values.only.split(',');
for (const text of values.workload.split(',')) {
  const [bytes, connections] = text.split('x').map(Number) as [number, number];
  const { target, body } = workload(bytes);
  writeFileSync(join(folder, 'body.json'), body);
  const upstream = await start(origin, loadCore);
  const runners: Runner[] = [];
  for (const contender of contenders.filter(({ name }) => names.includes(name))) {
    const runner = await start(contender, proxyCore, upstream.port);
    runners.push(runner);
    const response = await fetch(`http://127.0.0.1:${runner.port}${target}`, { headers });
    if ((await response.text()) !== body) throw new Error(`${runner.name} passes other bytes than the origin sent`);
    await measure(runner, target, connections, '1');
  }
  for (let round = 0; round < Number(values.rounds); round++)
    for (const runner of runners) runner.samples.push(await measure(runner, target, connections, values.seconds));
  console.log(
    `\n## ${bytes} B, ${connections} connections, medians of ${values.rounds} rounds of ${values.seconds} s\n\n${tableOf(runners)}`,
  );
  for (const { kill } of [...runners, upstream]) await kill();
}
