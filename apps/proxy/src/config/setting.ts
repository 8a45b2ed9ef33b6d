import * as v from 'valibot';
import { parseRate, type Rate } from '../limits/rate.js';

/** What a setting can hold: how its text is checked and read, and how the documentation names it. */
export interface Kind<Value> {
  readonly schema: v.GenericSchema<string, Value>;
  /** What the table of settings says of its values. */
  readonly words: string;
  /** What it may be in the configuration file besides a text. */
  readonly json?: 'number' | 'boolean' | 'list';
  /** Whether the value is never shown, and can come from a file instead (`…_FILE`). */
  readonly secret?: true;
}

/** What is known of a setting besides its schema. */
export interface Setting extends Kind<unknown> {
  /** Name of the environment variable; flag and key are the same without `VDS_`, in kebab case. */
  readonly variable: string;
  readonly help: string;
  /** Value when nothing is set, as it would be written. */
  readonly default?: string;
  /** Further environment variables that mean the same, used when the first is not set. */
  readonly alsoVariables?: readonly string[];
  /** Further flags that mean the same. */
  readonly alsoFlags?: readonly string[];
  /** Whether the configuration file can set it for one brand alone. */
  readonly byBrand?: true;
}

type Options = Partial<Pick<Setting, 'alsoVariables' | 'alsoFlags' | 'byBrand'>>;
type Known = Omit<Setting, 'variable'>;

const known = new Map<v.GenericSchema<string | undefined, unknown>, Known>();

/** A setting of a kind. Without a default it can be absent. */
export function setting<Value>(
  kind: Kind<Value>,
  help: string,
  options: Options & { readonly default: string },
): v.OptionalSchema<v.GenericSchema<string, Value>, string>;
export function setting<Value>(
  kind: Kind<Value>,
  help: string,
  options?: Options,
): v.OptionalSchema<v.GenericSchema<string, Value>, undefined>;
export function setting<Value>(kind: Kind<Value>, help: string, options: Options & { readonly default?: string } = {}) {
  const schema = v.optional(kind.schema, options.default);
  known.set(schema, { ...kind, help, ...options });
  return schema;
}

/** Texts of settings by the name of the variable, with `…_FILE` for the file of a secret. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** The settings of a schema, in its order. */
export function settingsIn(entries: Readonly<Record<string, v.GenericSchema<string | undefined, unknown>>>): Setting[] {
  return Object.entries(entries).flatMap(([variable, schema]) => {
    const found = known.get(schema);
    return found === undefined ? [] : { ...found, variable };
  });
}

/** The flag of a setting, for example `upstream-url`; the configuration file has the same as its key. */
export function flagOf(variable: string): string {
  return variable.replace(/^VDS_/, '').toLowerCase().replaceAll('_', '-');
}

function textOf(form: RegExp, problem: string): v.GenericSchema<string, string> {
  return v.pipe(v.string(), v.regex(form, problem));
}

/** Any visible characters. */
export const text: Kind<string> = {
  schema: textOf(/^[\x21-\x7e]+$/, 'must be visible characters without spaces'),
  words: 'text',
};

/** Several texts. https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
export const words: Kind<string> = {
  schema: textOf(
    /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be words of visible characters without quotes, with single spaces between them',
  ),
  words: 'words, separated by spaces',
};

export const file: Kind<string> = {
  schema: textOf(/^\P{Cc}+$/u, 'must be a path without control characters'),
  words: 'path',
};

/** One access token. */
export const token: Kind<string> = {
  schema: textOf(/^[A-Za-z0-9\-._~+/]+=*$/, 'must be one access token, without spaces or line ends'),
  words: 'access token',
  secret: true,
};

/** Any visible text that is not shown. */
export function password(minimum = 1): Kind<string> {
  const form = textOf(/^[\x21-\x7e]{1,4096}$/, 'must be visible characters without spaces or line ends');
  return {
    schema: v.pipe(form, v.minLength(minimum, `must have at least ${minimum} characters`)),
    words: minimum === 1 ? 'secret' : `secret, at least ${minimum} characters`,
    secret: true,
  };
}

export const url: Kind<string> = {
  schema: v.pipe(
    v.string(),
    v.check(
      (address) => /^https?:$/.test(urlOf(address)?.protocol ?? ''),
      'must be an address that starts with http:// or https://',
    ),
    v.check(
      (address) => `${urlOf(address)?.username}${urlOf(address)?.password}` === '',
      'must not hold user information',
    ),
    v.check(
      (address) => `${urlOf(address)?.search}${urlOf(address)?.hash}` === '',
      'must not hold a query or a fragment',
    ),
  ),
  words: 'address',
};

/** A text as an address, or `null` when it is none. */
export function urlOf(address: string | undefined): URL | null {
  return address !== undefined && URL.canParse(address) ? new URL(address) : null;
}

export function integer(minimum: number, maximum: number): Kind<number> {
  const fits = (number: string) => /^\d{1,15}$/.test(number) && Number(number) >= minimum && Number(number) <= maximum;
  const problem = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    schema: v.pipe(v.string(), v.check(fits, problem), v.transform(Number)),
    words: `whole number, ${minimum} to ${maximum}`,
    json: 'number',
  };
}

export const boolean: Kind<boolean> = {
  schema: v.pipe(
    v.string(),
    v.regex(/^(?:true|1|yes|on|false|0|no|off)$/i, 'must be true or false'),
    v.transform((word) => /^(?:true|1|yes|on)$/i.test(word)),
  ),
  words: 'true or false',
  json: 'boolean',
};

export function choice<const Name extends string>(...names: readonly Name[]): Kind<Name> {
  return {
    schema: v.picklist(names, `must be one of ${names.join(', ')}`),
    words: names.map((name) => `\`${name}\``).join(', '),
  };
}

/** Names separated by commas. @param schema of one name */
function list<Name>(schema: v.GenericSchema<string, Name>): Kind<Name[]> {
  return {
    schema: v.pipe(
      textOf(/^[0-9A-Za-z._-]+(?:,[0-9A-Za-z._-]+)*$/, 'must be names separated by commas, without spaces'),
      v.transform((joined) => joined.split(',')),
      v.array(schema),
    ),
    words: 'names, separated by commas',
    json: 'list',
  };
}

export const names: Kind<string[]> = list(v.string());

export function namesOutOf<const Name extends string>(known: readonly Name[]): Kind<Name[]> {
  return list(v.picklist(known, `must hold only ${known.join(', ')}`));
}

/** A number of calls in a span of time. */
export const rate: Kind<Rate> = {
  schema: v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const parsed = parseRate(dataset.value);
      if (parsed !== null) return parsed;
      addIssue({ message: 'must be calls and seconds, such as 600/60s' });
      return NEVER;
    }),
  ),
  words: 'calls/seconds, such as `600/60s`',
};

/** A list of `name=dotted.path`. */
export function mapping(known: readonly string[]): Kind<Readonly<Record<string, string>>> {
  const form = new RegExp(`^(?:${known.join('|')})=[0-9A-Za-z_-]+(?:\\.[0-9A-Za-z_-]+)*$`);
  return {
    schema: v.pipe(
      v.string(),
      v.check(
        (pairs) => pairs.split(',').every((pair) => form.test(pair)),
        `must be name=field pairs separated by commas, with names out of ${known.join(', ')}`,
      ),
      v.transform((pairs) => Object.fromEntries(pairs.split(',').map((pair) => splitPair(pair)))),
    ),
    words: '`name=field` pairs, separated by commas',
    json: 'list',
  };
}

function splitPair(pair: string): readonly [name: string, field: string] {
  const [name = '', field = ''] = pair.split('=');
  return [name, field];
}
