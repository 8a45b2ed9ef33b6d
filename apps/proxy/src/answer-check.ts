import type { OperationId } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { headerValue } from './answer-headers.js';
import type { CheckMode } from './config.js';
import type { DriftReport } from './drift-report.js';
import type { UpstreamHead } from './transport.js';

/** The check of one answer that passes by. */
export interface AnswerCheck {
  /** A piece of the body; it is copied. */
  write(chunk: Uint8Array): void;
  /** The body is here in full. */
  end(): void;
  /** The body will not come, or came in full: let go of what is held. */
  stop(): void;
}

const maxCheckedBytes = 262_144;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Makes the checks of answers that pass to callers, and notes what they find in the drift report. */
export class AnswerChecks {
  readonly #mode: CheckMode;
  readonly #drift: DriftReport;

  constructor(mode: CheckMode, drift: DriftReport) {
    this.#mode = mode;
    this.#drift = drift;
  }

  /** Starts the check of an answer, or returns `null` when this one is not checked. */
  begin(operationId: OperationId, head: UpstreamHead): AnswerCheck | null {
    if (this.#mode === 'off') return null;
    const coding = headerValue(head.headers, 'content-encoding');
    if (coding !== undefined && coding.toLowerCase() !== 'identity') return this.#skip('compressed');
    if (head.length !== null && head.length > maxCheckedBytes) return this.#skip('too long');
    return new CollectedCheck(operationId, head.status, this.#drift);
  }

  #skip(reason: string): null {
    this.#drift.noteSkipped(reason);
    return null;
  }
}

/** Collects a body of up to 256 kB and checks it after the caller has it. */
class CollectedCheck implements AnswerCheck {
  readonly #operationId: OperationId;
  readonly #status: number;
  readonly #drift: DriftReport;
  #pieces: Uint8Array[] | null = [];
  #length = 0;

  constructor(operationId: OperationId, status: number, drift: DriftReport) {
    this.#operationId = operationId;
    this.#status = status;
    this.#drift = drift;
  }

  write(chunk: Uint8Array): void {
    if (this.#pieces === null) return;
    this.#length += chunk.length;
    if (this.#length > maxCheckedBytes) {
      this.#pieces = null;
      this.#drift.noteSkipped('too long');
    } else {
      this.#pieces.push(chunk.slice());
    }
  }

  end(): void {
    const pieces = this.#pieces;
    if (pieces === null) return;
    const length = this.#length;
    this.#pieces = null;
    setTimeout(() => this.#examine(pieces, length), 0);
  }

  stop(): void {
    this.#pieces = null;
  }

  #examine(pieces: readonly Uint8Array[], length: number): void {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.#drift.noteChecked();
    let body: unknown;
    try {
      body = JSON.parse(decoder.decode(bytes));
    } catch {
      this.#drift.add(this.#operationId, '', 'json');
      return;
    }
    const result = validateResponse(this.#operationId, this.#status, body);
    if (result.ok) return;
    for (const issue of result.issues) this.#drift.add(this.#operationId, issue.pointer, issue.rule);
  }
}
