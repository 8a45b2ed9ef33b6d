import type { CallRecord, Observer } from '../observer.js';

/** What is logged: nothing, calls that ended with an error, every call, or every call with its reason. */
type LogLevel = 'silent' | 'error' | 'info' | 'debug';

/** The level that a setting names; every call when it names none. */
export function logLevelOf(text: string | undefined): LogLevel {
  return text === 'silent' || text === 'error' || text === 'debug' ? text : 'info';
}

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
    if (level === 'silent' || (level === 'error' && record.status < 500)) return;
    const { reason, attempts, durationMs, ...rest } = record;
    const more = level === 'debug' ? { reason, attempts } : {};
    const line = { time: new Date().toISOString(), ...rest, ms: Math.round(durationMs * 10) / 10, ...more };
    lines += `${JSON.stringify(line)}\n`;
    timer ??= setTimeout(flush, 100).unref();
    if (lines.length > 65_536) flush();
  };
  return { call, flush };
}
