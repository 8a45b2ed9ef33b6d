// Writes docs/performance.md and its plot from the raw results in bench/results.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Holdings } from './holdings.ts';
import type { Effort, Row, Sample } from './interleave.ts';
import type { Machine } from './machine.ts';
import { medianOf, ratioOf } from './medians.ts';
import { type Line, plotSheet } from './plot.ts';
import { markdownTable, shown, workloadTable } from './table.ts';

interface Result {
  readonly date: string;
  readonly command: string;
  readonly machine: Machine;
  readonly effort: Effort;
}

interface WorkloadResult extends Result {
  readonly workload: Step;
  readonly rows: Row[];
}

interface Step {
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  readonly connections: number;
  readonly tls: boolean;
}

interface GrowthResult extends Result {
  readonly byConnections: { readonly workload: Step; readonly rows: Row[] }[];
  readonly bySize: { readonly workload: Step; readonly rows: Row[] }[];
  readonly halfLoad: { readonly rows: Row[] };
  readonly holdings: Holdings[];
}

const folder = fileURLToPath(new URL('results/', import.meta.url));
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

function read(prefix: string): WorkloadResult[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(prefix) && file.endsWith('.json'));
  const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkloadResult);
  const order = ({ workload: { tls, bytes, connections } }: WorkloadResult) =>
    Number(tls) * 1e12 + bytes * 1000 + connections;
  return results.map(withEnough).sort((a, b) => order(a) - order(b));
}

/** Fewest requests of a round that say something. */
const fewest = 5;

/** Leaves out proxies that a busy machine, or their own slowness, kept from answering more than a few requests in a round. */
function withEnough(result: WorkloadResult): WorkloadResult {
  const rows = result.rows.map((row) => {
    const enough = row.samples.every(({ requestsPerSecond }) => requestsPerSecond * result.effort.seconds >= fewest);
    return enough ? row : { ...row, samples: [], problem: `answered fewer than ${fewest} requests in a round` };
  });
  return { ...result, rows };
}

const peers = read('peers-');
const guards = read('guards-');
const growth = JSON.parse(readFileSync(join(folder, 'growth.json'), 'utf8')) as GrowthResult;

function named(rows: readonly Row[], name: string): Row | undefined {
  return rows.find((row) => row.name === name);
}

function ratio(
  results: readonly WorkloadResult[],
  workload: string,
  name: string,
  figure: keyof Sample,
  to = 'nginx',
): number {
  const rows = results.find((result) => result.workload.name === workload)?.rows ?? [];
  const row = named(rows, name);
  return row === undefined ? Number.NaN : ratioOf(row, named(rows, to), figure);
}

function value(results: readonly WorkloadResult[], workload: string, name: string, figure: keyof Sample): number {
  return medianOf(named(results.find((result) => result.workload.name === workload)?.rows ?? [], name), figure);
}

function goals(): string {
  const lines: [string, number, number, number][] = [
    ['300 B, 32 connections: CPU ÷ nginx', ratio(peers, '300b-32', 'ours', 'cpuPerRequest'), 2.6, 1.4],
    ['1 MB, 4 connections: CPU per byte ÷ nginx', ratio(peers, '1mb-4', 'ours', 'cpuPerMegabyte'), 1, 0.8],
    ['8 MB, 4 connections: CPU per byte ÷ nginx', ratio(peers, '8mb-4', 'ours', 'cpuPerMegabyte'), 1, 0.8],
    [
      '1 MB, 32 connections: CPU per byte ÷ nginx (beyond the goal)',
      ratio(peers, '1mb-32', 'ours', 'cpuPerMegabyte'),
      1,
      0.8,
    ],
    [
      '8 MB, 32 connections: CPU per byte ÷ nginx (beyond the goal)',
      ratio(peers, '8mb-32', 'ours', 'cpuPerMegabyte'),
      1,
      0.8,
    ],
    ['300 B, 1 connection: p50 ÷ nginx', ratio(peers, '300b-1', 'ours', 'p50'), 1.2, 1],
    [
      '300 B, 32 connections, TLS upstream: CPU ÷ nginx',
      ratio(peers, '300b-32-tls', 'ours', 'cpuPerRequest'),
      2.7,
      1.5,
    ],
    [
      '1 MB, 4 connections, every byte checked: CPU ÷ nginx',
      ratio(guards, '1mb-4', 'report', 'cpuPerMegabyte'),
      3.5,
      2.3,
    ],
    [
      '8 MB, 4 connections, every byte checked: CPU ÷ nginx',
      ratio(guards, '8mb-4', 'report', 'cpuPerMegabyte'),
      3.5,
      2.3,
    ],
    ['8 MB, 4 connections, every byte checked: p99 ÷ nginx', ratio(guards, '8mb-4', 'report', 'p99'), 4, 2],
    [
      'access log + metrics + limits: CPU added to a request, µs',
      value(guards, '300b-32', 'operations', 'cpuPerRequest') -
        value(guards, '300b-32', 'request-checks', 'cpuPerRequest'),
      6,
      3,
    ],
    ['half of peak load, 256 connections: p99 ÷ nginx', halfLoadRatio(), 3, 1.5],
    [
      'memory at 32 connections, MB',
      named(peers.find(({ workload }) => workload.name === '300b-32')?.rows ?? [], 'ours')?.memory.peak ?? Number.NaN,
      110,
      90,
    ],
    [
      'memory with 4 × 8 MB, MB',
      named(guards.find(({ workload }) => workload.name === '8mb-4')?.rows ?? [], 'request-checks')?.memory.peak ??
        Number.NaN,
      120,
      95,
    ],
    ['memory for a slow reader of 100 MB, kB', growth.holdings[0]?.perSlowReader ?? Number.NaN, 600, 300],
    [
      'first answer after the start of the process, ms (least of 11)',
      growth.holdings[0]?.firstAnswerLeast ?? Number.NaN,
      150,
      150,
    ],
  ];
  const hono = ratio(peers, '300b-32', 'ours', 'requestsPerSecond', 'hono-proxy');
  const table = lines.map(([what, reached, must, aim]) => [
    what,
    `≤ ${must}`,
    `≤ ${aim}`,
    shown(reached, 2),
    verdict(reached, must, aim),
  ]);
  table.splice(1, 0, [
    '300 B, 32 connections: requests/s ÷ hono/proxy on Node',
    '≥ 6',
    '≥ 11',
    shown(hono, 2),
    verdict(-hono, -6, -11),
  ]);
  return markdownTable(['what', 'must', 'aim', 'reached', ''], table);
}

function verdict(reached: number, must: number, aim: number): string {
  if (!Number.isFinite(reached)) return 'not measured';
  if (reached <= aim) return 'aim';
  return reached <= must ? 'must' : '**missed**';
}

function halfLoadRatio(): number {
  const ours = named(growth.halfLoad.rows, 'ours');
  return ours === undefined ? Number.NaN : ratioOf(ours, named(growth.halfLoad.rows, 'nginx'), 'p99');
}

function growthTable(steps: GrowthResult['byConnections']): string {
  const head = ['', 'requests/s', 'nginx', 'MB/s', 'nginx', 'p99 µs', 'nginx', 'memory MB', 'nginx'];
  const lines = steps.map(({ workload, rows }) => {
    const [ours, nginx] = [named(rows, 'ours'), named(rows, 'nginx')];
    const pair = (figure: keyof Sample) => [shown(medianOf(ours, figure)), shown(medianOf(nginx, figure))];
    const memory = [shown(ours?.memory.now ?? Number.NaN), shown(nginx?.memory.now ?? Number.NaN)];
    return [workload.title, ...pair('requestsPerSecond'), ...pair('megabytesPerSecond'), ...pair('p99'), ...memory];
  });
  return markdownTable(head, lines);
}

function linesOf(
  steps: GrowthResult['byConnections'],
  x: 'connections' | 'bytes',
  figure: keyof Sample | 'memory',
): Line[] {
  return ['ours', 'nginx'].map((name) => ({
    name: name === 'ours' ? 'vds-proxy' : name,
    points: steps.map(({ workload, rows }) => {
      const row = named(rows, name);
      return { x: workload[x], y: figure === 'memory' ? (row?.memory.now ?? 1) : medianOf(row, figure) };
    }),
  }));
}

const sheet = plotSheet([
  {
    title: 'requests/s by connections (300 B)',
    xTitle: 'connections',
    lines: linesOf(growth.byConnections, 'connections', 'requestsPerSecond'),
  },
  {
    title: 'p99 in µs by connections (300 B)',
    xTitle: 'connections',
    lines: linesOf(growth.byConnections, 'connections', 'p99'),
  },
  {
    title: 'memory in MB by connections (300 B)',
    xTitle: 'connections',
    lines: linesOf(growth.byConnections, 'connections', 'memory'),
  },
  {
    title: 'MB/s by size (16 connections)',
    xTitle: 'bytes of the answer',
    lines: linesOf(growth.bySize, 'bytes', 'megabytesPerSecond'),
  },
  {
    title: 'p99 in µs by size (16 connections)',
    xTitle: 'bytes of the answer',
    lines: linesOf(growth.bySize, 'bytes', 'p99'),
  },
  {
    title: 'memory in MB by size (16 connections)',
    xTitle: 'bytes of the answer',
    lines: linesOf(growth.bySize, 'bytes', 'memory'),
  },
]);
writeFileSync(join(docs, 'performance-growth.svg'), sheet);

/** How busy the machine was with other work, where that was noted. */
function busy({ load }: Partial<Machine>): string {
  return load === undefined ? '' : `, load average ${shown(load, 1)}`;
}

function section(result: WorkloadResult): string {
  const { effort, machine } = result;
  return `### ${result.workload.title}\n\n${result.date.slice(0, 16)}Z, ${effort.rounds} rounds of ${effort.seconds} s${busy(machine)}\n\n${workloadTable(result.rows, result.workload).trim()}`;
}

/** Where somebody else needs less processor time, from the tables. */
function slowerThan(): string {
  const lines = peers.flatMap(({ workload, rows }) => {
    const ours = named(rows, 'ours');
    const figure = workload.bytes >= 100_000 ? 'cpuPerMegabyte' : 'cpuPerRequest';
    if (ours === undefined || ours.samples.length === 0) return [];
    const ahead = rows.filter((row) => row !== ours && row.samples.length > 0 && ratioOf(ours, row, figure) > 1);
    const behind = ahead.map(
      (row) => `${row.title.replaceAll('*', '')} (ours needs ${shown(ratioOf(ours, row, figure), 2)} times as much)`,
    );
    return behind.length === 0 ? [] : [`- ${workload.title}: ${behind.join('; ')}`];
  });
  return lines.length === 0 ? 'In no workload did another proxy need less processor time.' : lines.join('\n');
}

const { machine } = growth;
const versions = Object.entries(machine.programs)
  .map(([name, text]) => `${name} ${text}`)
  .join(', ');
const holdings = markdownTable(
  ['', 'kB for a slow reader of 100 MB', 'kB for 1,000 idle connections', 'first answer, ms: least', 'median'],
  growth.holdings.map((each) => [
    each.title,
    shown(each.perSlowReader),
    shown(each.perThousandIdle),
    shown(each.firstAnswerLeast),
    shown(each.firstAnswerMedian),
  ]),
);

writeFileSync(
  join(docs, 'performance.md'),
  `# Performance of the proxy

This page is written by \`pnpm --filter @vehicle-data/proxy run bench:report\` from the raw results in \`apps/proxy/bench/results\`; no number
on it was typed. Measured on ${growth.date.slice(0, 10)} on ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, Linux ${machine.kernel}: ${versions}.

\`\`\`sh
pnpm --filter @vehicle-data/proxy run bench            # quick: a few peers, three workloads
pnpm --filter @vehicle-data/proxy run bench --full     # every peer, 300 B, 1 MB and 8 MB, 1 to 256 connections, plain and TLS: half an hour
pnpm --filter @vehicle-data/proxy run bench --guards   # what each guard costs
pnpm --filter @vehicle-data/proxy run bench:growth     # growth, half load, slow readers, idle connections, start
pnpm --filter @vehicle-data/proxy run bench:report     # this page
\`\`\`

The bench needs Debian's nginx, haproxy, wrk, openssl and taskset; the peers are installed into \`bench/.cache\` when it runs. The origin (nginx)
and the load generator (wrk) share one core, the proxy under test has the other. Every round visits each proxy once, and a ratio is the median over
the rounds of ours divided by the other's in the same round. The cores were shared with other work while this was measured, so
requests per second, p50 and above all p99 are those of a busy machine; processor time per request and its ratios are the figures to trust.
Before it is measured, every proxy has to hand on the origin's exact bytes. Ours checks every request; except for Prism, no other proxy checks
anything.

## Goals

${goals()}

## Where others need less, and why

${slowerThan()}

nginx and haproxy read and write with compiled code and without a garbage collector. Of the time that ours needs for a short answer, most is
spent in the two system calls that write to the service and to the caller, then in collecting garbage (Node allocates a buffer for every
read of a caller's socket), then in the checks of the request. Long answers go from one reused buffer to the caller's socket.
Connections to the service that nobody has used for three and a half seconds are closed here and kept by nginx, so that with many
connections, over TLS above all, part of each round goes into opening them again.
The \`fetch\` app needs the platform's own HTTP server and client; on Node that is why the program uses neither.

## What each guard costs

${guards.map(section).join('\n\n')}

## Growth

![Throughput, p99 and memory by connections and by size](performance-growth.svg)

### 300 B, from 1 to 1,000 connections

${growthTable(growth.byConnections)}

### 16 connections, from 300 B to 8 MB

${growthTable(growth.bySize)}

### What connections hold, and how fast the program starts

${holdings}

## Every peer, every workload

${peers.map(section).join('\n\n')}
`,
);
