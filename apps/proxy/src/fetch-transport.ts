import { answerHeaders } from './answer-headers.js';
import type { UpstreamCall, UpstreamExchange, UpstreamFault, UpstreamSink, UpstreamTransport } from './transport.js';

/** Greatest length of a body that is read as one piece, in bytes: 64 kB. */
const oneReadBytes = 65_536;

/**
 * The way to the service through the platform's `fetch`: for Workers, Deno and Bun, and for tests against another app. The
 * platform frames messages, keeps connections and finds cut answers; content codings are not asked for, because `fetch`
 * would undo them.
 */
export class FetchTransport implements UpstreamTransport {
  readonly keepsCoding = false;
  readonly #origin: string;
  readonly #fetch: typeof fetch;

  /**
   * @param upstreamUrl base address of the service; its path is not used here
   * @param fetchFunction the platform's `fetch` by default
   */
  constructor(upstreamUrl: string, fetchFunction: typeof fetch = (...parts) => fetch(...parts)) {
    this.#origin = new URL(upstreamUrl).origin;
    this.#fetch = fetchFunction;
  }

  send(call: UpstreamCall, sink: UpstreamSink): UpstreamExchange {
    const exchange = new FetchExchange(sink);
    const headers = new Headers();
    for (let index = 0; index < call.headers.length; index += 2)
      headers.append(call.headers[index] ?? '', call.headers[index + 1] ?? '');
    const request = { method: call.method, headers, redirect: 'manual' as const, signal: exchange.signal };
    exchange.run(this.#fetch(this.#origin + call.target, request));
    return exchange;
  }

  close(): void {
    // The platform keeps the connections.
  }
}

class FetchExchange implements UpstreamExchange {
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
      () => this.#fail({ code: 'upstream-unreachable', reason: 'no answer from fetch', nothingReceived: true }),
    );
  }

  #fail(fault: UpstreamFault): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fail(fault);
  }

  async #relay(response: Response): Promise<void> {
    if (this.#over) return;
    const headers: string[] = [];
    for (const name of answerHeaders) {
      const value = response.headers.get(name);
      if (value !== null) headers.push(name, value);
    }
    const stated = response.headers.get('content-length');
    const length = stated !== null && /^\d{1,15}$/.test(stated) ? Number(stated) : null;
    this.#sink.head({ status: response.status, headers, length });
    try {
      if (length !== null && length > 0 && length <= oneReadBytes) await this.#relayAtOnce(response);
      const reader = response.bodyUsed ? undefined : response.body?.getReader();
      while (!this.#over && reader !== undefined) {
        const { done, value } = await reader.read();
        if (done || this.#over) break;
        if (!this.#sink.data(value)) await new Promise<void>((resolve) => (this.#goOn = resolve));
      }
    } catch {
      this.#fail({ code: 'upstream-invalid-answer', reason: 'the answer broke off', nothingReceived: false });
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
