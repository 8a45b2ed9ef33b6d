/**
 * What a setting can hold. `secret` is one access token, `password` any visible text; both are masked and can come from a
 * file. `rate` is a number of calls in a span (`600/60s`), `mapping` a list of `name=dotted.path`, `words` several texts with
 * single spaces between them.
 */
export type SettingKind =
  | 'text'
  | 'words'
  | 'file'
  | 'secret'
  | 'password'
  | 'url'
  | 'integer'
  | 'boolean'
  | 'list'
  | 'choice'
  | 'rate'
  | 'mapping';

/** One setting of the program: an environment variable, a flag and a key of the configuration file. */
export interface Setting {
  /** Name of the environment variable; flag and key are the same without `VDS_`, in kebab case. */
  readonly variable: string;
  readonly kind: SettingKind;
  /** Value when nothing is set, as it would be written; `null` when there is none. */
  readonly default: string | null;
  readonly help: string;
  /** Further environment variables that mean the same, used when the first is not set. */
  readonly alsoVariables?: readonly string[];
  /** Further flags that mean the same. */
  readonly alsoFlags?: readonly string[];
  /** Choices of a `choice`; of a `list` or `mapping`, the names that may stand in it. */
  readonly choices?: readonly string[];
  /** Least value of an `integer`, or least length of a `password`. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whether the configuration file can set it for one brand alone. */
  readonly byBrand?: boolean;
}

/** The flag of a setting, for example `upstream-url`; the configuration file has the same as its key. */
export function flagOf(variable: string): string {
  return variable.replace(/^VDS_/, '').toLowerCase().replaceAll('_', '-');
}

/** Whether the value of a setting is never shown, and can come from a file instead (`…_FILE`). */
export function isSecret(setting: Setting): boolean {
  return setting.kind === 'secret' || setting.kind === 'password';
}
