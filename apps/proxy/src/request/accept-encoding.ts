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
