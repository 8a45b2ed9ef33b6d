/** Options of a query, in the shape that TanStack Query and its framework adapters take. */
export interface QueryOptions<Data> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<Data>;
  /** The client retries by itself, where that is safe and useful. */
  readonly retry: false;
}

export function queryOptions<Data>(
  queryKey: readonly unknown[],
  read: (signal: AbortSignal | undefined) => Promise<Data>,
): QueryOptions<Data> {
  return { queryKey, queryFn: ({ signal }) => read(signal), retry: false };
}
