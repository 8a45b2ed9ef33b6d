import type { RequestParts } from './request-validator.js';

/** One parameter as it was sent; `undefined` where its percent-encoding is broken. */
export type QueryPair = readonly [name: string | undefined, value: unknown];

/**
 * The parameters of a query, one after the other. Of a text, `+` is a plus sign and not a space
 * (https://www.rfc-editor.org/rfc/rfc3986#section-3.4; no parameter of the contract can hold a space, and names such as
 * `Etc/GMT+1` hold a plus), and an empty part (`a=1&&b=2`) is a parameter without a name.
 */
export function* readQuery(query: RequestParts['query'] | undefined): Generator<QueryPair> {
  if (typeof query === 'string') {
    yield* readText(query.startsWith('?') ? query.slice(1) : query);
  } else if (isIterable(query)) {
    yield* query;
  } else {
    const record = query ?? {};
    for (const name of Object.keys(record)) {
      const value: unknown = record[name];
      if (Array.isArray(value) && value.length > 0) for (const item of value) yield [name, item];
      else yield [name, Array.isArray(value) ? '' : value];
    }
  }
}

function isIterable(query: unknown): query is URLSearchParams {
  return typeof query === 'object' && query !== null && Symbol.iterator in query;
}

function* readText(text: string): Generator<QueryPair> {
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    const part = text.slice(start, end);
    const equals = part.indexOf('=');
    yield equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    start = end + 1;
    if (start === text.length) yield ['', ''];
  }
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
