import { type OperationSpec, operations } from '@vehicle-data/openapi';
import type { Next } from 'hono';
import * as v from 'valibot';
import { rawQuery, type ServiceContext } from './call.js';
import type { Tokens } from './tokens.js';

export const recordedCall = v.object({
  /** Time of the sandbox's clock, ISO 8601. */
  at: v.string(),
  method: v.string(),
  /** Path and query, without the values of parameters that no operation has. */
  path: v.string(),
  requestId: v.string(),
  brand: v.optional(v.string()),
  /** Whose access token the call carried; without an owner if the token was not valid. */
  bearer: v.optional(v.object({ owner: v.optional(v.string()) })),
  /** The body of a control that changed the clock, consent or faults; of an owner's decision, only what was decided. */
  body: v.string(),
  status: v.number(),
  /** The body of the response; left out under `/sandbox`, and where it could not be read to its end. */
  response: v.string(),
});

/** One call as it can be played again. It holds no token. */
export type RecordedCall = Readonly<v.InferOutput<typeof recordedCall>>;

const parameters = Object.values<OperationSpec>(operations).flatMap((operation) => operation.parameters);
const isKnown = (name: string) => parameters.some((known) => known.in === 'query' && known.name === name);

/** Passes the record of each call on. It has no token: a login may come to any path, so only what a replay needs is kept. */
export const recorder =
  (tokens: Tokens, onCall: (call: RecordedCall) => void, onError: (error: unknown) => void) =>
  async (c: ServiceContext, next: Next): Promise<void> => {
    const { method, url, headers } = c.req.raw;
    const { timestamp: at, requestId } = c.get('facts');
    // Hono routes by the decoded path.
    const isControl = c.req.path.startsWith('/sandbox/');
    const pathname = isControl ? c.req.path : new URL(url).pathname;
    const authorization = headers.get('authorization');
    const bearer = authorization === null ? undefined : { owner: tokens.ownerOf(authorization, c.get('nowMs')) };
    const isDecision = pathname.startsWith('/sandbox/owners/');
    // What comes with a DELETE is not checked by its control, and may be anything.
    const isRead = method !== 'DELETE' && (isDecision || /^\/sandbox\/(clock|consent|faults)$/.test(pathname));
    // A body that breaks off is rejected, or not, as it is without a recording.
    const sent = isRead ? await c.req.text().catch(() => '') : '';
    await next();
    const { status } = c.res;
    const body = status >= 400 ? '' : isDecision ? decisionOf(sent) : sent;
    const brand = headers.get('brand') ?? undefined;
    const path = pathname + rawQuery(url).replace(/(?<=[?&])[^&]+/g, withoutSecret);
    const call = { at, method, path, requestId, brand, bearer, body, status };
    // A body that stalls or breaks is read as far as the client reads it, so the record does not hold the response up.
    const text = isControl || method === 'HEAD' ? Promise.resolve('') : c.res.clone().text();
    void text
      .catch(() => '')
      .then((response) => onCall({ ...call, response }))
      .catch(onError);
  };

/** A part of a query, of which nothing but what a rejection says is left where no operation knows its name. */
function withoutSecret(part: string): string {
  const [name = ''] = part.split('=', 1);
  const [decoded = ''] = new URLSearchParams(name).keys();
  if (isKnown(decoded)) return part;
  let value = '';
  try {
    decodeURIComponent(part);
  } catch {
    value = '%';
  }
  return `${/^[A-Za-z_][\w-]{0,15}$/.test(decoded) ? decoded : '-'}=${value}`;
}

/** The form of an owner's decision without where the browser goes next, which holds secrets of the login. */
function decisionOf(form: string): string {
  const fields = [...new URLSearchParams(form)].filter(([name]) => name === 'vin' || name === 'decision');
  return `${new URLSearchParams(fields)}`;
}
