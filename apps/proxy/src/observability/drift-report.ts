/** How often one rule was broken at one place of one operation's responses. */
interface DriftFinding {
  readonly operationId: string;
  /** Place in the response, with every array index shown as `*`. */
  readonly pointer: string;
  readonly rule: string;
  count: number;
}

const maxFindings = 500;

/** Receives every finding the first time it turns up. */
export type DriftListener = (finding: Pick<DriftFinding, 'operationId' | 'pointer' | 'rule'>) => void;

/**
 * Contract drift: where responses of the upstream violate the contract. Findings are counted by operation, pointer and rule, at most
 * 500 different ones; no value of a response is ever held.
 */
export class DriftReport {
  readonly #onNew: DriftListener;
  readonly #findings = new Map<string, DriftFinding>();
  readonly #skipped = new Map<string, number>();
  #checked = 0;
  #overflow = 0;

  constructor(onNew: DriftListener) {
    this.#onNew = onNew;
  }

  noteChecked(): void {
    this.#checked++;
  }

  /** Notes one response that was not checked; `reason` is one of a few fixed words. */
  noteSkipped(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  add(operationId: string, at: string, rule: string): void {
    const pointer = at.replace(/\/\d+(?=\/|$)/g, '/*');
    const key = `${operationId} ${pointer} ${rule}`;
    const known = this.#findings.get(key);
    if (known !== undefined) known.count++;
    else if (this.#findings.size >= maxFindings) this.#overflow++;
    else {
      this.#findings.set(key, { operationId, pointer, rule, count: 1 });
      this.#onNew({ operationId, pointer, rule });
    }
  }

  /** Responses that were checked, or not and why, findings beyond the limit, and the findings, the most frequent first. */
  snapshot() {
    return {
      checked: this.#checked,
      skipped: Object.fromEntries(this.#skipped),
      overflow: this.#overflow,
      findings: [...this.#findings.values()].sort((a, b) => b.count - a.count),
    };
  }
}
