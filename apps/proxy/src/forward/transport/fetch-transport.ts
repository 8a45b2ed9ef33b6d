import { loggableRequestId } from '../../request/request-id.js';
import { responseHeaders } from '../../response/response-headers.js';
import { type Fetch, socketFetch } from './socket-fetch.js';
import type {
  UpstreamAttempt,
  UpstreamFailure,
  UpstreamRequest,
  UpstreamSink,
  UpstreamTransport,
} from './upstream-transport.js';

/** Greatest length of a body that is read as one piece, in bytes: 64 kB. */
const oneReadBytes = 65_536;

/** Parts of Deno and Bun that are asked for, each where it runs. */
interface Platform {
  readonly Deno?: { createHttpClient(options: { readonly poolMaxIdlePerHost: number }): unknown };
  readonly Bun?: unknown;
}

const platformFetch: Fetch = (url, init) => fetch(url, init);

/** The platform's `fetch`, kept from sending a request again after a connection broke that was used before. */
function platformFetchOnce(): Fetch {
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return socketFetch();
  const { Bun, Deno } = globalThis as Platform;
  const once = {
    ...(Bun === undefined ? {} : { keepalive: false }),
    ...(Deno === undefined ? {} : { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) }),
  };
  return (url, init) => fetch(url, { ...init, ...once });
}

/**
 * The way to the upstream through the platform's `fetch`. The platform frames messages, keeps connections and finds cut responses;
 * content codings are not asked for, because `fetch` would undo them.
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
  constructor(upstreamUrl: string, fetchFunction = platformFetch, fetchOnce = platformFetchOnce()) {
    this.#origin = new URL(upstreamUrl).origin;
    this.#fetch = fetchFunction;
    this.#fetchOnce = fetchOnce;
  }

  send({ method, target, headers: list, repeatable }: UpstreamRequest, sink: UpstreamSink): UpstreamAttempt {
    const attempt = new FetchAttempt(sink);
    const headers = new Headers();
    for (let index = 0; index < list.length; index += 2) headers.append(list[index] ?? '', list[index + 1] ?? '');
    const send = repeatable ? this.#fetch : this.#fetchOnce;
    attempt.run(send(this.#origin + target, { method, headers, redirect: 'manual', signal: attempt.signal }));
    return attempt;
  }

  close(): void {
    // The platform keeps the connections.
  }
}

class FetchAttempt implements UpstreamAttempt {
  readonly #sink: UpstreamSink;
  readonly #abort = new AbortController();
  #over = false;
  #goOn: (() => void) | null = null;

  constructor(sink: UpstreamSink) {
    this.#sink = sink;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  resume(): void {
    this.#goOn?.();
    this.#goOn = null;
  }

  cancel(): void {
    this.#over = true;
    this.#abort.abort();
    this.resume();
  }

  run(pending: Promise<Response>): void {
    pending.then(
      (response) => this.#relay(response),
      (error: unknown) => {
        // Whatever is not known to have failed before anything was sent may have taken effect.
        const code = isConnectError(error) ? 'upstream-unreachable' : 'upstream-invalid-response';
        this.#fail({ code, reason: 'no response from fetch', nothingReceived: true });
      },
    );
  }

  #fail(fault: UpstreamFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fail(fault);
  }

  async #relay(response: Response): Promise<void> {
    if (this.#over) return;
    const headers: string[] = [];
    for (const name of responseHeaders) {
      const value = response.headers.get(name);
      if (value !== null) headers.push(name, value);
    }
    const stated = response.headers.get('content-length');
    const length = stated !== null && /^\d{1,15}$/.test(stated) ? Number(stated) : null;
    const requestId = loggableRequestId(response.headers.get('x-request-id') ?? '');
    this.#sink.head({ status: response.status, headers, requestId, length });
    try {
      if (length !== null && length > 0 && length <= oneReadBytes) await this.#relayAtOnce(response);
      const reader = response.bodyUsed ? undefined : response.body?.getReader();
      while (!this.#over && reader !== undefined) {
        const { done, value } = await reader.read();
        if (done || this.#over) break;
        // An empty piece is none.
        if (value.length > 0 && !this.#sink.data(value)) await new Promise<void>((resolve) => (this.#goOn = resolve));
      }
    } catch {
      this.#fail({ code: 'upstream-invalid-response', reason: 'the response broke off', nothingReceived: false });
    }
    if (this.#over) return;
    this.#over = true;
    this.#sink.end();
  }

  /** Reads a short body as one piece: a reader of its stream costs several times as much. */
  async #relayAtOnce(response: Response): Promise<void> {
    if (this.#over) return;
    const body = new Uint8Array(await response.arrayBuffer());
    if (!this.#over && !this.#sink.data(body)) await new Promise<void>((resolve) => (this.#goOn = resolve));
  }
}

// Codes of Node (the first four are errors of the connection alone in `connect`), Bun and Deno for a connection that never was. A reset or a
// time-out of an open connection is none of them.
const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);
const denoConnectError = /client error \(Connect\)/;

/** Whether an error of `fetch` says that no connection was made, so that nothing was sent. Every unknown one does not. */
export function isConnectError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && connectCodes.has(error.code)) return true;
  return denoConnectError.test(error.message) || isConnectError(error.cause);
}
