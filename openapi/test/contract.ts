import { openContract } from '../build/model.ts';
import { type JsonObject, Place } from '../build/place.ts';

/** The built bundle, with every reference replaced by what it refers to. */
const contract = Place.root((await openContract()).inlined() as JsonObject);

/** The place of the bundle at a path of keys. */
export function placeAt(...keys: readonly string[]): Place {
  return keys.reduce((place, key) => place.child(key), contract);
}
