import { AggregatorRegistry, type Registry } from 'prom-client';
import type { DriftFinding, DriftSnapshot } from '../../drift-report.js';
import type { TokenStatuses, WorkerReport } from './messages.js';

type Metrics = WorkerReport['metrics'];

/**
 * The metrics of all workers as one. What the last look saw of a worker that has ended since stays in the sums: a count that
 * went down would look like calls that never were.
 */
export class MetricsOfAll {
  #ended: Metrics = [];
  readonly #last = new Map<number, Metrics>();

  /** Takes what the workers say now, by their number. */
  async text(reports: ReadonlyMap<number, WorkerReport>): Promise<string> {
    for (const [worker, { metrics }] of reports) this.#last.set(worker, metrics);
    const all = [...(this.#ended.length === 0 ? [] : [this.#ended]), ...this.#last.values()];
    return sumOf(all).metrics();
  }

  /** Keeps the counts of a worker that has ended, and forgets its states. */
  async end(worker: number): Promise<void> {
    const last = this.#last.get(worker);
    if (last === undefined) return;
    this.#last.delete(worker);
    const counts = last.filter((metric) => 'type' in metric && metric.type !== 'gauge');
    this.#ended = await sumOf([...(this.#ended.length === 0 ? [] : [this.#ended]), counts]).getMetricsAsJSON();
  }
}

function sumOf(all: readonly Metrics[]): Registry {
  return AggregatorRegistry.aggregate(all.map((each) => [...each]));
}

/** The drift reports of all workers as one. */
export function driftOfAll(snapshots: readonly DriftSnapshot[]): DriftSnapshot {
  const findings = new Map<string, DriftFinding>();
  const skipped: Record<string, number> = {};
  for (const snapshot of snapshots) {
    for (const [reason, answers] of Object.entries(snapshot.skipped))
      skipped[reason] = (skipped[reason] ?? 0) + answers;
    for (const finding of snapshot.findings) {
      const key = `${finding.operationId} ${finding.pointer} ${finding.rule}`;
      const known = findings.get(key);
      findings.set(key, known === undefined ? finding : together(known, finding));
    }
  }
  const sum = (value: (snapshot: DriftSnapshot) => number) => snapshots.reduce((all, each) => all + value(each), 0);
  return {
    checked: sum(({ checked }) => checked),
    skipped,
    overflow: sum(({ overflow }) => overflow),
    findings: [...findings.values()].sort((a, b) => b.count - a.count),
  };
}

function together(one: DriftFinding, other: DriftFinding): DriftFinding {
  const [first = ''] = [one.first, other.first].sort();
  const [, last = ''] = [one.last, other.last].sort();
  return { ...one, count: one.count + other.count, first, last };
}

/** The state of each brand's token where it is best known: workers share the tokens, but each learns of one when it needs it. */
export function tokensOfAll(all: readonly TokenStatuses[]): TokenStatuses {
  const best = new Map<string, TokenStatuses[number]>();
  for (const status of all.flat()) {
    const known = best.get(status.brand);
    if (known === undefined || worth(status) > worth(known)) best.set(status.brand, status);
  }
  return [...best.values()];
}

function worth({ state, expiresInSeconds }: TokenStatuses[number]): number {
  if (state === 'none') return Number.NEGATIVE_INFINITY;
  return state === 'valid' ? (expiresInSeconds ?? 0) : -1;
}
