// Measures our proxy beside others, in turns: every round visits each of them once, so that what else happens on the machine meets
// all alike. Needs nginx, haproxy, wrk and taskset.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import getPort from 'get-port';
import { type Contender, contenders } from './contenders.ts';
import { startOrigin, type Workload, workload } from './origin.ts';
import { cpuMicroseconds, loadCore, peakMegabytes, proxyCore, startPinned } from './processes.ts';

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

/** Starts a contender and checks that it passes the origin's exact bytes. */
async function start(contender: Contender, { target, body }: Workload, upstreamPort: number) {
  const port = await getPort();
  const command = contender.command({ port, upstreamPort, folder });
  const started = await startPinned(proxyCore, command, port);
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers });
  if ((await response.text()) !== body) throw new Error(`${contender.name} passes other bytes than the origin sent`);
  return { ...started, title: contender.title, name: contender.name, port, samples: [] as Sample[] };
}

type Runner = Awaited<ReturnType<typeof start>>;

/** Measures one contender once. */
async function measure({ pid, port }: Runner, { connections, target }: Workload, seconds: string): Promise<Sample> {
  const before = cpuMicroseconds(pid);
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '20s', '-s', script, ...lines];
  const wrk = ['-c', String(loadCore), 'wrk', ...flags, `http://127.0.0.1:${port}${target}`];
  const { stdout } = await promisify(execFile)('taskset', wrk);
  const load = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? 'null') as Load;
  const { requests, microseconds, p50, p99, errors } = load;
  return { cpu: (cpuMicroseconds(pid) - before) / requests, rate: requests / (microseconds / 1e6), p50, p99, errors };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2;
}

/** The table of one workload, least processor time first. A ratio is the median over the rounds of both figures in one round. */
function tableOf(runners: readonly Runner[]): string {
  const nginx = runners.find(({ name }) => name === 'nginx');
  const rows = runners.map(({ title, pid, samples }) => {
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
    return {
      cpu: figure('cpu'),
      line: [title, ...cells, ...latencies, peakMegabytes(pid).toFixed(0), errors].join(' | '),
    };
  });
  const head = 'proxy | CPU ÷ nginx | CPU µs/request | requests/s | rate ÷ nginx | p50 µs | p99 µs | peak MB | errors';
  const lines = rows.sort((a, b) => a.cpu - b.cpu).map(({ line }) => line);
  return [head, `---${' | --:'.repeat(8)}`, ...lines].map((line) => `| ${line} |`).join('\n');
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
  const each = workload(bytes, connections);
  const origin = await startOrigin(folder, each);
  const runners: Runner[] = [];
  for (const contender of contenders.filter(({ name }) => names.includes(name)))
    runners.push(await start(contender, each, origin.port));
  for (const runner of runners) await measure(runner, each, '1');
  for (let round = 0; round < Number(values.rounds); round++)
    for (const runner of runners) runner.samples.push(await measure(runner, each, values.seconds));
  console.log(
    `\n## ${bytes} B, ${connections} connections, medians of ${values.rounds} rounds of ${values.seconds} s\n\n${tableOf(runners)}`,
  );
  for (const { kill } of [...runners, origin]) await kill();
}
