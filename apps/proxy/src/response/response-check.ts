import type { OperationId } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker, type ResponseChecker } from '@vehicle-data/validators/stream';
import type { CheckMode } from '../config.js';
import type { UpstreamHead } from '../forward/transport/upstream-transport.js';
import type { DriftReport } from '../observability/drift-report.js';
import type { ResponseCheck } from './inflated-check.js';
import { InflatedCheck } from './inflated-check.js';
import { headerValue } from './response-headers.js';

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
    const coding = headerValue(head.headers, 'content-encoding')?.toLowerCase() ?? 'identity';
    if (coding === 'identity' && head.length !== null && head.length <= shortBytes)
      return new ShortCheck(operationId, head.status, head.length, this.#drift);
    const check = new FlowingCheck(operationId, head.status, this.#drift);
    return coding === 'identity' ? check : new InflatedCheck(check, (reason) => this.#drift.noteSkipped(reason));
  }

  /** Checks a body that is here in full. */
  examine(operationId: OperationId, head: UpstreamHead, body: Uint8Array): void {
    const check = this.begin(operationId, head);
    check?.write(body);
    check?.end();
  }
}

/** Length up to which a response is cheaper to parse than to check as it flows, in bytes: 2 kB. */
const shortBytes = 2048;
// A byte order mark stays, so that it is judged where all responses are.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks a short response, which nearly always comes in one piece, by parsing it. What is not good in this way, or comes in pieces, is
 * checked as every other response, so that findings read the same.
 */
class ShortCheck implements ResponseCheck {
  readonly #operationId: OperationId;
  readonly #status: number;
  readonly #length: number;
  readonly #drift: DriftReport;
  #good = false;
  #flowing: FlowingCheck | null = null;

  constructor(operationId: OperationId, status: number, length: number, drift: DriftReport) {
    this.#operationId = operationId;
    this.#status = status;
    this.#length = length;
    this.#drift = drift;
  }

  write(chunk: Uint8Array): boolean {
    if (chunk.length === this.#length && this.#isGood(chunk)) {
      this.#good = true;
      return true;
    }
    this.#flowing ??= new FlowingCheck(this.#operationId, this.#status, this.#drift);
    return this.#flowing.write(chunk);
  }

  end(): boolean {
    if (!this.#good) return this.#flowing?.end() ?? true;
    this.#drift.noteChecked();
    return true;
  }

  stop(): void {
    // As for every other response.
  }

  #isGood(body: Uint8Array): boolean {
    try {
      return validateResponse(this.#operationId, this.#status, JSON.parse(decoder.decode(body))).ok;
    } catch {
      return false;
    }
  }
}

/** Checks bytes as they come, without holding them. */
class FlowingCheck implements ResponseCheck {
  readonly #operationId: OperationId;
  readonly #checker: ResponseChecker;
  readonly #drift: DriftReport;

  constructor(operationId: OperationId, status: number, drift: DriftReport) {
    this.#operationId = operationId;
    this.#checker = createResponseChecker(operationId, status);
    this.#drift = drift;
  }

  write(chunk: Uint8Array): boolean {
    return this.#checker.write(chunk);
  }

  end(): boolean {
    this.#drift.noteChecked();
    const verdict = this.#checker.end();
    if (verdict.ok) return true;
    for (const issue of verdict.issues) this.#drift.add(this.#operationId, issue.pointer, issue.rule);
    return false;
  }

  stop(): void {
    // Nothing is held, and a cut response says nothing about the contract.
  }
}
