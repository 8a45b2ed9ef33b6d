export { vehicleMutations, vehicleQueries } from '../generated/queries.js';
export type { MutationOptions, QueryOptions, RangeQueryOptions } from './query-options.js';
