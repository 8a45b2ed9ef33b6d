// The shapes that TanStack Query and its framework adapters take, and their keys.
import type { DataTag } from '@tanstack/query-core';
import { personal } from '../generated/operations.js';
import { shortHash } from '../trips/trip-identity.js';

/** Options of a query. Its key has the type of its data, so that `getQueryData(queryKey)` is typed. */
export interface QueryOptions<Data> {
  readonly queryKey: DataTag<readonly unknown[], Data, Error>;
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<Data>;
  /** The client retries by itself, where that is safe and useful. */
  readonly retry: false;
}

/** Options of a mutation. */
export interface MutationOptions<Parameters, Data> {
  readonly mutationKey: readonly unknown[];
  readonly mutationFn: (parameters: Parameters) => Promise<Data>;
  /** A call that may have taken effect is not sent again. */
  readonly retry: false;
}

/** How many items a query over a range of days holds at most. */
export interface RangeQueryOptions {
  readonly limit: number;
}

export function queryOptions<Data>(
  queryKey: readonly unknown[],
  read: (signal: AbortSignal | undefined) => Promise<Data>,
): QueryOptions<Data> {
  return {
    // The tag is there for the compiler alone.
    queryKey: queryKey as QueryOptions<Data>['queryKey'],
    queryFn: ({ signal }) => read(signal),
    retry: false,
  };
}

/**
 * Parameters for a key, with a hash in place of a VIN: keys are shown by devtools and kept by persisters. Whoever guesses a VIN
 * can test it, so a key is still personal data.
 */
export function keyOf(parameters: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(parameters).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? value.replace(personal, shortHash) : value,
  ]);
  return Object.fromEntries(entries);
}
