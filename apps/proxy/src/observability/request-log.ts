import { traceIdOf } from '../request/trace-context.js';
import { hasFailed, type Observer, type RequestRecord, type UnexpectedError } from './observer.js';

/** What is logged: nothing, requests that failed, every request, or every request with its reason. */
export type LogLevel = 'silent' | 'error' | 'info' | 'debug';

/** Writes one line. `members` is the text of the members of a JSON object in ASCII, without its braces. */
export type WriteLine = (severity: 'info' | 'error', members: string) => void;

/** The log of requests. A line is text from the start: no object is made for it, which would cost more than all of its values. */
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
    this.#write(failed ? 'error' : 'info', membersOf(record, this.level === 'debug', failed));
  }

  unexpected({ requestId, name, frames }: UnexpectedError): void {
    if (this.level !== 'silent')
      this.#write('error', asciiOf({ requestId, unexpectedError: name, frames }).slice(1, -1));
  }
}

function membersOf(record: RequestRecord, isDetailed: boolean, failed: boolean): string {
  const { requestId, method, template, status, code, bytes, durationMs } = record;
  let members = `"requestId":${quoted(requestId)},"method":"${method}","template":"${template}","status":${status}`;
  members += `,"code":${quoted(code)},"bytes":${bytes},"ms":${tenths(durationMs)}`;
  if (record.upstreamMs !== 0) members += `,"upstreamMs":${tenths(record.upstreamMs)}`;
  if (record.client !== '') members += `,"client":${quoted(record.client)}`;
  if (record.address !== '') members += `,"address":${quoted(record.address)}`;
  if (record.upstreamRequestId !== '') members += `,"upstreamRequestId":${quoted(record.upstreamRequestId)}`;
  if (record.traceParent !== '') members += `,"traceId":${quoted(traceIdOf(record.traceParent))}`;
  // What keeps the upstream from responding is said at every level.
  if (isDetailed || (failed && record.reason !== '')) members += `,"reason":${quoted(record.reason)}`;
  return isDetailed ? `${members},"attempts":${record.attempts}` : members;
}

const tenths = (ms: number) => Math.round(ms * 10) / 10;

// Visible ASCII and spaces, without the quotation mark and the backslash.
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** A text as JSON in ASCII. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : asciiOf(text);
}

/** JSON in ASCII, so that a line has as many bytes as characters. */
function asciiOf(value: string | object): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, escaped);
}
