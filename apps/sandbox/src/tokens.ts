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
  /** Where an authorization code was sent. */
  readonly redirectUrl?: string | null;
}

/** What a token request gives. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** The kinds of grants: access tokens, refresh tokens and authorization codes. */
const kinds = ['access', 'refresh', 'codes'] as const;
type Kind = (typeof kinds)[number];

/** Grants as they are kept in a file. */
export type TokenSnapshot = Readonly<Record<Kind, Readonly<Record<string, Grant>>>>;

/** How long an authorization code can be exchanged: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 advises ten minutes at most. */
const codeLifetimeMs = 10 * 60_000;

/** Issues and checks access tokens, one-use refresh tokens and one-use authorization codes. */
export class Tokens {
  readonly #lifetimes: TokenLifetimes;
  readonly #grants: Readonly<Record<Kind, Map<string, Grant>>> = {
    access: new Map(),
    refresh: new Map(),
    codes: new Map(),
  };

  constructor(lifetimes: TokenLifetimes) {
    this.#lifetimes = lifetimes;
    this.reset();
  }

  /** The owner for whom an access token is valid now. */
  ownerOf(accessToken: string, nowMs: number): string | undefined {
    if (accessToken === demoAccessToken) return demoOwner;
    const grant = this.#grants.access.get(accessToken);
    return grant && grant.expiresAtMs > nowMs ? grant.owner : undefined;
  }

  /** Ends an access token at once. The demo token does not end. */
  expire(accessToken: string): void {
    this.#grants.access.delete(accessToken);
  }

  /** A new access token of an owner. */
  accessTokenOf(owner: string, nowMs: number): string {
    return this.#issue(owner, nowMs).accessToken;
  }

  issueCode(owner: string, redirectUrl: string | null, nowMs: number): string {
    const code = randomToken();
    this.#grants.codes.set(code, { owner, redirectUrl, expiresAtMs: nowMs + codeLifetimeMs });
    return code;
  }

  /** Exchanges a code, once, for tokens; nothing if it is unknown, used, expired or was sent elsewhere. */
  exchangeCode(code: string, redirectUrl: string | null, nowMs: number): IssuedTokens | undefined {
    const grant = this.#take('codes', code, nowMs);
    const elsewhere = grant?.redirectUrl && grant.redirectUrl !== redirectUrl;
    return grant && !elsewhere ? this.#issue(grant.owner, nowMs) : undefined;
  }

  /** Exchanges a refresh token, once, for new tokens; nothing if it is unknown, used or expired. */
  exchangeRefreshToken(refreshToken: string, nowMs: number): IssuedTokens | undefined {
    const grant = this.#take('refresh', refreshToken, nowMs);
    return grant && this.#issue(grant.owner, nowMs);
  }

  /** Forgets every token and code but the demo ones. */
  reset(): void {
    const demo = { [demoRefreshToken]: { owner: demoOwner, expiresAtMs: Number.MAX_SAFE_INTEGER } };
    this.restore({ access: {}, refresh: demo, codes: {} });
  }

  counts(): Readonly<Record<Kind, number>> {
    const { access, refresh, codes } = this.#grants;
    return { access: access.size, refresh: refresh.size, codes: codes.size };
  }

  snapshot(): TokenSnapshot {
    const { access, refresh, codes } = this.#grants;
    return {
      access: Object.fromEntries(access),
      refresh: Object.fromEntries(refresh),
      codes: Object.fromEntries(codes),
    };
  }

  restore(snapshot: TokenSnapshot): void {
    for (const kind of kinds) {
      this.#grants[kind].clear();
      for (const [token, grant] of Object.entries(snapshot[kind])) this.#grants[kind].set(token, grant);
    }
  }

  /** Takes a grant that can be used once; nothing if it is unknown, used or expired. */
  #take(kind: Kind, token: string, nowMs: number): Grant | undefined {
    const grant = this.#grants[kind].get(token);
    this.#grants[kind].delete(token);
    return grant && grant.expiresAtMs > nowMs ? grant : undefined;
  }

  #issue(owner: string, nowMs: number): IssuedTokens {
    for (const grants of Object.values(this.#grants)) {
      for (const [token, { expiresAtMs }] of grants) if (expiresAtMs <= nowMs) grants.delete(token);
    }
    const issued = {
      accessToken: randomToken(),
      refreshToken: randomToken(),
      expiresInSeconds: Math.floor(this.#lifetimes.accessMs / 1000),
    };
    this.#grants.access.set(issued.accessToken, { owner, expiresAtMs: nowMs + this.#lifetimes.accessMs });
    this.#grants.refresh.set(issued.refreshToken, { owner, expiresAtMs: nowMs + this.#lifetimes.refreshMs });
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
