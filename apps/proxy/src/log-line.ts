import type { CallRecord } from './observer.js';
import { traceIdOf } from './trace-context.js';

/** What is logged: nothing, calls that ended with an error, every call, or every call with its reason. */
export type LogLevel = 'silent' | 'error' | 'info' | 'debug';

/** The level that a setting names; every call when it names none. */
export function logLevelOf(text: string | undefined): LogLevel {
  return text === 'silent' || text === 'error' || text === 'debug' ? text : 'info';
}

/** Whether a call is logged at this level. */
export function wantsLine(level: LogLevel, { status }: CallRecord): boolean {
  return level !== 'silent' && (level !== 'error' || status >= 500);
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

/**
 * A call as one line of JSON, without a line end. Every text in a record is of fixed words or of a checked form, so none of them
 * needs quoting.
 */
export function lineOf(record: CallRecord, detailed: boolean): string {
  const { requestId, method, template, status, code, bytes, durationMs, caller, traceParent } = record;
  let line = `{"time":"${timeOfDay()}","requestId":"${requestId}","method":"${method}","template":"${template}"`;
  line += `,"status":${status},"code":"${code}","bytes":${bytes},"ms":${Math.round(durationMs * 10) / 10}`;
  if (caller !== '') line += `,"caller":"${caller}"`;
  if (traceParent !== '') line += `,"traceId":"${traceIdOf(traceParent)}"`;
  if (detailed) line += `,"reason":${JSON.stringify(record.reason)},"attempts":${record.attempts}`;
  return `${line}}`;
}
