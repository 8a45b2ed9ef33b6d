export { vehicleQueries } from '../generated/queries.js';
export type { QueryOptions } from './query-options.js';
