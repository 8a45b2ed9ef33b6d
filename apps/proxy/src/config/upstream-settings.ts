import type { Setting } from './setting.js';

/** Settings of the connections to the upstream. */
export const upstreamSettings = [
  {
    variable: 'VDS_UPSTREAM_CA_FILE',
    kind: 'file',
    default: null,
    help: 'Certificate authorities of the upstream (PEM), besides those of Node',
  },
  {
    variable: 'VDS_UPSTREAM_CERT_FILE',
    kind: 'file',
    default: null,
    help: 'Client certificate for the upstream (PEM), with the key in `VDS_UPSTREAM_KEY_FILE`',
  },
  {
    variable: 'VDS_UPSTREAM_KEY_FILE',
    kind: 'file',
    default: null,
    help: 'Key of the client certificate for the upstream (PEM)',
  },
  {
    variable: 'VDS_UPSTREAM_MIN_TLS',
    kind: 'choice',
    default: 'TLSv1.2',
    choices: ['TLSv1.2', 'TLSv1.3'],
    help: 'Lowest TLS version for the upstream',
  },
  {
    variable: 'VDS_UPSTREAM_PROXY',
    kind: 'password',
    default: null,
    help: 'Egress proxy for connections to the upstream, such as `http://user:password@proxy:3128`; it must take CONNECT',
  },
  {
    variable: 'VDS_ALLOW_PLAINTEXT',
    kind: 'boolean',
    default: 'false',
    help: 'Whether `http://` to an upstream and `redis://` to a Redis on another host may be used, where tokens travel in the clear',
  },
] as const satisfies readonly Setting[];
