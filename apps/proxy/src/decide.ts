import { validateRequest } from '@vehicle-data/validators';
import { codingFor } from './accept-encoding.js';
import { bearerToken } from './bearer.js';
import { keyHeader } from './callers/api-keys.js';
import type { Caller } from './callers/caller.js';
import { type CheckedParameters, type HeaderParameter, parametersOf } from './checked-parameters.js';
import { type ResolvedConfig, type ServedOperation, servedOperations, type UpstreamAuth } from './config.js';
import type { ForwardPlan } from './forwarder.js';
import { type Refusal, type RefusalDetail, refusal } from './refusal.js';
import { compileRoutes } from './routes.js';
import { isLoopback } from './settings/loopback.js';
import { isTraceParent, isTraceState, traceHeaders } from './trace-context.js';

/** A request as it was read, whatever read it: the one reading on which everything is decided. */
export interface IncomingCall {
  readonly method: string;
  /** Path and query exactly as sent, undecoded. */
  readonly target: string;
  readonly requestId: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
}

/** What is to be done with a request. */
export type Decision =
  | { readonly kind: 'refuse'; readonly template: string; readonly refusal: Refusal }
  | { readonly kind: 'forward'; readonly plan: ForwardPlan };

/** Names, lower-case, of the headers that a decision can depend on. */
export function decisiveHeaders(): ReadonlySet<string> {
  const parameters = servedOperations.flatMap((operation) => operation.parameters);
  const named = parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name.toLowerCase());
  return new Set(['authorization', 'accept-encoding', 'x-request-id', keyHeader, ...traceHeaders, ...named]);
}

/**
 * Makes the function that decides on requests: route and method from the operation table on the raw target, then
 * credentials, then the parameters, then whether the call's effect is allowed. What passes is built anew from checked values.
 */
export function compileDecision(
  config: ResolvedConfig,
  keepsCoding: boolean,
): (incoming: IncomingCall, caller: Caller) => Decision {
  const matchRoute = compileRoutes(servedOperations);
  const parameters = new Map(servedOperations.map((operation) => [operation, parametersOf(operation)]));
  // What is enforced is checked before it is handed on, and compressed bytes cannot be looked into in step.
  const mayBeCoded = keepsCoding && config.validateResponses !== 'enforce';
  const base = new URL(config.upstreamUrl).pathname.replace(/\/$/, '');
  const { upstreamAuth, upstreamAuthByBrand, brands, allowStopAll, localHostOnly } = config;
  const authByBrand = new Map(Object.entries(upstreamAuthByBrand));

  return function decide(incoming, caller) {
    const { method, target, requestId } = incoming;
    const queryAt = target.indexOf('?');
    const match = matchRoute(queryAt === -1 ? target : target.slice(0, queryAt));
    if (match === null) return refused('-', refusal('no-such-operation'));
    const { template, operations, allow } = match.route;
    const operation = operations.get(method);
    const own = operation === undefined ? undefined : parameters.get(operation);
    if (operation === undefined || own === undefined)
      return refused(template, refusal('method-not-allowed', [], ['allow', allow]));

    if (caller.operations !== null && !caller.operations.has(operation.operationId))
      return refused(template, refusal('operation-not-allowed'));
    const auth = authByBrand.get(incoming.header(brandHeader) ?? '') ?? upstreamAuth;
    const proxysToken = ownToken(auth);
    if (proxysToken !== null && localHostOnly && !namesThisMachine(incoming.header('host')))
      return refused(template, refusal('malformed-request', [foreignHost]));
    const authorization = proxysToken ?? callerToken(operation, incoming);
    if (authorization === null)
      return refused(template, refusal('missing-bearer-token', [], ['www-authenticate', 'Bearer']));

    const query = queryAt === -1 ? '' : target.slice(queryAt);
    const parts = { path: match.path, query, headers: headerParameters(own.headers, incoming) };
    const checked = validateRequest(operation.operationId, parts, { brands, maxIssues: 10 });
    if (!checked.ok) return refused(template, refusal('4002', checked.issues.map(detailOf)));
    // A bare question mark is no query at all to a parser, but a sign of a caller whose parameter got lost.
    if (query === '?') return refused(template, refusal('4002', [emptyQuery]));
    const values: CheckedParameters = checked.value;
    const brand = own.brand(values);
    if (caller.brands !== null && !caller.brands.has(brand)) return refused(template, refusal('operation-not-allowed'));
    const { wideEffect } = operation;
    if (wideEffect !== null && !allowStopAll && values.query[wideEffect.parameter] === undefined) {
      return refused(template, refusal('stop-all-not-allowed'));
    }

    const coding = mayBeCoded ? codingFor(incoming.header('accept-encoding')) : 'identity';
    const trace = traceContext(incoming);
    const call = {
      method: operation.method,
      target: base + own.target(values),
      headers: buildHeaders(own.headers, values, { authorization, coding, requestId, trace }),
      repeatable: operation.method === 'GET',
    };
    const plan: ForwardPlan = {
      operationId: operation.operationId,
      template,
      requestId,
      coding,
      call,
      caller: caller.id,
      traceParent: trace[0] ?? '',
      brand,
      vehicle: own.vehicle(values),
      needsToken: auth.kind === 'token-endpoint',
      replaceToken: null,
    };
    return { kind: 'forward', plan };
  };
}

const foreignHost: RefusalDetail = {
  in: 'header',
  name: 'Host',
  reason: 'callers are not recognised here, so the proxy must be called by a name of this machine, such as localhost',
};

/** Only a browser on a foreign page sends another name, and a browser always sends one. */
function namesThisMachine(host: string | undefined): boolean {
  return host === undefined || isLoopback(host.replace(/:\d+$/, '').toLowerCase());
}

const emptyQuery: RefusalDetail = {
  in: 'query',
  name: '',
  reason: 'the query is empty; leave out the question mark or name a parameter',
};

function refused(template: string, refusal: Refusal): Decision {
  return { kind: 'refuse', template, refusal };
}

const brandHeader =
  servedOperations
    .flatMap((operation) => operation.parameters)
    .find((parameter) => parameter.in === 'header' && parameter.schema === 'Brand')
    ?.name.toLowerCase() ?? '';

/** The token of the proxy itself, empty when it is put in later, or `null` when the caller's own is used. */
function ownToken(auth: UpstreamAuth): string | null {
  if (auth.kind === 'static') return auth.accessToken;
  return auth.kind === 'token-endpoint' ? '' : null;
}

/** The caller's access token, empty when there is none and none is needed, or `null` when the call must not pass without a good one. */
function callerToken(operation: ServedOperation, incoming: IncomingCall): string | null {
  const authorization = incoming.header('authorization');
  if (authorization === undefined) return operation.bearer === 'optional' ? '' : null;
  return bearerToken(authorization);
}

const noTrace: readonly string[] = [];

function traceContext(incoming: IncomingCall): readonly string[] {
  const [parentHeader, stateHeader] = traceHeaders;
  const parent = incoming.header(parentHeader);
  if (parent === undefined || !isTraceParent(parent)) return noTrace;
  const state = incoming.header(stateHeader);
  return state !== undefined && isTraceState(state) ? [parent, state] : [parent];
}

function headerParameters(parameters: readonly HeaderParameter[], incoming: IncomingCall): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, lowerCase } of parameters) {
    const value = incoming.header(lowerCase);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

function detailOf(issue: { readonly in: string; readonly name: string; readonly message: string }): RefusalDetail {
  const place = issue.in === 'path' || issue.in === 'query' || issue.in === 'header' ? issue.in : 'request';
  return { in: place, name: issue.name, reason: issue.message };
}

interface OwnHeaders {
  /** Access token, or empty for none. */
  readonly authorization: string;
  readonly coding: string;
  readonly requestId: string;
  /** `traceparent` and `tracestate`, as far as they are there. */
  readonly trace: readonly string[];
}

/**
 * Headers of the upstream request: the checked header parameters and ours, with `Host` at most six names. Where a trace context
 * travels it takes the place of `Accept`, and its state that of the request identifier, which the trace makes needless.
 */
function buildHeaders(
  parameters: readonly HeaderParameter[],
  checked: CheckedParameters,
  own: OwnHeaders,
): readonly string[] {
  const [traceParent, traceState] = own.trace;
  const headers = ['accept-encoding', own.coding];
  if (traceParent === undefined) headers.push('accept', 'application/json');
  else headers.push('traceparent', traceParent);
  if (traceState === undefined) headers.push('x-request-id', own.requestId);
  else headers.push('tracestate', traceState);
  if (own.authorization !== '') headers.push('authorization', `Bearer ${own.authorization}`);
  for (const { name, lowerCase } of parameters) {
    const value = checked.headers[name];
    if (value !== undefined) headers.push(lowerCase, value);
  }
  return headers;
}
