// Progress on stderr: one line that is drawn again on a terminal, a line a minute elsewhere.
import type { LedgerCounts } from '../ledger/counts.js';

const drawEveryMs = 1_000;
const writeEveryMs = 60_000;
const clearLine = '\r\u001b[K';

/** Where progress is written. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** The progress of a run. */
export interface Progress {
  /** Prints a line of its own. */
  readonly note: (text: string) => void;
  readonly stop: () => void;
}

/** Shows what `count` finds until it is stopped. What `count` throws is dropped. */
export function startProgress(stderr: Terminal, count: () => Promise<LedgerCounts>): Progress {
  const isTerminal = stderr.isTTY === true;
  let [line, isStopped, isCounting] = ['', false, false];
  let last: { readonly ms: number; readonly done: number } | undefined;
  let rate = 0;
  async function show(): Promise<void> {
    if (isCounting) return;
    isCounting = true;
    const counts = await count().catch(() => undefined);
    isCounting = false;
    if (isStopped || !counts) return;
    const now = performance.now();
    const done = counts.windows - counts.due;
    if (last) rate = 0.7 * rate + (0.3 * Math.max(0, done - last.done) * 1000) / Math.max(1, now - last.ms);
    last = { ms: now, done };
    line = progressText(counts, rate);
    stderr.write(isTerminal ? `${clearLine}${line.slice(0, (stderr.columns ?? 80) - 3)}` : `${line}\n`);
  }
  const timer = setInterval(() => void show(), isTerminal ? drawEveryMs : writeEveryMs);
  return {
    note: (text) => void stderr.write(isTerminal ? `${clearLine}${text}\n${line}` : `${text}\n`),
    stop() {
      isStopped = true;
      clearInterval(timer);
      if (isTerminal) stderr.write(clearLine);
    },
  };
}

/** One line about a ledger. `rate` is in windows a second. */
export function progressText({ vehicles, windows, due, bytes }: LedgerCounts, rate: number): string {
  const facts = [`${windows - due} of ${windows} windows`, `${vehicles} vehicles`, `${(bytes / 1e6).toFixed(1)} MB`];
  if (due === 0) return [...facts, 'nothing is due'].join(' | ');
  const left = rate > 0.01 ? `${Math.ceil(due / rate)} s left` : 'waiting for the service';
  return [...facts, `${rate.toFixed(1)} windows/s`, left].join(' | ');
}
