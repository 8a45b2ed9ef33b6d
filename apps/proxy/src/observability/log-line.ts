import { traceIdOf } from '../request/trace-context.js';
import type { RequestRecord, UnexpectedError } from './observer.js';

/** What is logged: nothing, calls that ended with an error, every call, or every call with its reason. */
export type LogLevel = 'silent' | 'error' | 'info' | 'debug';

/** Whether a call is logged at this level. */
export function wantsLine(level: LogLevel, { status }: RequestRecord): boolean {
  return level !== 'silent' && (level !== 'error' || status >= 500);
}

/** What a log line says of a request, beside the time. */
export function requestFields(record: RequestRecord, detailed: boolean): Readonly<Record<string, unknown>> {
  const { requestId, method, template, status, code, bytes, durationMs, client, address, traceParent } = record;
  return {
    requestId,
    method,
    template,
    status,
    code,
    bytes,
    ms: Math.round(durationMs * 10) / 10,
    ...(client === '' ? {} : { client }),
    ...(address === '' ? {} : { address }),
    ...(record.upstreamRequestId === '' ? {} : { upstreamRequestId: record.upstreamRequestId }),
    ...(traceParent === '' ? {} : { traceId: traceIdOf(traceParent) }),
    // What keeps the upstream from responding is said at every level.
    ...(detailed || (status >= 500 && record.reason !== '') ? { reason: record.reason } : {}),
    ...(detailed ? { attempts: record.attempts } : {}),
  };
}

/** A request as one line of JSON, without a line end. */
export function lineOf(record: RequestRecord, detailed: boolean): string {
  return JSON.stringify({ time: new Date().toISOString(), ...requestFields(record, detailed) });
}

/** An unexpected error as one line of JSON, without a line end. */
export function unexpectedLineOf({ requestId, name, frames }: UnexpectedError): string {
  return JSON.stringify({ time: new Date().toISOString(), requestId, unexpectedError: name, frames });
}
