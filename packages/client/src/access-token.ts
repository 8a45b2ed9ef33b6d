/** How a function is asked for the access token. */
export interface TokenRequest {
  /** True when the service has just refused the token: get a new one, do not hand out a stored one. */
  readonly refresh: boolean;
}

/** An access token, or a function that gives the one to use now. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** Gives the token to use now, or one in place of a token that the service has refused. */
export type AccessTokens = (refused?: string) => Promise<string | undefined>;

/** Access tokens of one client: one refresh at a time, shared by every call that waits for it. */
export function createAccessTokens(source: TokenSource | undefined): AccessTokens {
  let lastRefused: string | undefined;
  let replacement: string | undefined;
  let refresh: Promise<string> | undefined;
  return async (refused) => {
    if (typeof source !== 'function') return source;
    if (refresh) return refresh;
    if (refused === undefined) {
      const token = await source({ refresh: false });
      // A function that keeps handing out the refused token is not believed.
      return token === lastRefused ? replacement : token;
    }
    // Another call has replaced it since this one was sent.
    if (refused === lastRefused) return replacement;
    refresh = (async () => {
      try {
        replacement = await source({ refresh: true });
        lastRefused = refused;
        return replacement;
      } finally {
        refresh = undefined;
      }
    })();
    return refresh;
  };
}
