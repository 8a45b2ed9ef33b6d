/**
 * Headers of a response of the upstream that clients get to see, lower-case. Framing headers are the transport's; everything
 * else (cookies, server names, internal addresses, caching) stays behind.
 */
export const responseHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'date',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

/**
 * Headers that the proxy puts on every response: nothing here may be cached or have its type guessed. Personal data would
 * otherwise stay in a cache.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5}
 */
export const fixedHeaders: readonly string[] = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];

/** A list of name, value, name, value as `Headers`. */
export function headersOf(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) headers.append(list[index] ?? '', list[index + 1] ?? '');
  return headers;
}

/** Value of a header in a list of name, value, name, value; `undefined` when it is absent. */
export function headerValue(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) return headers[index + 1];
  return undefined;
}

/** The headers of a list that others do not replace: a limit of the proxy is what its clients see, not that of the upstream. */
export function withoutHeaders(headers: readonly string[], others: readonly string[]): readonly string[] {
  return headers.filter((_, index) => headerValue(others, headers[index - (index % 2)] ?? '') === undefined);
}

/** The content coding of a list of headers, lower-case; `undefined` when it is absent. */
export function codingOf(headers: readonly string[]): string | undefined {
  return headerValue(headers, 'content-encoding')?.toLowerCase();
}

/**
 * The content coding that suits a client's `Accept-Encoding`: `gzip` when the client takes it, otherwise
 * `identity`. Only these two, because every runtime can look into both when an error response has to be checked.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3}
 */
export function codingFor(acceptEncoding: string | null | undefined): 'gzip' | 'identity' {
  for (const item of acceptEncoding?.split(',') ?? []) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (coding === 'gzip')
      return parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)) ? 'identity' : 'gzip';
  }
  return 'identity';
}
