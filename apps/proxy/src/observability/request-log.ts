import { traceIdOf } from '../request/trace-context.js';
import { hasFailed, type Observer, type RequestRecord, type UnexpectedError } from './observer.js';

/** What is logged: nothing, requests that failed, every request, or every request with its reason. */
export type LogLevel = 'silent' | 'error' | 'info' | 'debug';

type WriteLine = (severity: 'info' | 'error', fields: Readonly<Record<string, unknown>>) => void;

export class RequestLog implements Observer {
  level: LogLevel;
  readonly #write: WriteLine;

  constructor(level: LogLevel, write: WriteLine) {
    this.level = level;
    this.#write = write;
  }

  call(record: RequestRecord): void {
    const failed = hasFailed(record);
    if (this.level === 'silent' || (this.level === 'error' && !failed)) return;
    const { requestId, method, template, status, code, bytes, durationMs, client, address, traceParent } = record;
    const detailed = this.level === 'debug';
    this.#write(failed ? 'error' : 'info', {
      requestId,
      method,
      template,
      status,
      code,
      bytes,
      ms: tenths(durationMs),
      ...(record.upstreamMs === 0 ? {} : { upstreamMs: tenths(record.upstreamMs) }),
      ...(client === '' ? {} : { client }),
      ...(address === '' ? {} : { address }),
      ...(record.upstreamRequestId === '' ? {} : { upstreamRequestId: record.upstreamRequestId }),
      ...(traceParent === '' ? {} : { traceId: traceIdOf(traceParent) }),
      // What keeps the upstream from responding is said at every level.
      ...(detailed || (failed && record.reason !== '') ? { reason: record.reason } : {}),
      ...(detailed ? { attempts: record.attempts } : {}),
    });
  }

  unexpected({ requestId, name, frames }: UnexpectedError): void {
    if (this.level !== 'silent') this.#write('error', { requestId, unexpectedError: name, frames });
  }
}

const tenths = (ms: number) => Math.round(ms * 10) / 10;
