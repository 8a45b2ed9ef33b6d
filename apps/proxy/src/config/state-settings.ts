import type { Setting } from './setting.js';

/** Settings of what outlives a process or is shared by several. */
export const stateSettings = [
  {
    variable: 'VDS_STORE',
    kind: 'choice',
    default: 'memory',
    choices: ['memory', 'file', 'redis', 'durable-object'],
    help: 'Where tokens, locks and counts are kept: in the process, in a folder shared by the processes of one machine (counts stay in the process), in Redis for any number of processes, or, on Workers, in the Durable Objects that are bound as `VDS_STATE`',
  },
  {
    variable: 'VDS_STORE_DIR',
    kind: 'file',
    default: null,
    help: 'The folder of `VDS_STORE=file`; only its owner can read what is written there',
  },
  {
    variable: 'VDS_REDIS_URL',
    kind: 'password',
    default: null,
    help: 'Address of `VDS_STORE=redis`, such as `redis://user:password@host:6379/0`, or `rediss://` with TLS',
  },
  {
    variable: 'VDS_REDIS_SENTINELS',
    kind: 'text',
    default: null,
    help: 'Redis Sentinels as `host:port`, separated by commas; the host in `VDS_REDIS_URL` is then the name of the primary, such as `redis://mymaster`',
  },
  {
    variable: 'VDS_REDIS_PREFIX',
    kind: 'text',
    default: 'vds:',
    help: 'What stands before every key in Redis',
  },
  {
    variable: 'VDS_REDIS_TIMEOUT_MS',
    kind: 'integer',
    default: '250',
    minimum: 10,
    maximum: 10_000,
    help: 'Time for one command of Redis, in milliseconds; after that the process counts alone for a second',
  },
] as const satisfies readonly Setting[];
