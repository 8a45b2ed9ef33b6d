import type { Consent, Fleet, FleetVehicle } from './fleet/vehicles.js';

/** Who shares what. A vehicle has one owner and one brand, so its VIN is the key. Only what has changed is kept. */
export class Consents {
  readonly #fleet: Fleet;
  readonly #save: () => Promise<void>;
  #changed = new Map<string, Consent>();

  constructor(fleet: Fleet, save: () => Promise<void>) {
    this.#fleet = fleet;
    this.#save = save;
  }

  /** The decision for a vehicle; `never` for a VIN that is not of the fleet. */
  of(vin: string): Consent {
    return this.#changed.get(vin) ?? this.#fleet.find(vin)?.initialConsent ?? 'never';
  }

  /** Changes the decision, and keeps it where a `state` is set. @throws RangeError if no vehicle of the fleet has the VIN. */
  async set(vin: string, consent: Consent): Promise<void> {
    const vehicle = this.#fleet.find(vin);
    // The message does not repeat the VIN, which may be that of a real vehicle.
    if (vehicle === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
    await this.setAll([vehicle], consent);
  }

  /** Changes the decisions for vehicles of the fleet, and keeps them. */
  async setAll(vehicles: Iterable<FleetVehicle>, consent: Consent): Promise<void> {
    for (const { vin } of vehicles) this.#changed.set(vin, consent);
    await this.#save();
  }

  /** The vehicles of an owner and a brand that share their data. */
  shared(owner: string, brand: string): FleetVehicle[] {
    return [...this.#fleet].filter(
      (vehicle) => vehicle.owner === owner && vehicle.brand === brand && this.of(vehicle.vin) === 'shared',
    );
  }

  all(): Readonly<Record<string, Consent>> {
    return Object.fromEntries(Array.from(this.#fleet, ({ vin }) => [vin, this.of(vin)]));
  }

  changes(): Readonly<Record<string, Consent>> {
    return Object.fromEntries(this.#changed);
  }

  /** Takes over the decisions that were changed; without any, those that the fleet starts with hold. */
  restore(changes: Readonly<Record<string, Consent>> = {}): void {
    this.#changed = new Map(Object.entries(changes));
  }
}
