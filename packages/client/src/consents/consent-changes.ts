// The comparison behind `client.consents.changes()`.

import type { Settings, Target } from '../call/call.js';
import { perform } from '../call/perform-call.js';
import { withOptions } from '../call/settings.js';
import { argumentError, callError } from '../call-error.js';
import { isText } from '../checks/rules.js';
import { CredentialsError, MalformedResponseError } from '../errors.js';
import { getLocation, listVehicles } from '../generated/operations.js';
import type { Vehicle, Vin } from '../generated/schemas.js';

/** How the list of vehicles differs from what you hold. */
export interface ConsentChanges {
  /** Vehicles that share data and that you do not know. */
  readonly joined: readonly Vehicle[];
  /** Vehicles that you know and that do not share data any more: delete what you hold of them. */
  readonly left: readonly Vin[];
  /** Vehicles that you know and that still share data. */
  readonly unchanged: readonly Vehicle[];
}

export async function consentChanges(settings: Settings, known: unknown, options: unknown): Promise<ConsentChanges> {
  const operation = { ...listVehicles, name: 'consents.changes' };
  const target: Target = withOptions({ ...settings, operation }, options);
  const vins = readVins(target, known);
  if (target.accessToken === undefined && target.apiKey === undefined) {
    const reason =
      'needs an access token, or null where a proxy adds one: without it, every vehicle would seem to have left';
    throw callError(target, CredentialsError, 'no-access-token', 'fix-credentials', reason);
  }
  const { data, status, requestId } = await perform(target, { path: {}, query: {} });
  // That it is a list has been checked.
  const listed = new Map<string, Vehicle>();
  for (const [index, vehicle] of (data['vehicles'] as readonly unknown[]).entries()) {
    if (!isVehicle(vehicle)) {
      const reason = `vehicle ${index} of the list has no VIN`;
      throw callError(target, MalformedResponseError, 'malformed-response', 'report', reason, { status, requestId });
    }
    listed.set(vehicle.vin, vehicle);
  }
  const folded = new Set([...listed.keys()].map((vin) => vin.toUpperCase()));
  const left = [...vins].filter((vin) => !listed.has(vin));
  if (left.some((vin) => folded.has(vin.toUpperCase()))) {
    const reason = 'known has a VIN that differs from one of the list in upper and lower case alone';
    throw argumentError(target, reason, 'known');
  }
  return {
    joined: [...listed.values()].filter(({ vin }) => !vins.has(vin)),
    left,
    unchanged: [...listed.values()].filter(({ vin }) => vins.has(vin)),
  };
}

/** A VIN by the contract's own rule. */
const isVin = (value: unknown): value is string => getLocation.parameters['vin']?.isValid(value) === true;

const isVehicle = (value: unknown): value is Vehicle =>
  typeof value === 'object' && value !== null && 'vin' in value && isVin(value.vin);

function readVins(target: Target, known: unknown): ReadonlySet<string> {
  const isIterable = typeof known === 'object' && known !== null && Symbol.iterator in known;
  const vins: unknown[] = isIterable ? [...(known as Iterable<unknown>)] : [];
  if (!isIterable || isText(known)) throw argumentError(target, 'known must be a list of VINs', 'known');
  const index = vins.findIndex((vin) => !isVin(vin));
  if (index >= 0) throw argumentError(target, `known must be a list of VINs; entry ${index} is none`, 'known');
  return new Set(vins.filter(isVin));
}
