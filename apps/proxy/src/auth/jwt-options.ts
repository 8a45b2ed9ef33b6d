// How clients are recognized by signed tokens: what `VDS_JWT_…` settings and users of `createProxy` say.

/** Signature algorithms that can be allowed: only such with a public key, so that a key set can never serve as a secret. */
export const jwtAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** Rights of a client that a token can carry. */
export const rightsClaims = ['operations', 'brands', 'vehicles', 'rate'] as const;

export type RightsClaim = (typeof rightsClaims)[number];

/** How clients are recognized by signed tokens (JSON Web Tokens). */
export interface JwtOptions {
  /** Address of the key set (JWKS) of the issuer. */
  readonly keySetUrl: string;
  /** The issuer (`iss`) whose tokens count. */
  readonly issuer: string;
  /** Identifier of this proxy, which tokens must name as audience (`aud`). */
  readonly audience: string;
  /** Signature algorithms that count. Default RS256, PS256, ES256 and EdDSA. */
  readonly algorithms?: readonly (typeof jwtAlgorithms)[number][] | undefined;
  /** Difference of clocks that is forgiven, in seconds. Default 30. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Where in a token the rights of its client are, such as `{ operations: 'vds.operations' }`; a named claim that a token lacks allows
   * nothing. Default: every client has all rights.
   */
  readonly claims?: Readonly<Partial<Record<RightsClaim, string>>> | undefined;
  /** Identifiers of the operations that clients with a token may use. Default: all. */
  readonly operations?: readonly string[] | undefined;
  /** Tokens that may wait for a slow issuer at once. Default 512. */
  readonly maxWaiting?: number | undefined;
}

export const jwtDefaults = {
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  toleranceSeconds: 30,
  maxWaiting: 512,
} as const satisfies Partial<JwtOptions>;
