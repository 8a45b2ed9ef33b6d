import { gear as gears } from './drive.js';
import type { EngineTraits } from './traits.js';

/** A combustion engine while it is driven, one second at a time. */
export class EngineRun {
  /** Oil temperature in °C. */
  oil: number;
  readonly #traits: EngineTraits;
  readonly #wheelCircumference: number;
  readonly #ambient: number;
  #step = 0;

  constructor(traits: EngineTraits, wheelCircumferenceMetres: number, ambient: number, oil: number) {
    this.#traits = traits;
    this.#wheelCircumference = wheelCircumferenceMetres;
    this.#ambient = ambient;
    this.oil = oil;
  }

  /** Engine speed in rpm after one more second; the oil follows. */
  second(speed: number, acceleration: number, inGear: number, running: boolean): number {
    if (!running) {
      this.oil += (this.#ambient - this.oil) / coolingSeconds;
      return 0;
    }
    const throttle = Math.max(0, Math.min(1, acceleration / 2));
    // Warm oil lies near 90 °C, higher under load; it gets there along a curve of about six minutes.
    this.oil += (86 + 9 * throttle + speed * 0.22 - this.oil) / 370;
    const { ratios, idleRpm } = this.#traits;
    const idle = idleRpm * (1 + 0.5 * Math.max(0, Math.min(1, (45 - this.oil) / 50)));
    if (inGear !== gears.drive) {
      this.#step = 0;
      if (inGear !== gears.reverse) return idle;
    }
    const wheel = (Math.abs(speed) / this.#wheelCircumference) * 60;
    const up = 2250 + 1300 * throttle;
    while (this.#step < ratios.length - 1 && wheel * (ratios[this.#step] as number) > up) this.#step++;
    while (this.#step > 0 && wheel * (ratios[this.#step] as number) < 1180) this.#step--;
    return Math.max(idle, wheel * (ratios[this.#step] as number));
  }
}

/** Time constant of a parked or stopped engine's oil on its way to the temperature outside. */
export const coolingSeconds = 4500;
