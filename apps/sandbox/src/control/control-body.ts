import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { errorEntry } from '../answer.js';
import type { Clock } from '../clock.js';

/** A JSON object that was sent to a control. */
export type ControlBody = Readonly<Record<string, unknown>>;

/** A refusal in the error envelope, with the code of invalid parameters. The reason never repeats what was sent. */
export function refusal(
  c: Context,
  { clock }: { readonly clock: Clock },
  status: ContentfulStatusCode,
  reason: string,
): Response {
  const code = '4002';
  const error = {
    code,
    message: errorEntry(code)?.message ?? '',
    details: [{ in: 'request', name: '', reason }],
    timestamp: new Date(clock.now()).toISOString(),
    requestId: crypto.randomUUID(),
  };
  return c.json({ error }, status);
}

/** The JSON value of a request's body, or undefined where it is not JSON. */
export async function jsonBody(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    return undefined;
  }
}

/** The JSON object of a request's body, or undefined where it is none. */
export async function objectBody(c: Context): Promise<ControlBody | undefined> {
  const body = await jsonBody(c);
  return isBody(body) ? body : undefined;
}

export function isBody(value: unknown): value is ControlBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
