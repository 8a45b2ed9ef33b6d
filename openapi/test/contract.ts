import { existsSync } from 'node:fs';
import { openContract } from '../build/model.ts';
import { type JsonObject, Place } from '../build/place.ts';

/** The built bundle, with every reference replaced by what it refers to. */
const contract = Place.root((await openContract()).inlined() as JsonObject);

/** The place of the bundle at a path of keys. */
export function placeAt(...keys: readonly string[]): Place {
  return keys.reduce((place, key) => place.child(key), contract);
}

/** Whether a deployment's overlay changes the contract, on purpose also in what the interface states. */
export const isOfDeployment = existsSync(new URL('../overlay.yaml', import.meta.url));
if (isOfDeployment)
  console.log('What the interface states is not compared with a contract that openapi/overlay.yaml changes.');
