/** How a function is asked for the access token. */
export interface TokenRequest {
  /** True when the service has just refused the token: get a new one, do not hand out a stored one. */
  readonly refresh: boolean;
}

/** An access token, or a function that gives the one to use now. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** Access tokens of one client: one refresh at a time, shared by every call that waits for it. */
export class AccessTokens {
  readonly #source: TokenSource | undefined;
  #refused: string | undefined;
  #replacement: string | undefined;
  #refresh: Promise<string> | undefined;

  constructor(source: TokenSource | undefined) {
    this.#source = source;
  }

  /** Whether a refused token can be replaced. */
  get canRefresh(): boolean {
    return typeof this.#source === 'function';
  }

  /** The token to use now; a refresh under way is waited for. */
  current(): string | undefined | Promise<string> {
    if (typeof this.#source !== 'function') return this.#source;
    if (this.#refresh) return this.#refresh;
    const token = this.#source({ refresh: false });
    return typeof token === 'string' ? this.#known(token) : token.then((text) => this.#known(text));
  }

  /** A token in place of one that the service refused. */
  async replace(refused: string): Promise<string> {
    const source = this.#source;
    if (typeof source !== 'function') return refused;
    if (this.#refresh) return this.#refresh;
    // Another call has replaced it since this one was sent.
    if (refused === this.#refused && this.#replacement !== undefined) return this.#replacement;
    this.#refresh = (async () => {
      try {
        const token = await source({ refresh: true });
        this.#refused = refused;
        this.#replacement = token;
        return token;
      } finally {
        this.#refresh = undefined;
      }
    })();
    return this.#refresh;
  }

  /** A function that keeps handing out the refused token is not believed. */
  #known(token: string): string {
    return token === this.#refused && this.#replacement !== undefined ? this.#replacement : token;
  }
}
