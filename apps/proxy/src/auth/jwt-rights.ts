import type { JWTPayload } from 'jose';
import { servedOperations } from '../config.js';
import { parseRate } from '../limits/rate.js';
import type { Client } from './client.js';
import { vehiclesNamed } from './vehicle-rights.js';

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

/** What a claim can say about a client. */
export const claimNames = ['operations', 'brands', 'vehicles', 'rate'] as const;

/** Where the claims are in a token, as dotted paths. A right without a path is not restricted. */
export type RightsClaims = Readonly<Partial<Record<(typeof claimNames)[number], string>>>;

type Rights = Pick<Client, 'operations' | 'brands' | 'vehicles' | 'rate'>;

/**
 * The rights that a token carries. A claim that the settings name and the token lacks allows nothing; names that the contract
 * does not know allow nothing either, so that one token can serve several audiences. `null` when a claim is malformed.
 *
 * @param operations the operations that the settings allow to every token; `null` for all
 */
export function rightsOf(
  payload: JWTPayload,
  claims: RightsClaims,
  operations: ReadonlySet<string> | null,
): Rights | null {
  const named = namesAt(payload, claims.operations);
  const brands = namesAt(payload, claims.brands);
  const vehicles = namesAt(payload, claims.vehicles);
  const rateText = valueAt(payload, claims.rate);
  const rate = typeof rateText === 'string' ? parseRate(rateText) : null;
  if (named === undefined || brands === undefined || vehicles === undefined) return null;
  if (rateText !== undefined && rate === null) return null;
  const known = servedOperations.map(({ operationId }) => operationId as string);
  const isAllowed = (name: string) => (named?.includes(name) ?? true) && (operations?.has(name) ?? true);
  return {
    operations: named === null && operations === null ? null : new Set(known.filter(isAllowed)),
    brands: brands === null ? null : new Set(brands),
    vehicles: vehicles === null ? null : vehiclesNamed(vehicles),
    rate,
  };
}

/** The names of a claim: a list, or words as in `scope`. `null` when no claim is configured, `undefined` when it is malformed. */
function namesAt(payload: JWTPayload, path: string | undefined): readonly string[] | null | undefined {
  if (path === undefined) return null;
  const value = valueAt(payload, path);
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ').filter((name) => name !== '');
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}

function valueAt(payload: JWTPayload, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  let value: unknown = payload;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
