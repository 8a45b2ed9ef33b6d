import type { Consent, Fleet, FleetVehicle } from './fleet/vehicles.js';

export type Consents = ReturnType<typeof createConsents>;

/** Who shares what. A vehicle has one owner and one brand, so its VIN is the key. Only what has changed is kept. */
export function createConsents(fleet: Fleet, save: () => Promise<void>) {
  let changed = new Map<string, Consent>();

  /** The decision for a vehicle; `never` for a VIN that is not of the fleet. */
  const of = (vin: string): Consent => changed.get(vin) ?? fleet.find(vin)?.initialConsent ?? 'never';

  async function setAll(vehicles: Iterable<FleetVehicle>, consent: Consent): Promise<void> {
    for (const { vin } of vehicles) changed.set(vin, consent);
    await save();
  }

  return {
    of,
    setAll,
    /** Changes the decision, and keeps it where a `state` is set. @throws RangeError if no vehicle of the fleet has the VIN. */
    async set(vin: string, consent: Consent): Promise<void> {
      const vehicle = fleet.find(vin);
      // The message does not repeat the VIN, which may be that of a real vehicle.
      if (vehicle === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
      await setAll([vehicle], consent);
    },
    /** The vehicles of an owner and a brand that share their data. */
    shared: (owner: string, brand: string): FleetVehicle[] =>
      [...fleet].filter((one) => one.owner === owner && one.brand === brand && of(one.vin) === 'shared'),
    all: () => Object.fromEntries(Array.from(fleet, ({ vin }) => [vin, of(vin)])),
    changes: () => Object.fromEntries(changed),
    /** Takes over the decisions that were changed; without any, those that the fleet starts with hold. */
    restore(changes: Readonly<Record<string, Consent>> = {}): void {
      changed = new Map(Object.entries(changes));
    },
  };
}
