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

/** An access token, a refresh token or an authorization code, with the address that a code was sent to. */
export const grant = z.object({
  kind: z.enum(['access', 'refresh', 'code']),
  owner: z.string(),
  expiresAtMs: z.number(),
  redirectUrl: z.string().optional(),
});
type Grant = Readonly<z.infer<typeof grant>>;

const demoGrants: Readonly<Record<string, Grant>> = {
  [demoRefreshToken]: { kind: 'refresh', owner: demoOwner, expiresAtMs: Number.MAX_SAFE_INTEGER },
};

/** The token of a bearer header; the scheme's case does not matter: https://www.rfc-editor.org/rfc/rfc9110#section-11.1 */
const bearerOf = (authorization: string | null) => /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];

/** Issues and checks access tokens, one-use refresh tokens and one-use authorization codes. */
export class Tokens {
  readonly #lifetimes: TokenLifetimes;
  #grants = new Map<string, Grant>();

  constructor(lifetimes: TokenLifetimes) {
    this.#lifetimes = lifetimes;
    this.restore();
  }

  /** The owner whose valid access token an Authorization header carries. */
  ownerOf(authorization: string | null, nowMs: number): string | undefined {
    const token = bearerOf(authorization);
    return token === demoAccessToken ? demoOwner : this.#valid('access', token, nowMs)?.owner;
  }

  /** Ends the token of an Authorization header at once, if it carries one. The demo access token does not end. */
  expire(authorization: string | null): boolean {
    const token = bearerOf(authorization);
    if (token !== undefined) this.#grants.delete(token);
    return token !== undefined;
  }

  issueCode(owner: string, redirectUrl: string | undefined, nowMs: number): string {
    // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 advises ten minutes at most.
    return this.#add({ kind: 'code', owner, redirectUrl, expiresAtMs: nowMs + 10 * 60_000 });
  }

  issue(owner: string, nowMs: number) {
    const { accessMs, refreshMs } = this.#lifetimes;
    for (const [token, { expiresAtMs }] of this.#grants) if (expiresAtMs <= nowMs) this.#grants.delete(token);
    return {
      accessToken: this.#add({ kind: 'access', owner, expiresAtMs: nowMs + accessMs }),
      refreshToken: this.#add({ kind: 'refresh', owner, expiresAtMs: nowMs + refreshMs }),
      expiresIn: Math.floor(accessMs / 1000),
    };
  }

  /** Exchanges a code or refresh token, once, for tokens; nothing if it is unknown, used, expired or was sent elsewhere. */
  exchange({ code, refreshToken, redirectUrl }: Readonly<Record<string, string | undefined>>, nowMs: number) {
    const token = code ?? refreshToken;
    const grant = this.#valid(code === undefined ? 'refresh' : 'code', token, nowMs);
    if (!grant || !token) return undefined;
    this.#grants.delete(token);
    return grant.redirectUrl && grant.redirectUrl !== redirectUrl ? undefined : this.issue(grant.owner, nowMs);
  }

  /** Every grant by its token. */
  all(): Readonly<Record<string, Grant>> {
    return Object.fromEntries(this.#grants);
  }

  /** Takes over grants by their tokens; without any, there are the demo ones alone. */
  restore(grants: Readonly<Record<string, Grant>> = demoGrants): void {
    this.#grants = new Map(Object.entries(grants));
  }

  #valid(kind: Grant['kind'], token: string | undefined, nowMs: number): Grant | undefined {
    const grant = this.#grants.get(token ?? '');
    return grant?.kind === kind && grant.expiresAtMs > nowMs ? grant : undefined;
  }

  #add(grant: Grant): string {
    const token = crypto.randomUUID();
    this.#grants.set(token, grant);
    return token;
  }
}
