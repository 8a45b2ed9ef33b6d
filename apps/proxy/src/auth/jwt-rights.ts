import type { JWTPayload } from 'jose';
import * as v from 'valibot';
import { rate } from '../config/setting.js';
import { servedOperations } from '../config.js';
import { valueAt } from '../value-at.js';
import { type Client, vehiclesNamed } from './client.js';

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

/** A list, or words as in `scope`; without the claim, no name. */
const namesForm = v.optional(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((words) => words.split(' ').filter((name) => name !== '')),
    ),
  ]),
  [],
);

/**
 * The rights that a token carries. A claim that the settings name and the token lacks allows nothing; names that the contract
 * does not know allow nothing either, so that one token can serve several audiences.
 *
 * @param operations the operations that the settings allow to every token; `null` for all
 * @throws {Error} when a claim is malformed
 */
export function rightsOf(
  payload: JWTPayload,
  claims: RightsClaims,
  operations: ReadonlySet<string> | null,
): Pick<Client, 'operations' | 'brands' | 'vehicles' | 'rate'> {
  const namesAt = (path: string | undefined) =>
    path === undefined ? null : v.parse(namesForm, valueAt(payload, path));
  const [named, brands, vehicles] = [namesAt(claims.operations), namesAt(claims.brands), namesAt(claims.vehicles)];
  const known = servedOperations.map(({ operationId }) => operationId as string);
  const isAllowed = (name: string) => (named?.includes(name) ?? true) && (operations?.has(name) ?? true);
  return {
    operations: named === null && operations === null ? null : new Set(known.filter(isAllowed)),
    brands: brands === null ? null : new Set(brands),
    vehicles: vehicles === null ? null : vehiclesNamed(vehicles),
    rate: claims.rate === undefined ? null : (v.parse(v.optional(rate), valueAt(payload, claims.rate)) ?? null),
  };
}
