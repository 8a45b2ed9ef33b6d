import type { Row } from './interleave.ts';
import { medianOf, ratioOf } from './medians.ts';
import type { Workload } from './workloads.ts';

/** A number with so many digits after the point, or a dash when there is none. */
export function shown(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

/** Lines of a Markdown table; every column but the first is aligned to the right. */
export function markdownTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The table of one workload, least processor time first. */
export function workloadTable(rows: readonly Row[], workload: Pick<Workload, 'bytes'>): string {
  const nginx = rows.find((row) => row.name === 'nginx');
  const hono = rows.find((row) => row.name === 'hono-proxy');
  const large = workload.bytes >= 100_000;
  const cpu = large ? 'cpuPerMegabyte' : 'cpuPerRequest';
  const head = [
    'proxy',
    'CPU ÷ nginx',
    large ? 'CPU µs/MB' : 'CPU µs/request',
    large ? 'MB/s' : 'requests/s',
    'req/s ÷ nginx',
  ];
  if (hono !== undefined) head.push('req/s ÷ hono/proxy');
  head.push('p50 µs', 'p99 µs', 'p99 ÷ nginx', 'peak MB', 'errors');
  const measured = rows.filter((row) => row.samples.length > 0).sort((a, b) => medianOf(a, cpu) - medianOf(b, cpu));
  const lines = measured.map((row) => {
    const cells = [row.title, shown(ratioOf(row, nginx, cpu), 2), shown(medianOf(row, cpu), large ? 0 : 1)];
    cells.push(shown(medianOf(row, large ? 'megabytesPerSecond' : 'requestsPerSecond')));
    cells.push(shown(ratioOf(row, nginx, 'requestsPerSecond'), 2));
    if (hono !== undefined) cells.push(shown(ratioOf(row, hono, 'requestsPerSecond'), 2));
    cells.push(shown(medianOf(row, 'p50')), shown(medianOf(row, 'p99')), shown(ratioOf(row, nginx, 'p99'), 2));
    cells.push(shown(row.memory.peak), String(row.samples.reduce((sum, sample) => sum + sample.errors, 0)));
    return cells;
  });
  const left = rows
    .filter((row) => row.problem !== '')
    .map((row) => `\n- ${row.title} was left out: it ${row.problem}`);
  return `${markdownTable(head, lines)}\n${left.join('')}`;
}
