import type { OperationId } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker, type ResponseChecker } from '@vehicle-data/validators/stream';
import type { CheckMode } from '../config.js';
import type { UpstreamHead } from '../forward/transport/upstream-transport.js';
import type { DriftReport } from '../observability/drift-report.js';
import { copyBytes } from './buffered-body.js';
import { codingOf } from './response-headers.js';

/** The check of one response that flows by. */
export interface ResponseCheck {
  /** Reads a piece of the body. Returns whether all is well so far. */
  write(chunk: Uint8Array): boolean;
  /** The body is complete. Returns whether all was well. */
  end(): boolean;
  /** The body will not be completed. Without effect after `end`. */
  stop?(): void;
}

/** Makes the checks of responses that pass to clients, and notes what they find in the drift report. */
export class ResponseChecks {
  /** Whether a response with a finding must not pass as whole. */
  readonly enforced: boolean;
  readonly #mode: CheckMode;
  readonly #drift: DriftReport;

  constructor(mode: CheckMode, drift: DriftReport) {
    this.#mode = mode;
    this.#drift = drift;
    this.enforced = mode === 'enforce';
  }

  /** Starts the check of a response, or returns `null` when responses are not checked. */
  begin(operationId: OperationId, head: UpstreamHead): ResponseCheck | null {
    if (this.#mode === 'off') return null;
    const { status, length, headers } = head;
    const coded = (codingOf(headers) ?? 'identity') !== 'identity';
    const check = new PlainCheck(operationId, status, coded ? null : length, this.#drift);
    return coded ? new InflatedCheck(check, (reason) => this.#drift.noteSkipped(reason)) : check;
  }
}

/** Length up to which a response is cheaper to parse than to check as it flows, in bytes: 2 kB. */
const shortBytes = 2048;
// A byte order mark stays, so that it is judged where all responses are.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks bytes as they come, without holding them. A short response, which nearly always comes in one piece, is parsed instead; what is not
 * good in this way is checked as every other response, so that findings read the same.
 */
class PlainCheck implements ResponseCheck {
  readonly #operationId: OperationId;
  readonly #status: number;
  readonly #length: number | null;
  readonly #drift: DriftReport;
  #checker: ResponseChecker | null = null;
  #parsed = false;

  /** @param length of the body in bytes, or `null` when it is not known */
  constructor(operationId: OperationId, status: number, length: number | null, drift: DriftReport) {
    this.#operationId = operationId;
    this.#status = status;
    this.#length = length;
    this.#drift = drift;
  }

  write(chunk: Uint8Array): boolean {
    if (chunk.length === this.#length && chunk.length <= shortBytes) this.#parsed = this.#isGood(chunk);
    return this.#parsed || this.#flowing().write(chunk);
  }

  end(): boolean {
    this.#drift.noteChecked();
    if (this.#parsed) return true;
    const verdict = this.#flowing().end();
    if (verdict.ok) return true;
    for (const issue of verdict.issues) this.#drift.add(this.#operationId, issue.pointer, issue.rule);
    return false;
  }

  #flowing(): ResponseChecker {
    this.#checker ??= createResponseChecker(this.#operationId, this.#status);
    return this.#checker;
  }

  #isGood(body: Uint8Array): boolean {
    try {
      return validateResponse(this.#operationId, this.#status, JSON.parse(decoder.decode(body))).ok;
    } catch {
      return false;
    }
  }
}

/** Inflated bytes that are checked of one response: 64 MB. A small body can stand for a huge one. */
const maxInflatedBytes = 67_108_864;
/** Compressed bytes that may wait to be inflated: 1 MB. The response itself does not wait for its check. */
const maxWaitingBytes = 1_048_576;

/**
 * Checks a gzip body by inflating a copy beside the stream. When that cannot keep up or grows too long, the response counts as
 * not checked; the stream is never delayed.
 */
class InflatedCheck implements ResponseCheck {
  readonly #plain: ResponseCheck;
  readonly #skip: (reason: string) => void;
  readonly #inflate = new DecompressionStream('gzip');
  readonly #input = this.#inflate.writable.getWriter();
  #waitingBytes = 0;
  #over = false;
  #ended = false;

  /**
   * @param plain the check of the inflated bytes
   * @param skip receives, in fixed words, why a response was not checked
   */
  constructor(plain: ResponseCheck, skip: (reason: string) => void) {
    this.#plain = plain;
    this.#skip = skip;
    this.#read().catch(() => this.#giveUp('broken gzip'));
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > maxWaitingBytes) this.#giveUp('compressed, and too fast');
    else {
      const written = () => {
        this.#waitingBytes -= chunk.length;
      };
      this.#input.write(copyBytes(chunk)).then(written, () => this.#giveUp('broken gzip'));
    }
    return true;
  }

  end(): boolean {
    this.#ended = true;
    if (!this.#over) this.#input.close().catch(() => this.#giveUp('broken gzip'));
    return true;
  }

  stop(): void {
    if (!this.#ended) this.#abandon();
  }

  async #read(): Promise<void> {
    let inflatedBytes = 0;
    for await (const piece of this.#inflate.readable) {
      if (this.#over) return;
      inflatedBytes += piece.length;
      if (inflatedBytes > maxInflatedBytes) {
        this.#giveUp('compressed, and too long');
        return;
      }
      this.#plain.write(piece);
    }
    if (!this.#over) this.#plain.end();
    this.#over = true;
  }

  #giveUp(reason: string): void {
    if (!this.#over) this.#skip(reason);
    this.#abandon();
  }

  #abandon(): void {
    if (this.#over) return;
    this.#over = true;
    this.#input.abort().catch(() => {});
  }
}
