import type { Setting } from './setting.js';

/** Settings of how much may be asked. */
export const limitSettings = [
  {
    variable: 'VDS_LIMIT_PER_CLIENT',
    kind: 'rate',
    default: null,
    help: 'Calls that one client may make; a rate of an API key wins over it. Without client authentication all clients are one',
  },
  {
    variable: 'VDS_LIMIT_PER_VEHICLE',
    kind: 'rate',
    default: null,
    help: 'Calls that one client may make for one vehicle of a brand; a withdrawal is never counted or stopped',
  },
] as const satisfies readonly Setting[];
