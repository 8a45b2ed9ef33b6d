import type { Row, Sample } from './interleave.ts';
import type { Workload } from './workloads.ts';

/** The middle value of a list; the mean of the two middle ones when there are two. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2;
}

const medianOf = (row: Row, figure: keyof Sample) => median(row.samples.map((sample) => sample[figure]));

/**
 * The median over all rounds of one contender's figure divided by another's in the same round. Steadier than a ratio of two medians
 * on a machine that also does other work.
 */
function ratioOf(row: Row, other: Row | undefined, figure: keyof Sample): number {
  const pairs = row.samples.map((sample, round) => sample[figure] / (other?.samples[round]?.[figure] ?? Number.NaN));
  return median(pairs.filter((value) => Number.isFinite(value)));
}

/** A number with so many digits after the point, or a dash when there is none. */
function shown(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

/** Lines of a Markdown table; every column but the first is aligned to the right. */
function markdownTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The table of one workload, least processor time first. */
export function workloadTable(rows: readonly Row[], workload: Pick<Workload, 'bytes'>): string {
  const nginx = rows.find((row) => row.name === 'nginx');
  const large = workload.bytes >= 100_000;
  const cpu = large ? 'cpuPerMegabyte' : 'cpuPerRequest';
  const rate = large ? 'megabytesPerSecond' : 'requestsPerSecond';
  const units = large ? ['CPU µs/MB', 'MB/s'] : ['CPU µs/request', 'requests/s'];
  const head = ['proxy', 'CPU ÷ nginx', ...units, 'rate ÷ nginx', 'p50 µs', 'p99 µs', 'peak MB', 'errors'];
  const measured = rows.filter((row) => row.samples.length > 0).sort((a, b) => medianOf(a, cpu) - medianOf(b, cpu));
  const lines = measured.map((row) => [
    row.title,
    shown(ratioOf(row, nginx, cpu), 2),
    shown(medianOf(row, cpu), large ? 0 : 1),
    shown(medianOf(row, rate)),
    shown(ratioOf(row, nginx, rate), 2),
    shown(medianOf(row, 'p50')),
    shown(medianOf(row, 'p99')),
    shown(row.memory.peak),
    String(row.samples.reduce((sum, sample) => sum + sample.errors, 0)),
  ]);
  const left = rows.filter(({ problem }) => problem !== '');
  const notes = left.map(({ title, problem }) => `\n- ${title} was left out: it ${problem}`);
  return `${markdownTable(head, lines)}\n${notes.join('')}`;
}
