import type { Consent, Fleet, FleetVehicle } from './fleet/vehicles.js';

const consentValues: readonly unknown[] = ['shared', 'withdrawn', 'never'] satisfies readonly Consent[];

export function isConsent(value: unknown): value is Consent {
  return consentValues.includes(value);
}

/** Who shares what. A vehicle has one owner and one brand, so its VIN is the key. Only what has changed is kept. */
export class Consents {
  readonly #fleet: Fleet;
  readonly #changed = new Map<string, Consent>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The decision for a vehicle; `never` for a VIN that is not of the fleet. */
  of(vin: string): Consent {
    return this.#changed.get(vin) ?? this.#fleet.find(vin)?.initialConsent ?? 'never';
  }

  /** Sets the consent of a vehicle of the fleet. Returns whether there is such a vehicle. */
  set(vin: string, consent: Consent): boolean {
    const vehicle = this.#fleet.find(vin);
    if (vehicle?.initialConsent === consent) this.#changed.delete(vin);
    else if (vehicle) this.#changed.set(vin, consent);
    return vehicle !== undefined;
  }

  /** The vehicles of an owner and a brand that share their data. */
  *shared(owner: string, brandPosition: number): Generator<FleetVehicle> {
    for (const vehicle of this.#fleet) {
      const { vin, initialConsent } = vehicle;
      if (vehicle.owner !== owner || vehicle.brandPosition !== brandPosition) continue;
      if ((this.#changed.get(vin) ?? initialConsent) === 'shared') yield vehicle;
    }
  }

  /** Back to what the fleet starts with. */
  reset(): void {
    this.#changed.clear();
  }

  /** The decisions that differ from those at the start. */
  changes(): Readonly<Record<string, Consent>> {
    return Object.fromEntries(this.#changed);
  }

  /** All decisions by VIN. */
  entries(): Readonly<Record<string, Consent>> {
    return Object.fromEntries(Array.from(this.#fleet, ({ vin }) => [vin, this.of(vin)]));
  }
}
