import { isVehicleDataError } from '../errors.js';
import { createMeta } from '../generated/factories.js';
import { type Fakes, fakedOperations } from '../generated/fakes.js';
import type { Operation } from '../operation.js';
import { membersOf } from '../rules.js';

/** A request as a fake service sees it. */
export interface FakeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Responds to a request as the service does, with the payload or the error of a fake. */
export async function respond(fakes: Fakes, request: FakeRequest): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  for (const [name, operation] of Object.entries(fakedOperations)) {
    const inPath = request.method === operation.method ? pathParameters(operation, pathname) : undefined;
    const isSame = inPath && hasSameQuery(operation, searchParams);
    if (!isSame) continue;
    // The parameters of the type come from the same contract as the request that the client has built.
    const fake: unknown = membersOf(fakes)?.[name];
    if (typeof fake !== 'function') return errorResponse('not-faked', `there is no fake of ${name}`, 400);
    return play(fake as Play, typedValues(operation, { ...inPath, ...Object.fromEntries(searchParams) }), request);
  }
  return errorResponse('not-faked', 'no operation of the contract', 400);
}

type Play = (parameters: Readonly<Record<string, unknown>>, call: object) => unknown;

async function play(
  fake: Play,
  parameters: Readonly<Record<string, unknown>>,
  { headers }: FakeRequest,
): Promise<Response> {
  const timestamp = new Date().toISOString();
  try {
    const data = await fake(parameters, { brand: headers['brand'], headers });
    return Response.json({ data, meta: createMeta({ timestamp }) });
  } catch (error) {
    if (!isVehicleDataError(error) || error.status === undefined) throw error;
    const { code, status, requestId, retryAfterMs, details } = error;
    const [, message = ''] = /: \S+ (.*) \(HTTP \d+\)$/.exec(error.message) ?? [];
    const seconds = retryAfterMs === undefined ? {} : { 'retry-after': `${Math.ceil(retryAfterMs / 1_000)}` };
    return Response.json({ error: { code, message, details, timestamp, requestId } }, { status, headers: seconds });
  }
}

function errorResponse(code: string, message: string, status: number): Response {
  return Response.json({ error: { code, message, details: [] } }, { status });
}

/** The values of a path template, or `undefined` where a path is another one. A base path before it is allowed. */
function pathParameters({ path }: Operation, pathname: string): Record<string, string> | undefined {
  const pattern = path.replace(/{(\w+)}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`${pattern}$`).exec(pathname);
  return match ? { ...match.groups } : undefined;
}

/** The values of an address with the types that the contract gives them. */
function typedValues({ parameters }: Operation, texts: Readonly<Record<string, string>>) {
  const entries = Object.entries(texts);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, parameters[name]?.isNoText ? JSON.parse(text) : text]),
  );
}

/** Two operations can share method and path: the one that widens an effect has no query. */
function hasSameQuery({ parameters }: Operation, query: URLSearchParams): boolean {
  const needed = Object.entries(parameters).filter(([, rule]) => rule.in === 'query' && rule.isRequired);
  return needed.every(([name]) => query.has(name)) && [...query.keys()].every((name) => name in parameters);
}
