import { parseRate } from '../limits/rate.js';
import type { Setting } from './setting.js';

const trueWords = new Set(['true', '1', 'yes', 'on']);
const falseWords = new Set(['false', '0', 'no', 'off']);

/** A value in the form in which the program keeps it, or what is wrong with it, without the value. */
export type CheckedValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string };

/** Checks the text of a setting. */
export function checkValue(setting: Setting, text: string): CheckedValue {
  if (setting.kind === 'boolean' && trueWords.has(text.toLowerCase())) return { ok: true, value: 'true' };
  if (setting.kind === 'boolean' && falseWords.has(text.toLowerCase())) return { ok: true, value: 'false' };
  const problem = problemOf(setting, text);
  return problem === null ? { ok: true, value: text } : { ok: false, problem };
}

function problemOf(setting: Setting, text: string): string | null {
  switch (setting.kind) {
    case 'url':
      return problemOfUrl(text);
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = setting;
      const fits = /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
      return fits ? null : `must be a whole number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return 'must be true or false';
    case 'choice':
      return setting.choices?.includes(text) ? null : `must be one of ${setting.choices?.join(', ')}`;
    case 'list':
      return problemOfList(setting, text);
    case 'mapping':
      return problemOfMapping(setting, text);
    case 'rate':
      return parseRate(text) !== null ? null : 'must be calls and seconds, such as 600/60s';
    case 'secret':
      return /^[A-Za-z0-9\-._~+/]+=*$/.test(text) ? null : 'must be one access token, without spaces or line ends';
    case 'password':
      if (!/^[\x21-\x7e]{1,4096}$/.test(text)) return 'must be visible characters without spaces or line ends';
      return text.length >= (setting.minimum ?? 1) ? null : `must have at least ${setting.minimum} characters`;
    case 'file':
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
      return /^[^\x00-\x1f\x7f]+$/.test(text) ? null : 'must be a path without control characters';
    case 'words':
      // https://www.rfc-editor.org/rfc/rfc6749#section-3.3
      return /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)
        ? null
        : 'must be words of visible characters without quotes, with single spaces between them';
    default:
      return /^[\x21-\x7e]+$/.test(text) ? null : 'must be visible characters without spaces';
  }
}

function problemOfUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must be an address that starts with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not hold user information';
  return url.search === '' && url.hash === '' ? null : 'must not hold a query or a fragment';
}

function problemOfList({ choices }: Setting, text: string): string | null {
  if (!/^[0-9A-Za-z._-]+(?:,[0-9A-Za-z._-]+)*$/.test(text)) return 'must be names separated by commas, without spaces';
  const fits = choices === undefined || text.split(',').every((name) => choices.includes(name));
  return fits ? null : `must hold only ${choices.join(', ')}`;
}

function problemOfMapping({ choices = [] }: Setting, text: string): string | null {
  const fits = text.split(',').every((pair) => {
    const [, name = ''] = /^([A-Za-z]+)=[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/.exec(pair) ?? [];
    return choices.includes(name);
  });
  return fits ? null : `must be name=field pairs separated by commas, with names out of ${choices.join(', ')}`;
}
