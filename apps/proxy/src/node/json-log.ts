import type { CallRecord, Observer } from '../observer.js';
import { traceIdOf } from '../trace-context.js';

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
    lines += lineOf(record, level === 'debug');
    timer ??= setTimeout(flush, 100).unref();
    if (lines.length > 65_536) flush();
  };
  return { call, flush };
}

let timeText = '';
let timeOfMs = 0;

/** The time of day, made once a millisecond at most. */
function timeOfDay(): string {
  const nowMs = Date.now();
  if (nowMs !== timeOfMs) {
    timeOfMs = nowMs;
    timeText = new Date(nowMs).toISOString();
  }
  return timeText;
}

/** One line. Every text in a record is of fixed words or of a checked form, so none of them needs quoting. */
function lineOf(record: CallRecord, detailed: boolean): string {
  const { requestId, method, template, status, code, bytes, durationMs, caller, traceParent } = record;
  let line = `{"time":"${timeOfDay()}","requestId":"${requestId}","method":"${method}","template":"${template}"`;
  line += `,"status":${status},"code":"${code}","bytes":${bytes},"ms":${Math.round(durationMs * 10) / 10}`;
  if (caller !== '') line += `,"caller":"${caller}"`;
  if (traceParent !== '') line += `,"traceId":"${traceIdOf(traceParent)}"`;
  if (detailed) line += `,"reason":${JSON.stringify(record.reason)},"attempts":${record.attempts}`;
  return `${line}}\n`;
}
