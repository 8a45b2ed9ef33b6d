import { onceOptions, onWorkers } from '../../../platform/runtime.js';
import { loggableRequestId } from '../../../request/request-id.js';
import { headersOf, responseHeaders } from '../../../response/response-headers.js';
import { isConnectError, platformConnectionProblem } from '../connection-problem.js';
import type {
  UpstreamAttempt,
  UpstreamHead,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from '../upstream-transport.js';
import { type Fetch, socketFetch } from './socket-fetch.js';

/** Greatest length of a body that is read as one piece, in bytes: 64 kB. */
const oneReadBytes = 65_536;

/** The platform's `fetch`, kept from sending a request again after a connection broke that was used before. */
function platformFetchOnce(): Fetch {
  if (onWorkers) return socketFetch();
  const once = onceOptions();
  return (url, init) => fetch(url, { ...init, ...once });
}

/**
 * The way to the upstream through the platform's `fetch`. The platform frames messages, keeps connections and finds cut
 * responses, except where only the end of the connection tells their end; content codings are not asked for, because `fetch` would undo them.
 */
export class FetchTransport implements UpstreamTransport {
  readonly keepsCoding = false;
  readonly #origin: string;
  readonly #fetch: Fetch;
  readonly #fetchOnce: Fetch;

  /**
   * @param upstreamUrl base address of the upstream; its path is not used here
   * @param fetchFunction the platform's `fetch` by default
   * @param fetchOnce for requests that may be sent once only; that of this platform by default
   */
  constructor(
    upstreamUrl: string,
    fetchFunction: Fetch = (url, init) => fetch(url, init),
    fetchOnce = platformFetchOnce(),
  ) {
    this.#origin = new URL(upstreamUrl).origin;
    this.#fetch = fetchFunction;
    this.#fetchOnce = fetchOnce;
  }

  send({ method, target, headers: list, repeatable }: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt {
    const headers = headersOf(list);
    const send = repeatable ? this.#fetch : this.#fetchOnce;
    return fetchInto(sink, (signal) => send(this.#origin + target, { method, headers, redirect: 'manual', signal }));
  }

  close(): void {
    // The platform keeps the connections.
  }
}

/** Passes the response of a request to a sink. */
function fetchInto(sink: UpstreamSink, send: (signal: AbortSignal) => Promise<Response>): UpstreamAttempt {
  const abort = new AbortController();
  let over = false;
  let resume = () => {};
  let nothingReceived = true;

  const pass = async () => {
    const response = await send(abort.signal);
    if (over) return;
    nothingReceived = false;
    const head = headOf(response);
    sink.head(head);
    for await (const piece of piecesOf(response, head.length ?? 0)) {
      if (over) return;
      // An empty piece is none.
      if (piece.length > 0 && !sink.data(piece)) await new Promise<void>((resolve) => (resume = resolve));
      if (over) return;
    }
    over = true;
    sink.end();
  };
  const fail = (error: unknown) => {
    if (over) return;
    over = true;
    // Whatever is not known to have failed before anything was sent may have taken effect.
    const code = nothingReceived && isConnectError(error) ? 'upstream-unreachable' : 'upstream-invalid-response';
    const problem = platformConnectionProblem(error) || 'no response from fetch';
    const reason = nothingReceived ? problem : 'the response broke off';
    sink.fail({ code, reason, nothingReceived });
  };
  pass().catch(fail);
  return {
    resume: () => resume(),
    cancel() {
      over = true;
      abort.abort();
      resume();
    },
  };
}

function headOf({ status, headers: all }: Response): UpstreamHead {
  const headers: string[] = [];
  for (const name of responseHeaders) {
    const value = all.get(name);
    if (value !== null) headers.push(name, value);
  }
  const length = all.get('content-length') ?? '';
  const requestId = loggableRequestId(all.get('x-request-id') ?? '');
  return { status, headers, requestId, length: /^\d{1,15}$/.test(length) ? Number(length) : null };
}

async function* piecesOf(response: Response, length: number): AsyncIterable<Uint8Array> {
  // A short body in one piece: a reader of its stream costs several times as much.
  if (length > 0 && length <= oneReadBytes) yield new Uint8Array(await response.arrayBuffer());
  else if (response.body !== null) yield* response.body;
}
