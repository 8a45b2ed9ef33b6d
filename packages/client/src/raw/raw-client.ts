import type { ParamsOption } from 'openapi-fetch';
import type { Settings } from '../call/call.js';
import { loaded, withUserStack } from '../call/start-call.js';
import { copyOf } from '../checks/rules.js';
import type { Envelopes } from '../generated/methods.js';
import type { Brand, ErrorEnvelope } from '../generated/schemas.js';
import type { paths } from '../generated/types.js';
import type { CallOptions } from '../options.js';

type Methods = 'get' | 'delete';
type EnvelopesOf<Method extends Methods> = Envelopes[Uppercase<Method>];

/** A response of the service: success or an error, and the response that it was read from. */
export type RawResult<Envelope> = RawSuccess<Envelope> | RawFailure;

export interface RawSuccess<Envelope> {
  /** The whole envelope, as it was received. */
  readonly data: Envelope;
  readonly error?: never;
  /** Its body has been read. */
  readonly response: Response;
}

export interface RawFailure {
  readonly data?: never;
  /** The whole error envelope, as it was received. */
  readonly error: ErrorEnvelope;
  /** Its body has been read. */
  readonly response: Response;
}

/** What user code gives: no header parameters, since the client sends the brand itself, and the whole query of a DELETE. */
type Sent<T, Method extends Methods> = T extends { parameters: infer Parameters }
  ? { parameters: Omit<Parameters, 'header'> & (Method extends 'delete' ? WholeQuery<Parameters> : unknown) }
  : T;

/** An optional parameter of a DELETE widens its effect where it is absent, so it is needed. */
type WholeQuery<Parameters> = Parameters extends { query?: never }
  ? unknown
  : Parameters extends { query?: infer Query }
    ? { query: Required<NonNullable<Query>> }
    : unknown;

type Init<Path extends keyof paths, Method extends Methods, BrandName extends string> = ParamsOption<
  Sent<paths[Path][Method], Method>
> &
  CallOptions<BrandName>;

type RawMethod<Method extends Methods, BrandName extends string> = <
  Path extends keyof EnvelopesOf<Method> & keyof paths,
>(
  path: Path,
  ...init: Record<never, never> extends Init<Path, Method, BrandName>
    ? [init?: Init<Path, Method, BrandName>]
    : [init: Init<Path, Method, BrandName>]
) => Promise<RawResult<EnvelopesOf<Method>[Path]>>;

/**
 * The result style of openapi-fetch: `{ data, error, response }`, where `data` and `error` are the whole envelopes. An error
 * envelope of the service comes back as `error`. Everything that is no response of the service throws a typed error, as the
 * methods do: rejected arguments, no connection, deadline, abort, a malformed response. The body of `response` has been read.
 */
export interface RawClient<BrandName extends string = Brand> {
  readonly GET: RawMethod<'get', BrandName>;
  /** Rejects a call without the parameter whose absence widens the effect; a method of the client does that. */
  readonly DELETE: RawMethod<'delete', BrandName>;
}

/** The raw style, by the same checks, retries and deadline as the methods. Its code is loaded with the first call. */
export function createRawClient<BrandName extends string>(settings: Settings): RawClient<BrandName> {
  const call = (method: string) => (path: unknown, init?: unknown) =>
    withUserStack(async () => {
      const given = copyOf(init);
      const { callRaw } = await loaded(settings, import('./call-raw.js'));
      return callRaw(settings, method, path, given);
    });
  // The operations of the run time and the types are made of the same contract; the compiler cannot see that.
  const raw: { readonly [Method in keyof RawClient]: unknown } = { GET: call('GET'), DELETE: call('DELETE') };
  return raw as RawClient<BrandName>;
}
