import { type ErrorCode, type ErrorDetail, type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';

/** A finished answer, before faults and before it becomes a `Response`. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The body in one piece, or in several that are sent one after the other. */
  body: string | readonly Uint8Array<ArrayBuffer>[];
}

/** What every answer of one call shares. */
export interface CallFacts {
  readonly requestId: string;
  readonly nowMs: number;
}

const entries: ReadonlyMap<string, ErrorEntry> = new Map(errorCatalogue.map((entry) => [entry.code, entry]));
const encoder = new TextEncoder();

/** The entry of the contract's error catalogue for a code, if it has one. */
export function errorEntry(code: string): ErrorEntry | undefined {
  return entries.get(code);
}

/** `meta` of a success. `success` is the boolean true where the contract's example has it so, and the string elsewhere. */
function meta({ requestId, nowMs }: CallFacts, success: unknown): string {
  const successJson = success === true ? 'true' : '"true"';
  const timestamp = new Date(nowMs).toISOString();
  return `{"code":200,"message":"Success","success":${successJson},"timestamp":"${timestamp}","requestId":${JSON.stringify(requestId)}}`;
}

const headers = (facts: CallFacts): Record<string, string> => ({
  'content-type': 'application/json',
  'x-request-id': facts.requestId,
});

/** The success envelope around `data`, given as JSON. */
export function success(facts: CallFacts, dataJson: string, successMember: unknown): Answer {
  return { status: 200, headers: headers(facts), body: `{"data":${dataJson},"meta":${meta(facts, successMember)}}` };
}

/** The success envelope around a list of JSON items that are already bytes. */
export function successList(
  facts: CallFacts,
  member: string,
  items: readonly Uint8Array<ArrayBuffer>[],
  successMember: unknown,
): Answer {
  const separator = encoder.encode(',');
  const pieces: Uint8Array<ArrayBuffer>[] = [encoder.encode(`{"data":{${JSON.stringify(member)}:[`)];
  items.forEach((item, index) => {
    if (index > 0) pieces.push(separator);
    pieces.push(item);
  });
  pieces.push(encoder.encode(`]},"meta":${meta(facts, successMember)}}`));
  return { status: 200, headers: headers(facts), body: pieces };
}

/** The error envelope of a code, with the message and HTTP status of the contract's catalogue. */
export function failure(facts: CallFacts, code: ErrorCode, details: readonly ErrorDetail[] = []): Answer {
  const { message, status, resolution } = entries.get(code) as ErrorEntry;
  const error = { code, message, details, timestamp: new Date(facts.nowMs).toISOString(), requestId: facts.requestId };
  const answer: Answer = { status, headers: headers(facts), body: JSON.stringify({ error }) };
  // The challenge of a bearer scheme: https://www.rfc-editor.org/rfc/rfc6750#section-3
  if (code === '40002') answer.headers['www-authenticate'] = 'Bearer';
  if (resolution === 'refresh-token') answer.headers['www-authenticate'] = 'Bearer error="invalid_token"';
  return answer;
}

/** Body sizes up to this many bytes go out in one piece. */
const onePieceBytes = 65_536;

/** Makes the `Response`. A long body is streamed from the pieces in memory, with its length announced. */
export function toResponse(answer: Answer): Response {
  const { status, headers, body } = answer;
  if (typeof body === 'string') return new Response(body, { status, headers });
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= onePieceBytes) {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of body) {
      whole.set(piece, at);
      at += piece.length;
    }
    return new Response(whole, { status, headers });
  }
  let next = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = body[next++];
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  return new Response(stream, { status, headers: { ...headers, 'content-length': String(length) } });
}

/** Reads `meta.success` off an example of the contract. */
export function successMemberOf(example: unknown): unknown {
  return (example as { meta?: { success?: unknown } } | undefined)?.meta?.success ?? 'true';
}
