import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@vehicle-data/openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { reasonOf } from './reason-of.js';

/** The time of a call in milliseconds since 1970, and what every response to it repeats. */
export type ServiceEnv = {
  readonly Variables: { readonly nowMs: number; readonly facts: Readonly<Record<'timestamp' | 'requestId', string>> };
};

export type ServiceContext = Context<ServiceEnv>;

/** The JSON body of a control. @throws HTTPException if it does not fit the schema. The message never repeats what was sent. */
export async function bodyOf<Value>(c: ServiceContext, schema: v.GenericSchema<unknown, Value>): Promise<Value> {
  const read = v.safeParse(schema, await c.req.json().catch(() => undefined));
  if (read.success) return read.output;
  const [issue] = read.issues;
  if (issue.type === 'strict_object' && issue.expected === 'never') reject(c, 'there is a member that is not known');
  const name = issue.path?.findLast(({ key }) => typeof key === 'string')?.key;
  return reject(c, name === undefined || name === 'kind' ? reasonOf(issue) : `${name} ${reasonOf(issue)}`);
}

export const vinOf = (c: Context): string | undefined => c.req.param('vin') ?? c.req.query('vin');

/** The query of a URL with its `?`. Not `URL.search`, which is empty for a bare `?` too. */
export const rawQuery = (url: string): string => /^[^?#]*(\?[^#]*)?/.exec(url)?.[1] ?? '';

/** The success envelope around `data`. `success` is the boolean true where the contract's example has it so, and the string elsewhere. */
export function success(c: ServiceContext, data: object, successMember: unknown): Response {
  const meta = { code: 200, message: 'Success', success: successMember === true ? true : 'true', ...c.get('facts') };
  return c.json({ data, meta });
}

/** The error envelope of a code, with the message of the contract's catalog, and its HTTP status unless there is another one. */
export function failure(
  c: ServiceContext,
  code: ErrorCode,
  details: readonly ErrorDetail[] = [],
  otherStatus?: 403 | 404,
): Response {
  const entry = errorCatalogue.find((candidate) => candidate.code === code);
  if (entry === undefined) throw new Error('the error catalog of the contract lacks a code of its own');
  const { message, status, resolution } = entry;
  // The challenge of a bearer scheme: https://www.rfc-editor.org/rfc/rfc6750#section-3
  const challenge = code === '40002' ? 'Bearer' : resolution === 'refresh-token' && 'Bearer error="invalid_token"';
  const headers = challenge ? { 'www-authenticate': challenge } : {};
  return c.json({ error: { code, message, details, ...c.get('facts') } }, otherStatus ?? status, headers);
}

/** Ends a call with the response that `failure` makes of the same values. */
export function fail(...failed: Parameters<typeof failure>): never {
  throw new HTTPException(undefined, { res: failure(...failed) });
}

/** Ends the call of a control. */
export function reject(c: ServiceContext, reason: string, otherStatus?: 403 | 404): never {
  fail(c, '4002', [{ in: 'body', name: '', reason }], otherStatus);
}
