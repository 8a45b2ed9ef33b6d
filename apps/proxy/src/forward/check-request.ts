import type { OperationId } from '@vehicle-data/openapi';
import { validateRequest } from '@vehicle-data/validators';
import { bearerToken, type Client } from '../auth/client.js';
import type { ResolvedConfig, UpstreamAuth } from '../config.js';
import { brandHeader, type ServedOperation, servedOperations } from '../contract.js';
import { namesThisMachine } from '../request/client-address.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { pathOf, type RouteMatch } from '../request/routes.js';
import { type ErrorDetail, proxyError } from '../response/proxy-error.js';

/** What the check of a request needs to know of the proxy. */
export type CheckConfig = Pick<
  ResolvedConfig,
  'allowStopAll' | 'brands' | 'localHostOnly' | 'upstreamAuth' | 'upstreamAuthByBrand'
>;

/** A request that the contract allows, and its client may make. */
export interface CheckedRequest {
  readonly operationId: OperationId;
  readonly method: string;
  /** Path and query below the base address of the upstream, built anew from checked values. */
  readonly target: string;
  /** The headers of the contract, lower-case, as name, value, name, value. */
  readonly headers: readonly string[];
  /** Whether it may be sent a second time. */
  readonly repeatable: boolean;
  readonly brand: string;
  /** The VIN that the request names, or empty. */
  readonly vehicle: string;
  /** First and last day that the request names, or two empty texts. */
  readonly days: readonly [string, string];
  /** Where the access token comes from: only `forward` is the client's own. */
  readonly token: UpstreamAuth['kind'];
  /** The access token to send, or empty when there is none yet or none is needed. */
  readonly authorization: string;
}

export type CheckRequest = ReturnType<typeof compileChecks>;

/**
 * Makes what checks a request of a known client against the contract. It checks the method, then credentials, then parameters, then the
 * effect, and throws a `ProxyError` when the request must not pass.
 */
export function compileChecks(config: CheckConfig) {
  const parameters = new Map(servedOperations.map((operation) => [operation, parametersOf(operation)]));
  const authByBrand = new Map(Object.entries(config.upstreamAuthByBrand));
  const options = { brands: config.brands, maxIssues: 10 };

  return function checkRequest(match: RouteMatch | null, request: IncomingRequest, client: Client): CheckedRequest {
    if (match === null) throw proxyError('no-such-operation');
    const operation = match.route.operations.get(request.method);
    const own = operation === undefined ? undefined : parameters.get(operation);
    if (operation === undefined || own === undefined)
      throw proxyError('method-not-allowed', [], ['allow', match.route.allow]);
    if (client.operations !== null && !client.operations.has(operation.operationId))
      throw proxyError('operation-not-allowed');

    const auth = authByBrand.get(request.header(brandHeader) ?? '') ?? config.upstreamAuth;
    if (auth.kind !== 'forward' && config.localHostOnly && !namesThisMachine(request.header('host')))
      throw proxyError('malformed-request', [foreignHost]);
    const authorization = authorizationFor(auth, operation, request);

    const query = request.target.slice(pathOf(request.target).length);
    const sent: Record<string, string | undefined> = {};
    for (const { name, lowerCase } of own.headers) sent[name] = request.header(lowerCase);
    const checked = validateRequest(operation.operationId, { path: match.path, query, headers: sent }, options);
    if (!checked.ok) throw proxyError('4002', checked.issues.map(detailOf));
    // A bare question mark is no query to a parser, but a sign of a client whose parameter got lost.
    if (query === '?') throw proxyError('4002', [emptyQuery]);
    const values: CheckedParameters = checked.value;
    const brand = own.brand(values);
    if (client.brands !== null && !client.brands.has(brand)) throw proxyError('operation-not-allowed');
    const { wideEffect } = operation;
    if (wideEffect !== null && !config.allowStopAll && values.query[wideEffect.parameter] === undefined)
      throw proxyError('stop-all-not-allowed');

    const headers: string[] = [];
    for (const { name, lowerCase } of own.headers) {
      const value = values.headers[name];
      if (value !== undefined) headers.push(lowerCase, value);
    }
    const { operationId, method } = operation;
    return {
      operationId,
      method,
      target: own.target(values),
      headers,
      repeatable: method === 'GET',
      brand,
      vehicle: own.vehicle(values),
      days: own.days(values),
      token: auth.kind,
      authorization,
    };
  };
}

const noDays = ['', ''] as const;

interface CheckedParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What is asked of an operation's parameters at every call, looked up in the contract once. */
function parametersOf({ path, parameters, dateRange }: ServedOperation) {
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  // Text and names take turns.
  const [start = '', ...rest] = path.split(/\{([^}]+)\}/);
  const query = namesIn('query').map((name) => ({ name, text: `${encodeURIComponent(name)}=` }));
  const readerOf = (schema: string) => {
    const parameter = parameters.find((each) => each.schema === schema);
    if (parameter === undefined) return () => '';
    const place = parameter.in === 'header' ? 'headers' : parameter.in;
    return (checked: CheckedParameters) => String(checked[place][parameter.name] ?? '');
  };
  return {
    /** Names of the header parameters, in the contract and as they go on the wire. */
    headers: namesIn('header').map((name) => ({ name, lowerCase: name.toLowerCase() })),
    /** The brand, or empty when the operation names none. */
    brand: readerOf('Brand'),
    /** The VIN, or empty when the call names none. */
    vehicle: readerOf('Vin'),
    /** First and last day, or two empty texts when the operation takes none. */
    days: ({ query: values }: CheckedParameters): readonly [string, string] =>
      dateRange === null ? noDays : [String(values[dateRange.start] ?? ''), String(values[dateRange.end] ?? '')],
    /** Path and query of the upstream request, from the template and the checked values, in the contract's order. */
    target(checked: CheckedParameters): string {
      let target = start;
      for (let index = 0; index < rest.length; index += 2)
        target += encodeURIComponent(checked.path[rest[index] ?? ''] ?? '') + (rest[index + 1] ?? '');
      let before = '?';
      for (const { name, text } of query) {
        const value = checked.query[name];
        if (value === undefined) continue;
        target += before + text + encodeURIComponent(value);
        before = '&';
      }
      return target;
    },
  };
}

const foreignHost: ErrorDetail = {
  in: 'header',
  name: 'Host',
  reason:
    'clients are not authenticated here, so the proxy must be called by a name of this machine, such as localhost',
};

const emptyQuery: ErrorDetail = {
  in: 'query',
  name: '',
  reason: 'the query is empty; leave out the question mark or name a parameter',
};

/**
 * The access token to send, or empty when there is none yet or none is needed.
 *
 * @throws {ProxyError} when the client must send one and has not
 */
function authorizationFor(auth: UpstreamAuth, operation: ServedOperation, request: IncomingRequest): string {
  if (auth.kind === 'static') return auth.accessToken;
  if (auth.kind === 'token-endpoint') return '';
  const sent = request.header('authorization');
  if (sent === undefined && operation.bearer === 'optional') return '';
  const token = sent === undefined ? null : bearerToken(sent);
  if (token === null) throw proxyError('missing-bearer-token', [], ['www-authenticate', 'Bearer']);
  return token;
}

function detailOf(issue: { readonly in: string; readonly name: string; readonly message: string }): ErrorDetail {
  const place = issue.in === 'path' || issue.in === 'query' || issue.in === 'header' ? issue.in : 'request';
  return { in: place, name: issue.name, reason: issue.message };
}
