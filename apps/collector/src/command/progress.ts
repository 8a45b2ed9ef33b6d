// Progress on stderr: one line that is drawn again on a terminal, a line a minute elsewhere.
import type { LedgerCounts } from '../ledger/counts.js';
import type { Waits } from '../ledger/waits.js';
import { ageText } from './age-text.js';

const drawEveryMs = 1_000;
const writeEveryMs = 60_000;
const clearLine = '\r\u001b[K';
const barWidth = 20;

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

/** What a run has done, and what it waits for. */
export interface RunState {
  readonly counts: LedgerCounts;
  readonly waits: Waits;
}

/** Says on a terminal what is being done until it is, for what takes a moment before there is progress. */
export async function whileShown<Result>(stderr: Terminal, text: string, work: () => Promise<Result>): Promise<Result> {
  if (stderr.isTTY !== true) return work();
  stderr.write(text);
  try {
    return await work();
  } finally {
    stderr.write(clearLine);
  }
}

/** Shows what `read` finds until it is stopped. What `read` throws is dropped: the line stays as it was. */
export function startProgress(stderr: Terminal, read: () => Promise<RunState>): Progress {
  const isTerminal = stderr.isTTY === true;
  const rate = createRate();
  let [line, isStopped, isReading] = ['', false, false];
  async function show(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const state = await read().catch(() => undefined);
    isReading = false;
    if (isStopped || !state) return;
    const perSecond = rate(state.counts);
    line = isTerminal ? barLine(state, perSecond, (stderr.columns ?? 80) - 1) : progressText(state, perSecond);
    stderr.write(isTerminal ? `${clearLine}${line}` : `${line}\n`);
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

/** Windows a second, smoothed over the last few counts. Counts that were seen before say nothing new. */
function createRate(): (counts: LedgerCounts) => number | undefined {
  let last: { readonly counts: LedgerCounts; readonly ms: number } | undefined;
  let rate: number | undefined;
  return (counts) => {
    if (counts === last?.counts) return rate;
    const ms = performance.now();
    if (last) {
      const now = (Math.max(0, doneOf(counts) - doneOf(last.counts)) * 1000) / Math.max(1, ms - last.ms);
      rate = rate === undefined ? now : 0.7 * rate + 0.3 * now;
    }
    last = { counts, ms };
    return rate;
  };
}

const doneOf = ({ windows, due }: LedgerCounts) => windows - due;

/** A bar and as many of the facts as fit, the most important first. */
function barLine(state: RunState, perSecond: number | undefined, columns: number): string {
  const { counts } = state;
  const share = counts.windows === 0 ? 0 : doneOf(counts) / counts.windows;
  const full = Math.floor(share * barWidth);
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${Math.floor(share * 100)} %`;
  // What stands still is shown before how fast it went.
  const facts = [...waitTexts(state), ...speedTexts(counts, perSecond), ...factTexts(counts)];
  let line = bar;
  for (const fact of facts) if (line.length + fact.length + 3 <= columns) line += ` | ${fact}`;
  return line.slice(0, columns);
}

/** One line for a log. */
export function progressText(state: RunState, perSecond: number | undefined): string {
  const { counts } = state;
  return [...factTexts(counts), ...speedTexts(counts, perSecond), ...waitTexts(state)].join(' | ');
}

function factTexts(counts: LedgerCounts): readonly string[] {
  const { windows, vehicles, bytes } = counts;
  return [`${doneOf(counts)} of ${windows} windows`, `${vehicles} vehicles`, `${(bytes / 1e6).toFixed(1)} MB`];
}

function speedTexts({ due }: LedgerCounts, perSecond: number | undefined): readonly string[] {
  if (due === 0) return ['nothing is due'];
  if (perSecond === undefined) return [];
  return [...(perSecond > 0.01 ? [`${ageText(due / perSecond)} left`] : []), `${perSecond.toFixed(1)} windows/s`];
}

/** What stands still, and why. */
function waitTexts({ counts, waits }: RunState): readonly string[] {
  const texts: string[] = [];
  if (waits.upstreams.some(({ isDown }) => isDown))
    texts.push('the service does not work: one call at a time tries it');
  const held = Math.max(0, ...waits.rates.map((rate) => rate.held));
  if (held > 0) texts.push(`the service asks to wait: ${ageText(held)}`);
  for (const { code, accounts } of waits.parked)
    texts.push(`${accounts} ${plural(accounts, 'account')} parked: ${code}`);
  if (counts.accountsPaused > 0)
    texts.push(`${counts.accountsPaused} ${plural(counts.accountsPaused, 'account')} paused`);
  if (counts.purging > 0) texts.push(`${counts.purging} ${plural(counts.purging, 'vehicle')} being deleted`);
  if (counts.unconfirmed > 0) texts.push(`${counts.unconfirmed} missing from a list: see accounts list`);
  return texts;
}

const plural = (count: number, word: string) => (count === 1 ? word : `${word}s`);
