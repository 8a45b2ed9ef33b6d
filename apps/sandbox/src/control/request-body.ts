import type { Context } from 'hono';
import type { z } from 'zod';
import { reject } from '../envelopes.js';

/** The JSON body of a request. @throws ServiceError if it does not fit the schema. The message never repeats what was sent. */
export async function bodyOf<Value>(c: Context, schema: z.ZodType<Value>): Promise<Value> {
  const read = schema.safeParse(await c.req.json().catch(() => undefined));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = issue?.path.findLast((step) => typeof step === 'string');
  const reason = issue?.code === 'unrecognized_keys' ? 'there is a member that is not known' : `${issue?.message}`;
  return reject(name === undefined || name === 'kind' ? reason : `${name}: ${reason}`);
}
