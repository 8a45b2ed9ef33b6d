import type { Setting } from './setting.js';

/** Settings of the server itself: where it listens, what it lets through and what it says. */
export const serverSettings = [
  {
    variable: 'VDS_UPSTREAM_URL',
    kind: 'url',
    default: null,
    alsoFlags: ['upstream'],
    help: 'Base address of the vehicle data service',
  },
  { variable: 'VDS_HOST', kind: 'text', default: '127.0.0.1', alsoVariables: ['HOST'], help: 'Address to listen on' },
  {
    variable: 'VDS_PORT',
    kind: 'integer',
    default: '8787',
    minimum: 0,
    maximum: 65_535,
    alsoVariables: ['PORT'],
    help: 'Port to listen on; 0 takes a free one',
  },
  {
    variable: 'VDS_BRANDS',
    kind: 'list',
    default: null,
    help: 'Brand identifiers to accept, separated by commas; without it, those of the contract',
  },
  {
    variable: 'VDS_ALLOW_STOP_ALL',
    kind: 'boolean',
    default: 'false',
    help: 'Whether a DELETE without vin, which stops sharing for a whole brand, may pass',
  },
  {
    variable: 'VDS_VALIDATE_REQUESTS',
    kind: 'choice',
    default: 'enforce',
    choices: ['enforce'],
    help: 'Checks of requests; what breaks the contract is always refused',
  },
  {
    variable: 'VDS_VALIDATE_RESPONSES',
    kind: 'choice',
    default: 'report',
    choices: ['off', 'report', 'enforce'],
    help: 'Checks of answers: none, counted in the drift report, or refused',
  },
  {
    variable: 'VDS_DEADLINE_MS',
    kind: 'integer',
    default: '10000',
    minimum: 100,
    maximum: 600_000,
    help: 'Time for one call in all, in milliseconds',
  },
  {
    variable: 'VDS_MAX_IN_FLIGHT',
    kind: 'integer',
    default: '1024',
    minimum: 1,
    maximum: 65_536,
    help: 'Calls under way at once; further ones are answered with 503',
  },
  {
    variable: 'VDS_WORKERS',
    kind: 'integer',
    default: '1',
    minimum: 1,
    maximum: 128,
    help: "Processes that answer calls, at best one a core; limits, tokens and metrics are theirs together, other bounds are each one's own",
  },
  {
    variable: 'VDS_CONFIG_FILE',
    kind: 'file',
    default: null,
    help: 'A JSON file with settings, by flag name; flags and environment variables win over it',
  },
] as const satisfies readonly Setting[];
