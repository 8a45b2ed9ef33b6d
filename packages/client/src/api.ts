import createClient, { type Middleware } from 'openapi-fetch';
import type { Params } from './check-parameters.js';
import type { paths } from './generated/types.js';

/** One attempt of a call as openapi-fetch takes it. */
export interface AttemptInit {
  readonly params: Params;
  readonly middleware: Middleware[];
  readonly fetch: (request: Request) => Promise<Response>;
  /** The body is read by the checks, under the deadline and the size limit, so openapi-fetch leaves it alone. */
  readonly parseAs: 'stream';
}

/** `client.request` for an operation of the table, whose path and parameters the compiler does not know one by one. */
export type Api = (method: 'GET' | 'DELETE', path: string, init: AttemptInit) => Promise<unknown>;

/** openapi-fetch for the paths of the contract. Every call takes this road: the methods, `raw` and the iterators. */
export const createApi = (baseUrl: string) => createClient<paths>({ baseUrl }).request as Api;
