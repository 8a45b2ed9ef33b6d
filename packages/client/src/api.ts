import createClient, { type Middleware } from 'openapi-fetch';
import type { Params } from './check-arguments.js';
import type { paths } from './generated/types.js';
import type { Operation } from './operation.js';

/** One attempt of a call as openapi-fetch takes it. */
export interface AttemptInit {
  readonly params: Params;
  readonly middleware: Middleware[];
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Sends one attempt of an operation through openapi-fetch. */
export type Api = (operation: Operation, attempt: AttemptInit) => Promise<unknown>;

/** `client.request` for an operation of the table, whose path and parameters the compiler does not know one by one. */
type SendAny = (method: 'get' | 'delete', path: string, init: object) => Promise<unknown>;

/** openapi-fetch for the paths of the contract. Every call takes this road: the methods, `raw` and the iterators. */
export function createApi(baseUrl: string): Api {
  const client = createClient<paths>({ baseUrl });
  const send = client.request as SendAny;
  return ({ method, path }, { params, ...init }) =>
    // The body is read by the checks, under the deadline and the size limit, so openapi-fetch leaves it alone.
    send(method === 'GET' ? 'get' : 'delete', path, { ...init, params, redirect: 'manual', parseAs: 'stream' });
}
