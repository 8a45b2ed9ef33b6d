// What the list of vehicles says about consent: who has joined, and whose data to delete.
import type { Settings } from '../call/call.js';
import { loaded, withUserStack } from '../call/start-call.js';
import { copyOf } from '../checks/rules.js';
import type { Brand, Vin } from '../generated/schemas.js';
import type { CallOptions } from '../options.js';
import type { ConsentChanges } from './consent-changes.js';

/** Consent as the list of vehicles shows it. */
export interface Consents<BrandName extends string = Brand> {
  /**
   * Compares `listVehicles` with the vehicles that you hold data of. Only this says what to delete: an error of another call can
   * follow from a typing mistake in a VIN, or from a fault on the way. A list that cannot be read whole is an error.
   *
   * @param known VINs of one user and brand, those of the list: what the list of another user does not have would count as left.
   * @throws CredentialsError without an access token or API key: the list of nobody has no vehicles. With `accessToken: null`, the
   *   proxy adds its own.
   * @throws ArgumentError where `known` is no list of VINs.
   * @throws MalformedResponseError where the list has an entry without a VIN.
   * @example
   * const { joined, left } = await client.consents.changes(await store.vins());
   * for (const vin of left) await store.deleteEverythingOf(vin);
   */
  readonly changes: (known: Iterable<Vin>, options?: CallOptions<BrandName>) => Promise<ConsentChanges>;
}

/** The code behind it is loaded with the first call. */
export function createConsents<BrandName extends string>(settings: Settings): Consents<BrandName> {
  return {
    changes: (known, options) =>
      withUserStack(async () => {
        const vins = copyOf(known);
        const { consentChanges } = await loaded(settings, import('./consent-changes.js'));
        return consentChanges(settings, vins, options);
      }),
  };
}
