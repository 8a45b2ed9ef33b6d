import { z } from 'zod';
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

/** An access token, a refresh token or an authorization code: whose it is, when it ends in milliseconds since 1970, and where a code was sent. */
export const grant = z.object({
  kind: z.enum(['access', 'refresh', 'code']),
  owner: z.string(),
  expiresAtMs: z.number(),
  redirectUrl: z.string().nullish(),
});
type Grant = Readonly<z.infer<typeof grant>>;

/** How long an authorization code can be exchanged: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 advises ten minutes at most. */
const codeLifetimeMs = 10 * 60_000;

const demoGrants: Readonly<Record<string, Grant>> = {
  [demoRefreshToken]: { kind: 'refresh', owner: demoOwner, expiresAtMs: Number.MAX_SAFE_INTEGER },
};

/** Issues and checks access tokens, one-use refresh tokens and one-use authorization codes. */
export class Tokens {
  readonly #lifetimes: TokenLifetimes;
  readonly #grants = new Map<string, Grant>(Object.entries(demoGrants));

  constructor(lifetimes: TokenLifetimes) {
    this.#lifetimes = lifetimes;
  }

  /** The owner for whom an access token is valid now. */
  ownerOf(accessToken: string, nowMs: number): string | undefined {
    return accessToken === demoAccessToken ? demoOwner : this.#valid('access', accessToken, nowMs)?.owner;
  }

  /** Ends a token at once. The demo access token does not end. */
  expire(token: string): void {
    this.#grants.delete(token);
  }

  issueCode(owner: string, redirectUrl: string | null, nowMs: number): string {
    return this.#add({ kind: 'code', owner, redirectUrl, expiresAtMs: nowMs + codeLifetimeMs });
  }

  /** What a token request gives. */
  issue(owner: string, nowMs: number) {
    const { accessMs, refreshMs } = this.#lifetimes;
    for (const [token, { expiresAtMs }] of this.#grants) if (expiresAtMs <= nowMs) this.#grants.delete(token);
    return {
      accessToken: this.#add({ kind: 'access', owner, expiresAtMs: nowMs + accessMs }),
      refreshToken: this.#add({ kind: 'refresh', owner, expiresAtMs: nowMs + refreshMs }),
      expiresInSeconds: Math.floor(accessMs / 1000),
    };
  }

  /** Exchanges a code or refresh token, once, for tokens; nothing if it is unknown, used, expired or was sent elsewhere. */
  exchange(kind: Grant['kind'], token: string, redirectUrl: string | null, nowMs: number) {
    const grant = this.#valid(kind, token, nowMs);
    if (grant) this.#grants.delete(token);
    const elsewhere = grant?.redirectUrl && grant.redirectUrl !== redirectUrl;
    return grant && !elsewhere ? this.issue(grant.owner, nowMs) : undefined;
  }

  /** Every grant by its token. */
  all(): Readonly<Record<string, Grant>> {
    return Object.fromEntries(this.#grants);
  }

  /** Takes over grants by their tokens; without any, there are the demo ones alone. */
  restore(grants: Readonly<Record<string, Grant>> = demoGrants): void {
    this.#grants.clear();
    for (const [token, grant] of Object.entries(grants)) this.#grants.set(token, grant);
  }

  #valid(kind: Grant['kind'], token: string, nowMs: number): Grant | undefined {
    const grant = this.#grants.get(token);
    return grant?.kind === kind && grant.expiresAtMs > nowMs ? grant : undefined;
  }

  #add(grant: Grant): string {
    const token = crypto.randomUUID();
    this.#grants.set(token, grant);
    return token;
  }
}

/** The token of a bearer header; the scheme's case does not matter: https://www.rfc-editor.org/rfc/rfc9110#section-11.1 */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}
