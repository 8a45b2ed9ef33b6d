import { jwtAlgorithms } from '../auth/jwt-algorithms.js';
import { claimNames } from '../auth/jwt-rights.js';
import { servedOperations } from '../config.js';
import type { Setting } from './setting.js';

/** Settings of who may call. */
export const clientSettings = [
  {
    variable: 'VDS_CLIENT_AUTH',
    kind: 'choice',
    default: 'none',
    choices: ['none', 'api-key', 'jwt'],
    help: 'How clients are recognised; `none` is for loopback addresses only',
  },
  {
    variable: 'VDS_KEYS_FILE',
    kind: 'file',
    default: null,
    help: 'The file of `VDS_CLIENT_AUTH=api-key`, made by `vds-proxy keys create`; changes are seen while the proxy runs',
  },
  {
    variable: 'VDS_VIN_HASH_KEY',
    kind: 'password',
    default: null,
    minimum: 32,
    help: 'Secret under which VINs are hashed in key files and in the audit log, at least 32 characters',
  },
  {
    variable: 'VDS_JWKS_URL',
    kind: 'url',
    default: null,
    help: 'Address of the key set of the issuer of `VDS_CLIENT_AUTH=jwt`',
  },
  {
    variable: 'VDS_JWT_ISSUER',
    kind: 'text',
    default: null,
    help: 'The issuer (`iss`) whose tokens count',
  },
  {
    variable: 'VDS_JWT_AUDIENCE',
    kind: 'text',
    default: null,
    help: 'Identifier of this proxy, which tokens must name as audience (`aud`)',
  },
  {
    variable: 'VDS_JWT_ALGORITHMS',
    kind: 'list',
    default: 'RS256,PS256,ES256,EdDSA',
    choices: jwtAlgorithms,
    help: 'Signature algorithms that count, separated by commas',
  },
  {
    variable: 'VDS_JWT_TOLERANCE_S',
    kind: 'integer',
    default: '30',
    minimum: 0,
    maximum: 300,
    help: 'Difference of clocks that is forgiven, in seconds',
  },
  {
    variable: 'VDS_JWT_CLAIMS',
    kind: 'mapping',
    default: null,
    choices: claimNames,
    help: 'Claims with the rights of a client, such as `operations=vds.operations,vehicles=vds.vehicles`; a named claim that a token lacks allows nothing',
  },
  {
    variable: 'VDS_JWT_OPERATIONS',
    kind: 'list',
    default: null,
    choices: servedOperations.map((operation) => operation.operationId),
    help: 'Operations that clients with a token may use, separated by commas; without it, all',
  },
] as const satisfies readonly Setting[];
