import { isObject } from './value-checks.js';

/** Stands for a name or a value whose percent-encoding is broken: a lone surrogate, which no UTF-8 can spell. */
export const broken = '\ud800';

/**
 * The parameters of a query or a path, or headers, one after the other: of a text, of pairs, or of a record with values or lists.
 *
 * Of the text of a query, `+` is a plus sign and not a space
 * (https://www.rfc-editor.org/rfc/rfc3986#section-3.4; no parameter of the contract can hold a space, and names such as
 * `Etc/GMT+1` hold a plus), and an empty part (`a=1&&b=2`) is a parameter without a name.
 */
export function* readParameters(source: unknown): Generator<readonly [string, unknown]> {
  if (typeof source === 'string') {
    let start = source.startsWith('?') ? 1 : 0;
    if (start === source.length) return;
    while (start <= source.length) {
      const ampersand = source.indexOf('&', start);
      const part = source.slice(start, ampersand < 0 ? source.length : ampersand);
      const equals = part.indexOf('=');
      const end = equals < 0 ? part.length : equals;
      yield [decode(part.slice(0, end)), decode(part.slice(end + 1))];
      start += part.length + 1;
    }
  } else if (isPairs(source)) yield* source;
  else {
    for (const [name, value] of Object.entries(source ?? {})) {
      if (!Array.isArray(value) || value.length === 0) yield [name, Array.isArray(value) ? '' : value];
      else for (const each of value) yield [name, each];
    }
  }
}

/** Headers or URLSearchParams. Not instanceof: other implementations of fetch bring their own. */
function isPairs(source: unknown): source is URLSearchParams {
  return isObject(source) && Symbol.iterator in source;
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return broken;
  }
}
