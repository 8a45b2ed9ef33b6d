/** How often one rule was broken at one place of one operation's responses. */
export interface DriftFinding {
  readonly operationId: string;
  /** Place in the response, with every array index shown as `*`. */
  readonly pointer: string;
  readonly rule: string;
  readonly count: number;
  /** Times of the first and last finding, ISO 8601 UTC. */
  readonly first: string;
  readonly last: string;
}

/** Contract drift: where responses of the upstream violate the contract. It never holds a value of a response. */
export interface DriftSnapshot {
  /** Responses that were checked. */
  readonly checked: number;
  /** Responses that were not checked, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Findings beyond the greatest number of different ones. */
  readonly overflow: number;
  readonly findings: readonly DriftFinding[];
}

interface Entry {
  readonly operationId: string;
  readonly pointer: string;
  readonly rule: string;
  count: number;
  readonly firstMs: number;
  lastMs: number;
}

const maxFindings = 500;

/** Receives every finding the first time it turns up. */
export type DriftListener = (finding: Pick<DriftFinding, 'operationId' | 'pointer' | 'rule'>) => void;

/** Counts findings by operation, pointer and rule; holds at most 500 different ones. */
export class DriftReport {
  readonly #onNew: DriftListener;
  readonly #entries = new Map<string, Entry>();
  readonly #skipped = new Map<string, number>();
  #checked = 0;
  #overflow = 0;

  constructor(onNew: DriftListener = () => {}) {
    this.#onNew = onNew;
  }

  /** Notes one response that was checked. */
  noteChecked(): void {
    this.#checked++;
  }

  /** Notes one response that was not checked; `reason` is one of a few fixed words. */
  noteSkipped(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** Notes one finding. */
  add(operationId: string, pointer: string, rule: string): void {
    const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    const key = `${operationId} ${place} ${rule}`;
    const nowMs = Date.now();
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      entry.count++;
      entry.lastMs = nowMs;
    } else if (this.#entries.size >= maxFindings) {
      this.#overflow++;
    } else {
      this.#entries.set(key, { operationId, pointer: place, rule, count: 1, firstMs: nowMs, lastMs: nowMs });
      this.#onNew({ operationId, pointer: place, rule });
    }
  }

  snapshot(): DriftSnapshot {
    const findings = [...this.#entries.values()].map(({ firstMs, lastMs, ...rest }) => ({
      ...rest,
      first: new Date(firstMs).toISOString(),
      last: new Date(lastMs).toISOString(),
    }));
    return {
      checked: this.#checked,
      skipped: Object.fromEntries(this.#skipped),
      overflow: this.#overflow,
      findings: findings.sort((a, b) => b.count - a.count),
    };
  }
}
