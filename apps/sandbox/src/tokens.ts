import { demoOwner } from './fleet/vehicles.js';

/** Always valid for the demo owner. */
export const demoAccessToken = 'demo-access-token';
/** Valid once after a start or reset, for the demo owner. */
export const demoRefreshToken = 'demo-refresh-token';
/** The application that the sandbox knows. */
export const demoClient = { id: 'demo-client', secret: 'demo-secret' } as const;

/** How long tokens live, in milliseconds. */
export interface TokenLifetimes {
  /** Of an access token; one hour unless set. */
  readonly accessMs: number;
  /** Of a refresh token, which also ends when it is used; 90 days unless set. */
  readonly refreshMs: number;
}

/** A grant that can be exchanged or presented: whose it is and when it ends. */
export interface Grant {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** A code of the authorization step, bound to where it was sent. */
interface CodeGrant extends Grant {
  readonly redirectUrl: string | null;
}

/** What a token request gives. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** Tokens as they are kept in a file. */
export interface TokenSnapshot {
  readonly access: Readonly<Record<string, Grant>>;
  readonly refresh: Readonly<Record<string, Grant>>;
  readonly codes: Readonly<Record<string, CodeGrant>>;
}

/** How long an authorization code can be exchanged: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 advises ten minutes at most. */
const codeLifetimeMs = 10 * 60_000;

/** Issues and checks access tokens, one-use refresh tokens and one-use authorization codes. */
export class Tokens {
  readonly #lifetimes: TokenLifetimes;
  #access = new Map<string, Grant>();
  #refresh = new Map<string, Grant>();
  #codes = new Map<string, CodeGrant>();

  constructor(lifetimes: TokenLifetimes) {
    this.#lifetimes = lifetimes;
    this.reset();
  }

  /** The owner for whom an access token is valid now. */
  ownerOf(accessToken: string, nowMs: number): string | undefined {
    if (accessToken === demoAccessToken) return demoOwner;
    const grant = this.#access.get(accessToken);
    return grant && grant.expiresAtMs > nowMs ? grant.owner : undefined;
  }

  /** Ends an access token at once. The demo token does not end. */
  expire(accessToken: string): void {
    this.#access.delete(accessToken);
  }

  issueCode(owner: string, redirectUrl: string | null, nowMs: number): string {
    const code = randomToken();
    this.#codes.set(code, { owner, redirectUrl, expiresAtMs: nowMs + codeLifetimeMs });
    return code;
  }

  /** Exchanges a code, once, for tokens; nothing if it is unknown, used, expired or was sent elsewhere. */
  exchangeCode(code: string, redirectUrl: string | null, nowMs: number): IssuedTokens | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || grant.expiresAtMs <= nowMs) return undefined;
    if (grant.redirectUrl !== null && grant.redirectUrl !== redirectUrl) return undefined;
    return this.#issue(grant.owner, nowMs);
  }

  /** Exchanges a refresh token, once, for new tokens; nothing if it is unknown, used or expired. */
  exchangeRefreshToken(refreshToken: string, nowMs: number): IssuedTokens | undefined {
    const grant = this.#refresh.get(refreshToken);
    this.#refresh.delete(refreshToken);
    if (!grant || grant.expiresAtMs <= nowMs) return undefined;
    return this.#issue(grant.owner, nowMs);
  }

  /** Forgets every token and code but the demo ones. */
  reset(): void {
    this.#access = new Map();
    this.#refresh = new Map([[demoRefreshToken, { owner: demoOwner, expiresAtMs: Number.MAX_SAFE_INTEGER }]]);
    this.#codes = new Map();
  }

  counts(): { readonly access: number; readonly refresh: number; readonly codes: number } {
    return { access: this.#access.size, refresh: this.#refresh.size, codes: this.#codes.size };
  }

  snapshot(): TokenSnapshot {
    return {
      access: Object.fromEntries(this.#access),
      refresh: Object.fromEntries(this.#refresh),
      codes: Object.fromEntries(this.#codes),
    };
  }

  restore(snapshot: TokenSnapshot): void {
    this.#access = new Map(Object.entries(snapshot.access));
    this.#refresh = new Map(Object.entries(snapshot.refresh));
    this.#codes = new Map(Object.entries(snapshot.codes));
  }

  #issue(owner: string, nowMs: number): IssuedTokens {
    for (const grants of [this.#access, this.#refresh, this.#codes]) {
      for (const [token, { expiresAtMs }] of grants) if (expiresAtMs <= nowMs) grants.delete(token);
    }
    const issued = {
      accessToken: randomToken(),
      refreshToken: randomToken(),
      expiresInSeconds: Math.floor(this.#lifetimes.accessMs / 1000),
    };
    this.#access.set(issued.accessToken, { owner, expiresAtMs: nowMs + this.#lifetimes.accessMs });
    this.#refresh.set(issued.refreshToken, { owner, expiresAtMs: nowMs + this.#lifetimes.refreshMs });
    return issued;
  }
}

/** 192 random bits in the alphabet that a bearer token may have: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** The token of a bearer header; the scheme's case does not matter: https://www.rfc-editor.org/rfc/rfc9110#section-11.1 */
export function bearerOf(authorization: string): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
}
