import type { Setting } from './setting.js';

/** Settings of how the proxy proves itself to the service. */
export const identitySettings = [
  {
    variable: 'VDS_UPSTREAM_AUTH',
    kind: 'choice',
    default: 'forward',
    choices: ['forward', 'static'],
    byBrand: true,
    help: "Whose access token the service gets: the caller's own, or one of the proxy",
  },
  {
    variable: 'VDS_ACCESS_TOKEN',
    kind: 'secret',
    default: null,
    byBrand: true,
    help: 'The access token of `VDS_UPSTREAM_AUTH=static`',
  },
] as const satisfies readonly Setting[];
