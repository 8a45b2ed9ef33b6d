import type { Setting } from './setting.js';

/** Settings of how much may be asked. */
export const limitSettings = [
  {
    variable: 'VDS_LIMIT_PER_CALLER',
    kind: 'rate',
    default: null,
    help: 'Calls that one caller may make; a rate of an API key wins over it. Without it, none is counted',
  },
  {
    variable: 'VDS_LIMIT_PER_VEHICLE',
    kind: 'rate',
    default: null,
    help: 'Calls that may be made for one vehicle, by all callers together. Without it, none is counted',
  },
] as const satisfies readonly Setting[];
