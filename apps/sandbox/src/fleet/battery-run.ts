import type { BatteryTraits } from './traits.js';

/** A high-voltage battery under load, one second at a time. */
export class BatteryRun {
  /** State of charge, 0 to 1. */
  charge: number;
  readonly #traits: BatteryTraits;
  #slowSag = 0;

  constructor(traits: BatteryTraits, charge: number) {
    this.#traits = traits;
    this.charge = charge;
  }

  /** Voltage after one more second at a power in watts, negative when charging. The voltage sags at once and more with time, and recovers. */
  second(watts: number): number {
    const { emptyVolts, fullVolts, capacityWattHours, ohm, slowOhm } = this.#traits;
    const resting = emptyVolts + (fullVolts - emptyVolts) * this.charge;
    const ampere = watts / resting;
    this.#slowSag += (ampere * slowOhm - this.#slowSag) / 25;
    this.charge = Math.max(0.03, Math.min(0.98, this.charge - watts / (3600 * capacityWattHours)));
    return resting - ampere * ohm - this.#slowSag;
  }
}
