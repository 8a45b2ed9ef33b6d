import type { Fakes } from '../generated/fakes.js';
import { operations } from '../generated/operations.js';
import { respond } from './respond.js';

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/** `http` of Mock Service Worker. */
export interface MswHttp<Handler> {
  readonly get: (path: string, resolver: Resolver) => Handler;
  readonly delete: (path: string, resolver: Resolver) => Handler;
}

/**
 * Handlers of Mock Service Worker for every operation of the contract.
 *
 * @param http `http` of the package `msw`.
 * @param baseUrl Address that the code under test calls.
 * @example
 * const server = setupServer(...mswHandlers(http, 'http://127.0.0.1:8787', { listVehicles: () => createVehicleList() }));
 */
export function mswHandlers<Handler>(http: MswHttp<Handler>, baseUrl: string, fakes: Fakes): Handler[] {
  return operations.map(({ method, path }) => {
    const handle = method === 'GET' ? http.get : http.delete;
    return handle(`${baseUrl.replace(/\/+$/, '')}${path.replace(/{(\w+)}/g, ':$1')}`, ({ request }) =>
      respond(fakes, { method: request.method, url: request.url, headers: Object.fromEntries(request.headers) }),
    );
  });
}
