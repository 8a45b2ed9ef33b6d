import type { FetchResponse, ParamsOption } from 'openapi-fetch';
import type { CallOptions } from './call-options.js';
import { checkArguments } from './check-arguments.js';
import { argumentError, typedError } from './client-error.js';
import { operations } from './generated/operations.js';
import type { paths } from './generated/types.js';
import type { Perform } from './perform.js';
import { errorAnswers } from './service-error.js';

type Methods = 'get' | 'delete';

/** The contract's types with every header parameter optional: the client sends the brand itself. */
type WithoutHeaders<T> = T extends { parameters: infer Parameters }
  ? Omit<T, 'parameters'> & { parameters: Omit<Parameters, 'header'> }
  : T;

type PathsWith<Method extends Methods> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, { responses: unknown }> ? Path : never;
}[keyof paths];

type Init<T> = ParamsOption<T> & CallOptions;

type RawMethod<Method extends Methods> = <Path extends PathsWith<Method>>(
  path: Path,
  ...init: Record<never, never> extends Init<WithoutHeaders<paths[Path][Method]>>
    ? [init?: Init<WithoutHeaders<paths[Path][Method]>>]
    : [init: Init<WithoutHeaders<paths[Path][Method]>>]
) => Promise<FetchResponse<paths[Path][Method] & Record<string, unknown>, Record<never, never>, 'application/json'>>;

/**
 * The result style of openapi-fetch: `{ data, error, response }`, where `data` and `error` are the whole envelopes. An error
 * envelope of the service comes back as `error`; everything that is no answer of the service throws a typed error, as the
 * methods do: refused arguments, no connection, deadline, abort, a malformed answer. The body of `response` has been read.
 */
export interface RawClient {
  readonly GET: RawMethod<'get'>;
  /** Refuses to leave out a parameter whose absence widens the effect; the wordy method of the client does that. */
  readonly DELETE: RawMethod<'delete'>;
}

/** Makes the raw style on the same road as the methods: same checks, same retries, same deadline. */
export function createRawClient(perform: Perform): RawClient {
  const call = (method: string) => async (path: string, init?: RawInit | null) => {
    try {
      const { params, ...options } = init ?? {};
      const operation = operations.find((one) => one.method === method && one.path === path);
      if (!operation) throw argumentError(undefined, 'path must be one of the contract');
      // The brand may stand where openapi-fetch has headers. Where a parameter stands makes no difference.
      const brand = params?.header?.Brand ?? options.brand;
      const checked = checkArguments(operation, { ...params?.path, ...params?.query });
      const { body, response } = await perform(operation, checked, { ...options, brand });
      return { data: body, response };
    } catch (error) {
      const failure = typedError(error);
      const answer = errorAnswers.get(failure);
      if (!answer) throw failure;
      return answer;
    }
  };
  // The runtime table and the types are made of the same contract; the compiler cannot see that.
  return { GET: call('GET'), DELETE: call('DELETE') } as unknown as RawClient;
}

type RawInit = CallOptions & {
  readonly params?: {
    readonly path?: object;
    readonly query?: object;
    readonly header?: { readonly Brand?: CallOptions['brand'] };
  };
};
