/** What a setting can hold. */
export type SettingKind = 'text' | 'secret' | 'url' | 'integer' | 'boolean' | 'list' | 'choice';

/** One setting of the program: an environment variable and the flag of the same name. */
export interface Setting {
  /** Name of the environment variable; the flag is the same without `VDS_`, in kebab case. */
  readonly variable: string;
  readonly kind: SettingKind;
  /** Value when nothing is set, as it would be written; `null` when there is none. */
  readonly default: string | null;
  readonly help: string;
  /** Further environment variables that mean the same, used when the first is not set. */
  readonly alsoVariables?: readonly string[];
  /** Further flags that mean the same. */
  readonly alsoFlags?: readonly string[];
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Every setting of the program, in the order of the documentation. A secret can also come from a file: `…_FILE`. */
export const settings = [
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
    variable: 'VDS_CLIENT_AUTH',
    kind: 'choice',
    default: 'none',
    choices: ['none'],
    help: 'How callers are recognised; `none` is for loopback addresses only',
  },
  {
    variable: 'VDS_UPSTREAM_AUTH',
    kind: 'choice',
    default: 'forward',
    choices: ['forward', 'static'],
    help: "Whose access token the service gets: the caller's own, or one of the proxy",
  },
  {
    variable: 'VDS_ACCESS_TOKEN',
    kind: 'secret',
    default: null,
    help: 'The access token of `VDS_UPSTREAM_AUTH=static`',
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
    variable: 'VDS_ADMIN_PORT',
    kind: 'integer',
    default: null,
    minimum: 0,
    maximum: 65_535,
    help: 'Port of metrics and drift report on 127.0.0.1; without it there is none',
  },
  {
    variable: 'VDS_LOG_LEVEL',
    kind: 'choice',
    default: 'info',
    choices: ['silent', 'error', 'info', 'debug'],
    help: 'What is logged: nothing, failed calls, every call, or every call with its reason',
  },
] as const satisfies readonly Setting[];

/** Name of a setting's environment variable. */
export type SettingName = (typeof settings)[number]['variable'];

/** The flag of a setting, for example `--upstream-url`. */
export function flagOf(variable: string): string {
  return variable.replace(/^VDS_/, '').toLowerCase().replaceAll('_', '-');
}
