import type { OpenRecord } from '../observability/observer.js';
import { BufferedBody, readAtMost } from '../response/buffered-body.js';
import { proxyError } from '../response/proxy-error.js';
import { codingOf } from '../response/response-headers.js';
import type { ResponseWriter } from '../response/response-writer.js';
import { isErrorEnvelope, vinsIn } from './consent-operations.js';

// Responses that the fence reads on their way. What follows from them is done after the response of the upstream has ended.

/** A response that has a step of its own before its end. */
export interface ReadResponse extends ResponseWriter {
  /** Takes the step, and ends the response. @throws {ProxyError} when it must not pass */
  settle(): Promise<void> | null;
}

/** Greatest size of a success of a withdrawal, in bytes: 64 kB. */
const maxSuccessBytes = 65_536;
/** Greatest size of a list that is read, in bytes: 1 MB, more than 5,000 vehicles. A longer one passes and shows no vehicle. */
const maxListBytes = 1_048_576;

/** The response to a withdrawal: a success is held until the fence is in its place. */
export class WithdrawalResponse implements ReadResponse {
  readonly #out: ResponseWriter;
  readonly #onSuccess: () => Promise<void>;
  #held: BufferedBody | null = null;
  readonly #hasLeft: () => boolean;
  #coding: string | undefined;
  #isComplete = false;

  /** @param hasLeft whether the client has left meanwhile */
  constructor(out: ResponseWriter, onSuccess: () => Promise<void>, hasLeft: () => boolean) {
    this.#out = out;
    this.#onSuccess = onSuccess;
    this.#hasLeft = hasLeft;
  }

  get isQueued(): boolean {
    return this.#out.isQueued ?? false;
  }

  listen(): void {}

  begin(status: number, headers: readonly string[], length: number | null): void {
    if (status === 200) this.#held = new BufferedBody();
    this.#coding = codingOf(headers);
    // Of a head, nothing leaves before the first piece.
    this.#out.begin(status, headers, length);
  }

  data(chunk: Uint8Array): boolean {
    if (this.#held === null) return this.#out.data(chunk);
    if (this.#held.length + chunk.length > maxSuccessBytes)
      throw proxyError('upstream-invalid-response', [], [], 'a success of a withdrawal that is too long');
    this.#held.add(chunk);
    return true;
  }

  end(): void {
    if (this.#held === null) this.#out.end();
    else this.#isComplete = true;
  }

  cut(): void {
    this.#out.cut();
  }

  settle(): Promise<void> | null {
    return this.#isComplete ? this.#settle() : null;
  }

  async #settle(): Promise<void> {
    const body = this.#held?.take() ?? new Uint8Array(0);
    const plain = await plainOf(body, this.#coding);
    if (plain === null || !isErrorEnvelope(plain)) await this.#onSuccess();
    if (this.#hasLeft()) return;
    this.#out.data(body);
    this.#out.end();
  }
}

/** What a list means. */
interface ListReader {
  /** Whether the client has left meanwhile. */
  readonly hasLeft: boolean;
  /** Whether somebody's withdrawal took effect after the list was requested. */
  readonly isLate: boolean;
  /** Whether anything follows from the vehicles of the list. */
  readonly isWanted: boolean;
  /** Whether one of these vehicles was withdrawn after the list was requested. */
  showsWithdrawn(vins: readonly string[]): Promise<boolean>;
  /** Takes note of a complete list. */
  noted(vins: readonly string[]): Promise<void>;
}

/**
 * A list of vehicles. It passes as it comes, and a copy is read at its end. From the moment at which it is late, the rest is held: when it shows
 * a vehicle that was withdrawn meanwhile, the client has to list again.
 */
export class ListResponse implements ReadResponse {
  readonly #out: ResponseWriter;
  readonly #record: OpenRecord;
  readonly #reader: ListReader;
  #copy: BufferedBody | null = null;
  #head: Parameters<ResponseWriter['begin']> | null = null;
  #length: number | null = null;
  #coding: string | undefined;
  /** How many bytes have passed. */
  #passedBytes = 0;
  #isComplete = false;

  constructor(out: ResponseWriter, record: OpenRecord, reader: ListReader) {
    this.#out = out;
    this.#record = record;
    this.#reader = reader;
  }

  get isQueued(): boolean {
    return this.#out.isQueued ?? false;
  }

  listen(): void {}

  begin(...head: Parameters<ResponseWriter['begin']>): void {
    if (head[0] === 200) {
      this.#copy = new BufferedBody();
      this.#head = head;
      this.#length = head[2];
      this.#coding = codingOf(head[1]);
    } else this.#out.begin(...head);
  }

  data(chunk: Uint8Array): boolean {
    if (this.#copy !== null && this.#copy.length + chunk.length > maxListBytes) {
      if (this.#reader.isLate) throw this.#outdated();
      this.#copy = null;
    } else this.#copy?.add(chunk);
    // A client takes a list for complete with its last byte: what follows from it is done by then.
    const isLast = this.#copy !== null && this.#copy.length === this.#length && this.#reader.isWanted;
    if (isLast || (this.#copy !== null && this.#reader.isLate)) return true;
    if (this.#copy === null && this.#reader.isLate && this.#passedBytes > 0) throw this.#outdated();
    return this.#pass(chunk);
  }

  end(): void {
    if (this.#copy !== null && (this.#reader.isWanted || this.#reader.isLate)) this.#isComplete = true;
    else this.#out.end();
  }

  cut(): void {
    this.#out.cut();
  }

  settle(): Promise<void> | null {
    return this.#isComplete ? this.#settle() : null;
  }

  async #settle(): Promise<void> {
    const body = this.#copy?.take() ?? new Uint8Array();
    const plain = await plainOf(body, this.#coding);
    const vins = plain && vinsIn(plain);
    if (this.#reader.isLate && (vins === null || (await this.#reader.showsWithdrawn(vins)))) throw this.#outdated();
    if (vins !== null) await this.#reader.noted(vins);
    if (this.#reader.hasLeft) return;
    if (this.#passedBytes < body.length) this.#pass(body.subarray(this.#passedBytes));
    this.#out.end();
  }

  #pass(chunk: Uint8Array): boolean {
    if (this.#head !== null) this.#out.begin(...this.#head);
    this.#head = null;
    this.#passedBytes += chunk.length;
    return this.#out.data(chunk);
  }

  #outdated(): Error {
    // Nothing has left yet: the client can get an envelope.
    if (this.#passedBytes === 0) this.#record.status = 0;
    return proxyError('list-outdated', [], ['retry-after', '1'], 'a vehicle of the list was withdrawn meanwhile');
  }
}

/** The bytes of a body without its content coding; `null` when it is broken or too long. */
async function plainOf(body: Uint8Array<ArrayBuffer>, coding: string | undefined): Promise<Uint8Array | null> {
  if (coding !== 'gzip') return body;
  const inflated = new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readAtMost(inflated, maxListBytes).catch(() => null);
}
