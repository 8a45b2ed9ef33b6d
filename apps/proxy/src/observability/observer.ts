import { attempt } from '../attempt.js';

/** A record of a request that is still being filled in. No member ever holds a path, query, VIN, place, nickname or token. */
export class OpenRecord {
  readonly requestId: string;
  /** A method of the route, or `-` when the request named none of them. */
  method = '-';
  /** Path template of the contract, or `-` when the request matched none. */
  template = '-';
  /** Status sent to the client; 0 when the client left before one was sent. */
  status = 0;
  /** Error code, `upstream-error` for a forwarded error response, or empty for success. */
  code = '';
  /** What happened, in fixed words. */
  reason = '';
  /** Requests sent to the upstream for this request. */
  attempts = 0;
  /** Bytes of the forwarded body. */
  bytes = 0;
  durationMs = 0;
  /** Time from sending the last request to the upstream to the head of its response, in milliseconds; 0 without a response. */
  upstreamMs = 0;
  /** Identifier of the client, or empty. */
  client = '';
  /** Address of the client, or empty. */
  address = '';
  /** The `traceparent` that the upstream gets, or empty. */
  traceParent = '';
  /** The upstream's identifier of its response, or empty. */
  upstreamRequestId = '';
  /** Status of the upstream's response, whatever the client got; 0 without one. */
  upstreamStatus = 0;
  /** Error code of the upstream's error response, or empty. */
  upstreamCode = '';

  constructor(requestId: string) {
    this.requestId = requestId;
  }
}

/** What is known about one finished request. */
export type RequestRecord = Readonly<OpenRecord>;

/** Code of a request that the proxy breaks off because it stops. It may have taken effect. Its client gets no response that could hold it. */
export const brokenOff = 'broken-off-at-stop';

/** Whether a request failed for a reason that is not its client's. A response that is cut has begun with a good status. */
export function hasFailed({ status, code }: RequestRecord): boolean {
  return status >= 500 || code === brokenOff || (status === 200 && /^(?:upstream|internal)-/.test(code));
}

/** An error that no rule of the proxy foresees: its name and where it was thrown, never its message, which could quote a request. */
export interface UnexpectedError {
  /** The request, or empty when it belongs to none. */
  readonly requestId: string;
  readonly name: string;
  readonly frames: readonly string[];
}

/** Receives every finished request, and every unexpected error. An observer that throws or rejects changes nothing for the request. */
export interface Observer {
  call(record: RequestRecord): void;
  unexpected?(error: UnexpectedError): void;
}

const maxFrames = 12;

/** What can be told of a thrown value. */
export function describeError(error: unknown, requestId: string): UnexpectedError {
  if (!(error instanceof Error)) return { requestId, name: typeof error, frames: [] };
  // The message comes first in a stack, and could itself have lines that look like frames.
  const { stack = '', message } = error;
  const afterMessage = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const frames = afterMessage.split('\n').flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []);
  const name = /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'Error';
  return { requestId, name, frames: frames.slice(0, maxFrames) };
}

/** Makes one observer of several. The errors of one are reported to all. */
export function observeTogether(observers: readonly Observer[]): Required<Observer> {
  const unexpected = (error: UnexpectedError) => {
    // An observer that cannot even report an error cannot report its own.
    for (const observer of observers) attempt(() => observer.unexpected?.(error));
  };
  return {
    call(record) {
      const report = (error: unknown) => unexpected(describeError(error, record.requestId));
      for (const observer of observers) attempt(() => observer.call(record), report);
    },
    unexpected,
  };
}
