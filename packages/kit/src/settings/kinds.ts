// The kinds of values that settings have. Each reads a text, as a flag or a variable has it, and says what is wrong with another one
// without repeating it.
import * as v from 'valibot';
import { isDate } from '../calendar.js';

/** What is known of the values of a kind besides their schema. */
export interface Kind {
  /** What the table of settings says of its values. */
  readonly words: string;
  /** What it may be in the configuration file besides a string. */
  readonly json?: 'number' | 'boolean' | 'list';
  /** Whether the value is never shown, and can come from a file instead (`…_FILE`). */
  readonly secret?: true;
}

/** Checks the text of a setting and makes its value. */
export type TextSchema<Value = unknown> = v.GenericSchema<string, Value>;

const kinds = new Map<TextSchema, Kind>();

/** What is known of a kind. */
export function kindOf(schema: TextSchema): Kind {
  return kinds.get(schema) ?? { words: 'text' };
}

/** Makes a kind of a schema. @param words what tables of settings say of its values */
export function kind<Value>(
  schema: TextSchema<Value>,
  words: string,
  more: Omit<Kind, 'words'> = {},
): TextSchema<Value> {
  kinds.set(schema, { words, ...more });
  return schema;
}

/** A text of one form. @param problem what is wrong with another, never with the text itself */
export function textOf(form: RegExp, problem: string): TextSchema<string> {
  return v.pipe(v.string(), v.regex(form, problem));
}

const visible = textOf(/^[\x21-\x7e]+$/, 'must be visible characters without spaces');

/** Any visible characters. */
export const text = kind(visible, 'text');

/** Several texts. https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
export const words = kind(
  textOf(
    /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be words of visible characters without quotes, with single spaces between them',
  ),
  'words, separated by spaces',
);

/** A path. */
export const file = kind(textOf(/^\P{Cc}+$/u, 'must be a path without control characters'), 'path');

export const token = kind(
  textOf(/^[A-Za-z0-9\-._~+/]+=*$/, 'must be one access token, without spaces or line ends'),
  'access token',
  { secret: true },
);

/** Any visible text that is not shown. */
export function password(minimum = 1): TextSchema<string> {
  const form = textOf(/^[\x21-\x7e]{1,4096}$/, 'must be visible characters without spaces or line ends');
  const schema = v.pipe(form, v.minLength(minimum, `must have at least ${minimum} characters`));
  return kind(schema, minimum === 1 ? 'secret' : `secret, at least ${minimum} characters`, { secret: true });
}

/** Secrets of Standard Webhooks: the present one, and others that stay good while it is replaced. */
export const webhookSecrets = kind(
  textOf(
    /^(?:whsec_)?[A-Za-z0-9+/]{32,88}={0,2}(?:,(?:whsec_)?[A-Za-z0-9+/]{32,88}={0,2}){0,2}$/,
    'must be 24 to 64 random bytes in base64, with or without whsec_ before it; up to three, separated by commas',
  ),
  'secret, in base64',
  { secret: true },
);

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A check of an address. */
function address(fits: (url: URL) => boolean, problem: string) {
  return v.check((text: string) => URL.canParse(text) && fits(new URL(text)), problem);
}

/** An address that is not shown, because it can hold a password. */
export function secretAddress(...schemes: readonly string[]): TextSchema<string> {
  const starts = `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  const encoded = 'must have user and password percent-encoded, with %25 for a percent sign';
  const schema = v.pipe(
    password(),
    address(({ protocol }) => schemes.includes(protocol.slice(0, -1)), starts),
    address((url) => isDecodable(url.username + url.password), encoded),
  );
  return kind(schema, 'secret', { secret: true });
}

export const url = kind(
  v.pipe(
    v.string(),
    address(({ protocol }) => /^https?:$/.test(protocol), 'must be an address that starts with http:// or https://'),
    address(({ username, password }) => username + password === '', 'must not hold user information'),
    address(({ hash }) => hash === '', 'must not hold a fragment'),
  ),
  'address',
);

/** A day of the calendar. */
export const day = kind(
  v.pipe(
    v.string(),
    v.check((text) => isDate(text), 'must be a day, yyyy-MM-dd'),
  ),
  'day, yyyy-MM-dd',
);

/** Several addresses, separated by commas. A comma in one of them is written as %2C. */
export const urls = kind(
  v.pipe(
    v.string(),
    v.transform((joined) => joined.split(',')),
    v.array(url),
    v.maxLength(8, 'must be at most eight addresses'),
    v.check((all) => new Set(all).size === all.length, 'must not hold an address twice'),
  ),
  'addresses, separated by commas',
);

const withoutQuery = address(({ search }) => search === '', 'must not hold a query');
export const baseUrl = kind(v.pipe(url, withoutQuery), 'address without a query');

export function urlOf(address: string | undefined): URL | null {
  return address !== undefined && URL.canParse(address) ? new URL(address) : null;
}

/** Several texts separated by commas. @param fits whether one of them is good */
export function texts(fits: (text: string) => boolean, problem: string): TextSchema<string[]> {
  const split = v.transform((joined: string) => joined.split(','));
  return kind(v.pipe(visible, split, v.everyItem(fits, problem)), 'text');
}

export function integer(minimum: number, maximum: number): TextSchema<number> {
  const fits = (number: string) => /^\d{1,15}$/.test(number) && Number(number) >= minimum && Number(number) <= maximum;
  const problem = `must be a whole number from ${minimum} to ${maximum}`;
  const schema = v.pipe(v.string(), v.check(fits, problem), v.transform(Number));
  return kind(schema, `whole number, ${minimum} to ${maximum}`, { json: 'number' });
}

export const boolean = kind(
  v.pipe(
    v.string(),
    v.regex(/^(?:true|1|yes|on|false|0|no|off)$/i, 'must be true or false'),
    v.transform((word) => /^(?:true|1|yes|on)$/i.test(word)),
  ),
  'true or false',
  { json: 'boolean' },
);

export function choice<const Name extends string>(...names: readonly Name[]): TextSchema<Name> {
  const schema: TextSchema<Name> = v.pipe(v.string(), v.picklist(names, `must be one of ${names.join(', ')}`));
  return kind(schema, names.map((name) => `\`${name}\``).join(', '));
}

/** Names separated by commas. @param schema of one name */
function list<Name>(schema: TextSchema<Name>): TextSchema<Name[]> {
  const whole = v.pipe(
    textOf(/^[0-9A-Za-z._-]+(?:,[0-9A-Za-z._-]+)*$/, 'must be names separated by commas, without spaces'),
    v.transform((joined) => joined.split(',')),
    v.array(schema),
  );
  return kind(whole, 'names, separated by commas', { json: 'list' });
}

export const names = list(v.string());

export function namesOutOf<const Name extends string>(known: readonly Name[]): TextSchema<Name[]> {
  return list(v.picklist(known, `must hold only ${known.join(', ')}`));
}

/** A list of `name=dotted.path`. */
export function mapping<const Name extends string>(known: readonly Name[]): TextSchema<Partial<Record<Name, string>>> {
  const form = new RegExp(`^(?:${known.join('|')})=[0-9A-Za-z_-]+(?:\\.[0-9A-Za-z_-]+)*$`);
  const schema = v.pipe(
    v.string(),
    v.transform((pairs) => pairs.split(',')),
    v.everyItem(
      (pair) => form.test(pair),
      `must be name=field pairs separated by commas, with names out of ${known.join(', ')}`,
    ),
    v.transform((pairs) => Object.fromEntries(pairs.map((pair) => pair.split('='))) as Partial<Record<Name, string>>),
  );
  return kind(schema, '`name=field` pairs, separated by commas', { json: 'list' });
}
