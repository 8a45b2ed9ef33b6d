import { faults } from '../call-error.js';
import type { Operation } from '../checks/parameters.js';
import { membersOf } from '../checks/rules.js';
import { createVehicleDataClient, type VehicleDataClient } from '../create-client.js';
import { isVehicleDataError } from '../errors.js';
import { createMeta } from '../generated/factories.js';
import { brands } from '../generated/fakes.js';
import type { OperationMethods } from '../generated/methods.js';
import { operations } from '../generated/operations.js';
import type { Brand } from '../generated/schemas.js';
import type { TransportInit, VehicleDataClientOptions } from '../options.js';

/** What a fake knows of a call beside its parameters. */
export interface FakeCall {
  readonly brand: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Gives the payload of a call, or throws `serviceError(code)` or `clientError(code)`. Every other error, for example of a failed
 * expectation, ends the call of a `fakeClient` as it is.
 */
export type Fake<Parameters, Data> = (parameters: Parameters, call: FakeCall) => Data | Promise<Data>;

/** The parameters that a method sends. A confirmation is not sent. */
type SentBy<Method extends (...args: never[]) => unknown> =
  Parameters<Method> extends [infer Given, unknown?]
    ? Given extends { brand: string }
      ? Record<never, never>
      : Given
    : Record<never, never>;

type Methods = OperationMethods<string>;

/** Functions in place of the service, by the methods of the client. */
export type Fakes = {
  readonly [Name in keyof Methods]?: Fake<SentBy<Methods[Name]>, Awaited<ReturnType<Methods[Name]>>> | undefined;
};

/**
 * A client whose service is functions of your own: arguments are checked, errors are typed and `trips` iterates as it does
 * with the service. A method without a fake fails with the code `not-faked`. Nothing is retried unless you set `maxRetries`.
 *
 * @example
 * const client = fakeClient({ getLocation: ({ vin }) => createLocationRecord() });
 */
export function fakeClient<const BrandName extends string = Brand>(
  fakes: Fakes,
  options: Partial<VehicleDataClientOptions<BrandName>> = {},
): VehicleDataClient<BrandName> {
  const defaults = {
    baseUrl: 'http://fake.invalid',
    accessToken: null,
    maxRetries: 0,
    async fetch(url: string, init: TransportInit) {
      try {
        return await respond(fakes, new Request(url, init));
      } catch (error) {
        if (typeof error === 'object' && error !== null) faults.add(error);
        throw error;
      }
    },
  };
  const [first] = options.brands ?? brands;
  // The first brand is one of the names, whether they are those of the options or of the contract.
  return createVehicleDataClient<BrandName>({ brand: first as BrandName | undefined, ...defaults, ...options });
}

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
  const ofEachPath = operations.filter(({ isConfirmed }) => !isConfirmed);
  return ofEachPath.map(({ method, path }) => {
    const handle = method === 'GET' ? http.get : http.delete;
    const address = `${baseUrl.replace(/\/+$/, '')}${path.replace(/{(\w+)}/g, ':$1')}`;
    return handle(address, ({ request }) => respond(fakes, request));
  });
}

/** Responds to a request as the service does, with the payload or the error of a fake. */
async function respond(fakes: Fakes, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const isBareQuery = /^[^?#]*\?(?:#|$)/.test(request.url);
  const headers = Object.fromEntries(request.headers);
  for (const operation of operations) {
    const { name } = operation;
    const inPath = request.method === operation.method ? pathParameters(operation, pathname) : undefined;
    if (!inPath || !hasSameQuery(operation, searchParams)) continue;
    // The service rejects a bare question mark where it would widen the effect.
    if (operation.isConfirmed && isBareQuery) continue;
    const fake = membersOf(fakes)?.[name];
    if (typeof fake !== 'function') return notFaked(`there is no fake of ${name}`);
    const given = Object.entries({ ...inPath, ...Object.fromEntries(searchParams) });
    // The parameters of the type come from the same contract as the request that the client has built.
    const typed = given.map(([key, text]) => [key, operation.parameters[key]?.isNoText ? JSON.parse(text) : text]);
    const timestamp = new Date().toISOString();
    try {
      const data: unknown = await fake(Object.fromEntries(typed), { brand: headers['brand'], headers });
      return Response.json({ data, meta: createMeta({ timestamp }) });
    } catch (error) {
      if (!isVehicleDataError(error) || error.status === undefined) throw error;
      const { code, status, requestId, retryAfterMs, details } = error;
      const [, message = ''] = /: \S+ (.*) \(HTTP \d+\)$/.exec(error.message) ?? [];
      const wait = retryAfterMs === undefined ? {} : { 'retry-after': `${Math.ceil(retryAfterMs / 1_000)}` };
      return Response.json({ error: { code, message, details, timestamp, requestId } }, { status, headers: wait });
    }
  }
  return notFaked('no operation of the contract');
}

function notFaked(message: string): Response {
  return Response.json({ error: { code: 'not-faked', message, details: [] } }, { status: 400 });
}

/** The values of a path template, or `undefined` where a path is another one. A base path before it is allowed. */
function pathParameters({ path }: Operation, pathname: string): Record<string, string> | undefined {
  const match = new RegExp(`${path.replace(/{(\w+)}/g, '(?<$1>[^/]+)')}$`).exec(pathname);
  return match ? { ...match.groups } : undefined;
}

/** Two operations can share method and path: the one that widens an effect has no query. */
function hasSameQuery({ parameters }: Operation, query: URLSearchParams): boolean {
  const needed = Object.entries(parameters).filter(([, rule]) => rule.in === 'query' && rule.isRequired);
  return needed.every(([name]) => query.has(name)) && [...query.keys()].every((name) => name in parameters);
}
