// The scheme in any case, one or more spaces, then a b64token.
// https://www.rfc-editor.org/rfc/rfc6750#section-2.1 and https://www.rfc-editor.org/rfc/rfc9110#section-11.1
const bearerForm = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The access token of an `Authorization` value, or `null` when the value is not of the bearer form. */
export function bearerToken(authorization: string): string | null {
  return bearerForm.exec(authorization)?.[1] ?? null;
}
