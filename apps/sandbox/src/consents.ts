import { type FleetVehicle, fleetVehicles } from './fleet/vehicles.js';

/** What the owner of a vehicle has decided: it shares its data, no longer does, or never did. */
export type Consent = 'shared' | 'withdrawn' | 'never';

export const consentValues: readonly Consent[] = ['shared', 'withdrawn', 'never'];

/** Who shares what. A vehicle has one owner and one brand, so its VIN is the key. */
export class Consents {
  readonly #ofVin = new Map<string, Consent>();

  constructor() {
    this.reset();
  }

  of(vin: string): Consent {
    return this.#ofVin.get(vin) ?? 'never';
  }

  /** Sets the consent of a vehicle of the fleet; a VIN that is none of them is passed over. */
  set(vin: string, consent: Consent): void {
    if (this.#ofVin.has(vin)) this.#ofVin.set(vin, consent);
  }

  /** The vehicles of an owner and a brand that share their data. */
  shared(owner: string, brandPosition: number): readonly FleetVehicle[] {
    return fleetVehicles.filter(
      (vehicle) =>
        vehicle.owner === owner && vehicle.brandPosition === brandPosition && this.of(vehicle.vin) === 'shared',
    );
  }

  /** Back to what the fleet starts with. */
  reset(): void {
    for (const { vin, initialConsent } of fleetVehicles) this.#ofVin.set(vin, initialConsent);
  }

  entries(): Readonly<Record<string, Consent>> {
    return Object.fromEntries(this.#ofVin);
  }
}
