import { type LogLevel, lineOf, wantsLine } from '../log-line.js';
import type { CallRecord, Observer } from '../observer.js';

/**
 * Writes one line of JSON for each call. Lines are collected and written together, at the latest after a tenth of a second.
 *
 * @param write takes the lines
 */
export function jsonLog(level: LogLevel, write: (text: string) => void): Observer & { flush(): void } {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') write(lines);
    lines = '';
  };
  const call = (record: CallRecord) => {
    if (!wantsLine(level, record)) return;
    lines += `${lineOf(record, level === 'debug')}\n`;
    timer ??= setTimeout(flush, 100).unref();
    if (lines.length > 65_536) flush();
  };
  return { call, flush };
}
