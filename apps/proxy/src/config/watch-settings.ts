import type { Setting } from './setting.js';

/** Settings of what can be seen of the proxy. */
export const watchSettings = [
  {
    variable: 'VDS_ADMIN_PORT',
    kind: 'integer',
    default: null,
    minimum: 0,
    maximum: 65_535,
    help: 'Port of `/metrics`, `/drift` and `/tokens`; without it there is none',
  },
  {
    variable: 'VDS_ADMIN_HOST',
    kind: 'text',
    default: '127.0.0.1',
    help: 'Address of the admin port; whoever reaches it sees counts and states, never values',
  },
  {
    variable: 'VDS_AUDIT_FILE',
    kind: 'file',
    default: null,
    help: 'File to which every withdrawal of consent is appended, whatever the log level; needs `VDS_VIN_HASH_KEY`',
  },
  {
    variable: 'VDS_LOG_LEVEL',
    kind: 'choice',
    default: 'info',
    choices: ['silent', 'error', 'info', 'debug'],
    help: 'What is logged: nothing, failed calls, every call, or every call with its reason',
  },
  {
    variable: 'VDS_SERVER_TIMING',
    kind: 'boolean',
    default: 'false',
    help: 'Whether answers say in `Server-Timing` how long the service took',
  },
  {
    variable: 'VDS_TRACES',
    kind: 'boolean',
    default: 'false',
    help: 'Whether calls are reported as spans to the OpenTelemetry SDK that the process was started with (`node --import`)',
  },
] as const satisfies readonly Setting[];
