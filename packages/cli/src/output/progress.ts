// Progress on stderr: one line that is drawn again on a terminal, a line every ten seconds elsewhere.
import type { ExportProgress } from '@vehicle-data/archive';
import type { Streams } from '../streams.js';
import { widthOf } from './table.js';

const lineEveryMs = 10_000;
const drawEveryMs = 100;
/** The rate is that of so many last updates, so that windows which were there already do not count for long. */
const rateOfLast = 50;
/** Ctrl-C is echoed as ^C behind the line, which must not wrap. */
const roomForEcho = 3;
const longestBar = 40;
const leastBar = 5;

const toStartOfLine = '\r';
const clearToEnd = '\u001b[K';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const nothing = () => {};

export interface Progress {
  readonly update: (progress: ExportProgress) => void;
  /** Takes the line away, so that what is printed next begins on an empty line. */
  readonly stop: () => void;
}

/** @param now The clock, in ms. Default: `Date.now`. */
export function startProgress({ stderr }: Streams, isQuiet: boolean, now: () => number = Date.now): Progress {
  if (isQuiet) return { update: nothing, stop: nothing };
  return stderr.isTTY === true ? drawLine(stderr, now) : writeLines(stderr, now);
}

function writeLines(stderr: Streams['stderr'], now: () => number): Progress {
  let saidMs = now();
  const update = ({ windowsDone, windowsTotal, bytes }: ExportProgress) => {
    if (now() - saidMs < lineEveryMs) return;
    saidMs = now();
    stderr.write(`${windowsDone} of ${windowsTotal} windows, ${megabytes(bytes)}\n`);
  };
  return { update, stop: nothing };
}

function drawLine(stderr: Streams['stderr'], now: () => number): Progress {
  const recent: { readonly ms: number; readonly done: number }[] = [{ ms: now(), done: 0 }];
  let drawnMs = Number.NEGATIVE_INFINITY;
  const update = (progress: ExportProgress) => {
    const ms = now();
    recent.push({ ms, done: progress.windowsDone });
    if (recent.length > rateOfLast) recent.shift();
    const isLast = progress.windowsDone === progress.windowsTotal;
    if (ms - drawnMs < drawEveryMs && !isLast) return;
    drawnMs = ms;
    stderr.write(`${toStartOfLine}${progressLine(progress, rateOf(recent), stderr.columns || 80)}${clearToEnd}`);
  };
  const stop = () => {
    if (Number.isFinite(drawnMs)) stderr.write(`${toStartOfLine}${clearToEnd}`);
  };
  return { update, stop };
}

/** Windows a second. */
function rateOf(recent: readonly { readonly ms: number; readonly done: number }[]): number {
  const [first, last] = [recent[0], recent.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return ((last.done - first.done) * 1000) / Math.max(1, last.ms - first.ms);
}

/** Bar, count and time left in at most `columns` cells; what matters least goes first where there are few. */
function progressLine({ windowsDone, windowsTotal, bytes }: ExportProgress, rate: number, columns: number): string {
  const left = rate > 0 ? `${durationText((windowsTotal - windowsDone) / rate)} left` : 'time left unknown';
  const facts = [`${windowsDone}/${windowsTotal} windows`, left, megabytes(bytes), `${rate.toFixed(1)} windows/s`];
  const width = columns - roomForEcho;
  while (facts.length > 1 && widthOf(facts.join(' | ')) + 1 + leastBar > width) facts.pop();
  const text = facts.join(' | ');
  const room = Math.min(longestBar, width - widthOf(text) - 1);
  if (room < leastBar) return text.slice(0, Math.max(0, width));
  const filled = windowsTotal === 0 ? room : Math.floor((room * windowsDone) / windowsTotal);
  return `${'='.repeat(filled)}${'-'.repeat(room - filled)} ${text}`;
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
