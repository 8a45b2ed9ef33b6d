import { isObject } from './value-rules.js';

/** Stands for a name or a value whose percent-encoding is broken: a lone surrogate, which no UTF-8 can spell. */
export const broken = '\ud800';

/**
 * The parameters of the text of a query with or without its `?`, of pairs, or of a record with values or lists, one after the other.
 *
 * Of the text of a query, `+` is a plus sign and not a space
 * (https://www.rfc-editor.org/rfc/rfc3986#section-3.4; no parameter of the contract can hold a space, and names such as
 * `Etc/GMT+1` hold a plus), and an empty part (`a=1&&b=2`) is a parameter without a name. A path and headers have no such text.
 */
export function readParameters(source: unknown, isQuery: boolean): Iterable<readonly [string, unknown]> {
  // Not a generator: an iterator and its results would be most of what the check of a good request allocates.
  const found: (readonly [string, unknown])[] = [];
  if (isQuery && typeof source === 'string') {
    const text = source.replace(/^\?/, '');
    for (const part of text ? text.split('&') : []) {
      const equals = part.indexOf('=');
      const end = equals < 0 ? part.length : equals;
      found.push([decode(part.slice(0, end)), decode(part.slice(end + 1))]);
    }
  } else if (isPairs(source)) return source;
  else if (isObject(source)) {
    // Not Object.entries: a member that is not enumerable was sent as well.
    for (const name of Object.getOwnPropertyNames(source)) {
      const value = source[name];
      const values = Array.isArray(value) ? value : [value];
      for (const each of values.length > 0 ? values : ['']) found.push([name, each]);
    }
  }
  return found;
}

/** Headers or URLSearchParams. Not instanceof: other implementations of fetch bring their own. */
function isPairs(source: unknown): source is URLSearchParams {
  return isObject(source) && Symbol.iterator in source;
}

/** Whether a value is a query in one of its three forms. A class instance may hide a parameter in its prototype, so it is none. */
export function isSentQuery(source: unknown): boolean {
  if (typeof source === 'string') return true;
  if (!isObject(source)) return false;
  // URLSearchParams of any realm. FormData has getAll too, but no sort.
  if (Symbol.iterator in source) return 'getAll' in source && 'sort' in source;
  const prototype: unknown = Object.getPrototypeOf(source);
  // The Object.prototype of any realm.
  return prototype === null || (isObject(prototype) && Object.hasOwn(prototype, 'isPrototypeOf'));
}

function decode(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return broken;
  }
}
