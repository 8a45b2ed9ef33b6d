// The streaming checker beside the object validator, which decides about the same bytes once they are decoded and parsed.
import { expect } from 'vitest';
import { validateResponse } from '../../src/index.js';
import { createResponseChecker, type OperationId } from '../../src/stream.js';

/** What the checker must say: decode, parse, and ask the object validator. */
function expected(operationId: OperationId, status: number, bytes: Uint8Array) {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, rule: 'json' };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Of a document that lacks its end, perhaps within a number or a word, an issue that was found before counts.
    const lastToken = 1 + Math.max(...[...' \n\r\t,]}'].map((delimiter) => text.lastIndexOf(delimiter)));
    return { ok: false, rule: 'json', lacksEnd: endsEarly(text) || endsEarly(text.slice(0, lastToken)) };
  }
  const result = validateResponse(operationId, status, body);
  return result.ok ? { ok: true } : { ok: false, rule: result.issues[0].rule, issue: result.issues[0] };
}

/** Whether the end is what the parser does not like about a text. */
function endsEarly(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const end = new RegExp(`end of JSON|Unterminated string|position ${text.length}\\b`);
    return end.test((error as Error).message);
  }
}

/** The verdict of the streaming checker on bytes that are cut at these places. */
export function streamed(operationId: OperationId, status: number, bytes: Uint8Array, cuts: readonly number[]) {
  const checker = createResponseChecker(operationId, status);
  let start = 0;
  let clean = true;
  for (const cut of [...cuts, bytes.length]) {
    // A piece of its own buffer, overwritten afterwards: the checker may not keep it. A Buffer, whose slice() makes no copy.
    const piece = Buffer.from(bytes.subarray(start, cut));
    clean = checker.write(piece) && clean;
    piece.fill(0x22);
    start = cut;
  }
  return { clean, verdict: checker.end() };
}

/** Where the checker found something, or -1; the same wherever the bytes are cut. */
export function compare(
  operationId: OperationId,
  status: number,
  bytes: Uint8Array,
  ...ways: (readonly number[])[]
): number {
  const wanted = expected(operationId, status, bytes);
  const offsets = ways.map((cuts) => {
    const { clean, verdict } = streamed(operationId, status, bytes, cuts);
    agree(verdict.ok, wanted.ok, 'the verdict of the object validator');
    if (verdict.ok) return -1;
    const [issue] = verdict.issues;
    if (wanted.issue) agree(JSON.stringify(issue), JSON.stringify(wanted.issue), 'the issue of the object validator');
    else if (!wanted.lacksEnd || clean) agree(issue.rule, wanted.rule, 'the rule that the bytes break');
    return verdict.byteOffset;
  });
  for (const offset of offsets) agree(offset, offsets[0], 'the place for other pieces');
  return offsets[0] ?? -1;
}

/** Fails where two values differ. Far cheaper than an expectation, which a good part of the time would go into. */
export function agree(ours: unknown, theirs: unknown, what: string): void {
  if (ours !== theirs) expect.fail(`${what}: ours is ${String(ours)}, theirs is ${String(theirs)}`);
}
