import type { CallFacts } from './reply.js';
import type { RecordedCall } from './sandbox-options.js';
import { bearerOf, type Tokens } from './tokens.js';

/** Runs a call and hands its record on. Tokens are neither in it nor in the bodies that are kept. */
export async function recordCall(
  request: Request,
  { requestId, nowMs }: CallFacts,
  tokens: Tokens,
  run: () => Promise<Response>,
  onCall: (call: RecordedCall) => void,
  onError: (error: unknown) => void,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const authorization = request.headers.get('authorization');
  const owner = authorization === null ? undefined : tokens.ownerOf(bearerOf(authorization) ?? '', nowMs);
  const brand = request.headers.get('brand');
  const secret = pathname.startsWith('/sandbox/oauth/') || pathname.startsWith('/sandbox/owners/');
  const body = secret ? '' : await request.clone().text();
  const response = await run();
  const copy = response.clone();
  // A body that stalls or breaks is read as far as the client reads it, so the record does not hold the response up.
  const text = secret ? Promise.resolve('') : copy.text().catch(() => '');
  const record = (read: string) =>
    onCall({
      at: new Date(nowMs).toISOString(),
      method: request.method,
      path: pathname + (secret ? '' : search),
      requestId,
      ...(brand !== null && { brand }),
      ...(authorization !== null && { bearer: owner === undefined ? {} : { owner } }),
      body,
      status: response.status,
      response: read,
    });
  void text.then(record).catch(onError);
  return response;
}
