// Records the metrics of a program while a test disturbs it, and asks promtool which alerts they raise. Each look at the metrics counts as a
// minute, so that a drill of a second stands for half an hour.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const rulesFile = fileURLToPath(new URL('../../deploy/alert-rules.yaml', import.meta.url));

export const rules = parse(readFileSync(rulesFile, 'utf8')).groups[0].rules as { alert: string; expr: string }[];
const used = new Set(rules.flatMap(({ expr }) => expr.match(/\b(?:vds_proxy|process|nodejs)_\w+/g) ?? []));

const own = 'instance="a:9090",job="vds-proxy"';

/** A test of promtool, with a name. */
export interface Expectation {
  readonly name: string;
  readonly test: object;
}

/** What promtool says against expectations, with their names, which not every version of it prints; empty when all of them are met. */
export function objections(expectations: readonly Expectation[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'alerts-')), 'tests.yaml');
  const tests = expectations.map(({ test }) => test);
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  if (status === 0) return '';
  const [one, ...others] = expectations;
  if (one !== undefined && others.length === 0) return `${one.name}: ${stdout}${stderr}`;
  return expectations.map((each) => objections([each])).join('') || stdout + stderr;
}

/** The metrics of one program, a minute after the other. */
export class RecordedMetrics {
  readonly #series = new Map<string, (number | null)[]>();
  #minutes = 0;
  #laterSeconds = 0;

  /** @param page the page of metrics, or `null` when there was none @param more values that a drill would take too long for */
  add(page: string | null, more: Readonly<Record<string, number>> = {}): void {
    this.#note(`up{${own}}`, page === null ? 0 : 1);
    for (const line of page?.split('\n') ?? []) {
      const [, name = '', labels = '', text = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (!used.has(name)) continue;
      const value = more[name] ?? Number(text);
      // The clock of promtool begins in 1970.
      const startSeconds = Date.now() / 1000 + this.#laterSeconds - this.#minutes * 60;
      const shown = name.endsWith('_timestamp_seconds') ? value - startSeconds : value;
      this.#note(`${name}{${labels === '' ? '' : `${labels},`}${own}}`, shown);
    }
    this.#minutes++;
  }

  /** What is recorded from now on is that of a time so many days later, as far as it names one. */
  pass(days: number): void {
    this.#laterSeconds += days * 86_400;
  }

  /** A test of promtool: these alerts fire at the end of what is recorded so far, and no others. */
  expectation(name: string, alerts: readonly string[]): Expectation {
    const series = [...this.#series].map(([name, values]) => ({
      series: name,
      values: Array.from({ length: this.#minutes }, (_, minute) => values[minute] ?? 'stale').join(' '),
    }));
    const expected = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
    const expr = 'group by (alertname) (ALERTS{alertstate="firing"})';
    const question = { expr, eval_time: `${this.#minutes - 1}m`, exp_samples: expected };
    return { name, test: { interval: '1m', input_series: series, promql_expr_test: [question] } };
  }

  #note(series: string, value: number): void {
    const values = this.#series.get(series) ?? [];
    this.#series.set(series, values);
    while (values.length < this.#minutes) values.push(null);
    values.push(value);
  }
}
