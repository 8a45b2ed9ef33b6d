import * as v from 'valibot';
import { demoOwner } from './fleet/vehicles.js';

/** Always valid for the demo owner. */
export const demoAccessToken = 'demo-access-token';
/** Valid once after a start or reset, for the demo owner. */
export const demoRefreshToken = 'demo-refresh-token';
/** The application that the sandbox knows. */
export const demoClient = { id: 'demo-client', secret: 'demo-secret' } as const;

/** How long access and refresh tokens live, in milliseconds. */
export type TokenLifetimes = Readonly<Record<'accessMs' | 'refreshMs', number>>;

/** An access token, a refresh token or an authorization code, with the address that a code was sent to. */
export const grant = v.object({
  kind: v.picklist(['access', 'refresh', 'code']),
  owner: v.string(),
  expiresAtMs: v.number(),
  redirectUrl: v.optional(v.string()),
});
type Grant = Readonly<v.InferOutput<typeof grant>>;

const demoGrants: Readonly<Record<string, Grant>> = {
  [demoRefreshToken]: { kind: 'refresh', owner: demoOwner, expiresAtMs: Number.MAX_SAFE_INTEGER },
};

/** The token of a bearer header; the scheme's case does not matter: https://www.rfc-editor.org/rfc/rfc9110#section-11.1 */
const bearerOf = (authorization: string | null) => /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];

export function createTokens({ accessMs = 3_600_000, refreshMs = 90 * 86_400_000 }: Partial<TokenLifetimes> = {}) {
  let grants = new Map(Object.entries(demoGrants));

  function valid(kind: Grant['kind'], token: string | undefined, nowMs: number): Grant | undefined {
    const grant = grants.get(token ?? '');
    return grant?.kind === kind && grant.expiresAtMs > nowMs ? grant : undefined;
  }

  function add(grant: Grant): string {
    const token = crypto.randomUUID();
    grants.set(token, grant);
    return token;
  }

  function issue(owner: string, nowMs: number) {
    for (const [token, { expiresAtMs }] of grants) if (expiresAtMs <= nowMs) grants.delete(token);
    const accessToken = add({ kind: 'access', owner, expiresAtMs: nowMs + accessMs });
    const refreshToken = add({ kind: 'refresh', owner, expiresAtMs: nowMs + refreshMs });
    return { accessToken, refreshToken, expiresIn: Math.floor(accessMs / 1000) };
  }

  return {
    issue,
    // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 advises ten minutes at most.
    issueCode: (owner: string, redirectUrl: string | undefined, nowMs: number) =>
      add({ kind: 'code', owner, redirectUrl, expiresAtMs: nowMs + 10 * 60_000 }),
    /** The owner whose valid access token an Authorization header carries. */
    ownerOf(authorization: string | null, nowMs: number): string | undefined {
      const token = bearerOf(authorization);
      return token === demoAccessToken ? demoOwner : valid('access', token, nowMs)?.owner;
    },
    /** Ends the token of an Authorization header at once, if it carries one. The demo access token does not end. */
    expire(authorization: string | null): boolean {
      const token = bearerOf(authorization);
      grants.delete(token ?? '');
      return token !== undefined;
    },
    /** Exchanges a code or refresh token, once, for tokens; nothing if it is unknown, used, expired or was sent elsewhere. */
    exchange({ code, refreshToken, redirectUrl }: Readonly<Record<string, string | undefined>>, nowMs: number) {
      const token = code ?? refreshToken ?? '';
      const grant = valid(code === undefined ? 'refresh' : 'code', token, nowMs);
      if (grant) grants.delete(token);
      const isElsewhere = grant?.redirectUrl && grant.redirectUrl !== redirectUrl;
      return grant && !isElsewhere ? issue(grant.owner, nowMs) : undefined;
    },
    all: () => Object.fromEntries(grants),
    /** Takes over grants by their tokens; without any, there are the demo ones alone. */
    restore(kept: Readonly<Record<string, Grant>> = demoGrants): void {
      grants = new Map(Object.entries(kept));
    },
  };
}
