// How the proxy gets access tokens of its own: what `VDS_TOKEN_…` settings and users of `createProxy` say.

/** Fields of token requests and token responses that can have other names. */
export const requestFieldNames = [
  'grantType',
  'clientId',
  'clientSecret',
  'code',
  'refreshToken',
  'redirectUrl',
  'scope',
] as const;
export const responseFieldNames = ['accessToken', 'refreshToken', 'expiresIn', 'refreshExpiresIn'] as const;

/** How the tokens of one brand are requested from a token endpoint. */
export interface TokenOptions {
  /** Address of the token endpoint; it can be on another host than the upstream. */
  readonly url: string;
  /** Address where tokens are refreshed. Default: `url`. */
  readonly refreshUrl?: string | undefined;
  /** Origin of the upstream that the tokens are for: tokens in a store are never sent to another one. Default: empty. */
  readonly upstreamOrigin?: string | undefined;
  /**
   * What the first token is requested with. The last two need a store that outlives the process. Default `client-credentials`.
   */
  readonly grant?: 'client-credentials' | 'authorization-code' | 'refresh-token' | undefined;
  /** Form of token requests: RFC 6749, or JSON with a response in the `data`/`meta` envelope. Default `oauth`. */
  readonly form?: 'oauth' | 'envelope' | undefined;
  /** Identifier of this client at the token endpoint. */
  readonly clientId: string;
  /** Secret of this client at the token endpoint. Default: none is sent. */
  readonly clientSecret?: string | undefined;
  /** Where identifier and secret are sent: with the other fields, or in an `Authorization` header. Default `body`. */
  readonly clientAuth?: 'body' | 'basic' | undefined;
  /** The code of `authorization-code`; used once, then the refresh token that came with the first token. */
  readonly authorizationCode?: string | undefined;
  /** The first refresh token of `refresh-token`; another value here stands for a new consent. */
  readonly refreshToken?: string | undefined;
  /** Redirect address that the authorization code was issued for. */
  readonly redirectUrl?: string | undefined;
  /** Scopes to request, separated by spaces. Default: none. */
  readonly scope?: string | undefined;
  /** Fields of token requests that have other names, such as `{ clientId: 'client' }`. */
  readonly requestFields?: Readonly<Partial<Record<(typeof requestFieldNames)[number], string>>> | undefined;
  /** Fields of token responses that are elsewhere, such as `{ accessToken: 'data.token.value' }`. */
  readonly responseFields?: Readonly<Partial<Record<(typeof responseFieldNames)[number], string>>> | undefined;
  /** Lifetime of a token whose response states none, in seconds. Default 3600 (one hour). */
  readonly lifetimeSeconds?: number | undefined;
  /** Lifetime of a refresh token whose response states none, in days. Default 90. */
  readonly refreshLifetimeDays?: number | undefined;
  /** Time for one token request in all, in milliseconds. Default 5000 (five seconds). */
  readonly timeoutMs?: number | undefined;
}

type Defaulted = 'grant' | 'form' | 'clientAuth' | 'lifetimeSeconds' | 'refreshLifetimeDays' | 'timeoutMs';

export const tokenDefaults = {
  grant: 'client-credentials',
  form: 'oauth',
  clientAuth: 'body',
  lifetimeSeconds: 3600,
  refreshLifetimeDays: 90,
  timeoutMs: 5000,
} as const satisfies Required<Pick<TokenOptions, Defaulted>>;

/** Token options with every default filled in. */
export type ResolvedTokenOptions = TokenOptions & {
  readonly [Key in Defaulted]-?: Exclude<TokenOptions[Key], undefined>;
};

export function resolveTokenOptions(options: TokenOptions): ResolvedTokenOptions {
  return {
    ...options,
    grant: options.grant ?? tokenDefaults.grant,
    form: options.form ?? tokenDefaults.form,
    clientAuth: options.clientAuth ?? tokenDefaults.clientAuth,
    lifetimeSeconds: options.lifetimeSeconds ?? tokenDefaults.lifetimeSeconds,
    refreshLifetimeDays: options.refreshLifetimeDays ?? tokenDefaults.refreshLifetimeDays,
    timeoutMs: options.timeoutMs ?? tokenDefaults.timeoutMs,
  };
}
