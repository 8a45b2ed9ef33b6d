import type { OperationId } from '@vehicle-data/openapi';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { copyBytes } from '../response/buffered-body.js';
import { codingOf } from '../response/response-headers.js';
import type { ForwardingParts } from './forward-plan.js';
import type { UpstreamHead } from './transport/upstream-transport.js';

/** The check of one response that flows by. */
export interface ResponseCheck {
  /** Reads a piece of the body. Returns whether all is well so far. */
  write(chunk: Uint8Array): boolean;
  /** The body is complete. Returns whether all was well. */
  end(): boolean;
  /** The body will not be completed. Without effect after `end`. */
  stop?(): void;
}

/** Starts the check of a response, or returns `null` when responses are not checked. The drift report notes what it finds. */
export function beginCheck(parts: ForwardingParts, operationId: OperationId, head: UpstreamHead): ResponseCheck | null {
  const { config, drift } = parts;
  if (config.validateResponses === 'off') return null;
  const checker = createResponseChecker(operationId, head.status);
  const plain: ResponseCheck = {
    write: (chunk) => checker.write(chunk),
    end() {
      drift.noteChecked();
      const verdict = checker.end();
      if (verdict.ok) return true;
      for (const issue of verdict.issues) drift.add(operationId, issue.pointer, issue.rule);
      return false;
    },
  };
  const coded = (codingOf(head.headers) ?? 'identity') !== 'identity';
  return coded ? inflatedCheck(plain, (reason) => drift.noteSkipped(reason)) : plain;
}

/** Inflated bytes that are checked of one response: 64 MB. A small body can stand for a huge one. */
const maxInflatedBytes = 67_108_864;
/** Compressed bytes that may wait to be inflated: 1 MB. The response itself does not wait for its check. */
const maxWaitingBytes = 1_048_576;

/**
 * Checks a gzip body by inflating a copy beside the stream. When that cannot keep up or grows too long, the response counts as
 * not checked, for which `skip` receives the reason; the stream is never delayed.
 */
function inflatedCheck(plain: ResponseCheck, skip: (reason: string) => void): ResponseCheck {
  const inflate = new DecompressionStream('gzip');
  const input = inflate.writable.getWriter();
  let waitingBytes = 0;
  let over = false;
  let ended = false;
  /** @param reason why the response counts as not checked; `null` when it never was complete */
  const giveUp = (reason: string | null) => {
    if (over) return;
    over = true;
    if (reason !== null) skip(reason);
    input.abort().catch(() => {});
  };
  const broken = () => giveUp('broken gzip');
  const read = async () => {
    let inflatedBytes = 0;
    for await (const piece of inflate.readable) {
      inflatedBytes += piece.length;
      if (inflatedBytes > maxInflatedBytes) giveUp('compressed, and too long');
      if (over) return;
      plain.write(piece);
    }
    if (!over) plain.end();
    over = true;
  };
  read().catch(broken);
  return {
    write(chunk) {
      if (over) return true;
      waitingBytes += chunk.length;
      if (waitingBytes > maxWaitingBytes) giveUp('compressed, and too fast');
      const written = () => {
        waitingBytes -= chunk.length;
      };
      if (!over) input.write(copyBytes(chunk)).then(written, broken);
      return true;
    },
    end() {
      ended = true;
      if (!over) input.close().catch(broken);
      return true;
    },
    stop() {
      if (!ended) giveUp(null);
    },
  };
}
