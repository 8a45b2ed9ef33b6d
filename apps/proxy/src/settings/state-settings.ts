import type { Setting } from './setting.js';

/** Settings of what outlives a process or is shared by several. */
export const stateSettings = [
  {
    variable: 'VDS_STORE',
    kind: 'choice',
    default: 'memory',
    choices: ['memory', 'file'],
    help: 'Where tokens and locks are kept: in the process, or in a folder shared by the processes of one machine',
  },
  {
    variable: 'VDS_STORE_DIR',
    kind: 'file',
    default: null,
    help: 'The folder of `VDS_STORE=file`; only its owner can read what is written there',
  },
] as const satisfies readonly Setting[];
