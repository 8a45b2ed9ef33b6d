import type { Setting } from './setting.js';

/** Settings of who may call. */
export const callerSettings = [
  {
    variable: 'VDS_CLIENT_AUTH',
    kind: 'choice',
    default: 'none',
    choices: ['none', 'api-key'],
    help: 'How callers are recognised; `none` is for loopback addresses only',
  },
  {
    variable: 'VDS_KEYS_FILE',
    kind: 'file',
    default: null,
    help: 'The file of `VDS_CLIENT_AUTH=api-key`, made by `vds-proxy keys create`; changes are seen while the proxy runs',
  },
] as const satisfies readonly Setting[];
