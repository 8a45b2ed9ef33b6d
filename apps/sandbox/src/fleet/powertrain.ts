import { BatteryRun } from './battery-run.js';
import type { Drive } from './drive.js';
import { coolingSeconds, EngineRun } from './engine-run.js';
import { wholePower } from './exact-math.js';
import type { Traits } from './traits.js';
import type { FleetVehicle } from './vehicles.js';

/** What the powertrain remembers between two trips of a day. */
export interface PowertrainState {
  /** Oil temperature in °C. */
  oil: number;
  /** State of charge of the high-voltage battery, 0 to 1. */
  charge: number;
}

/** Powertrain signals of one trip in tenths of their units; null where the vehicle has no such part. */
export interface PowertrainSignals {
  readonly voltage: Int32Array | null;
  readonly oilTemperature: Int32Array | null;
  readonly rpm: Int32Array | null;
}

/** Runs the powertrain through a drive and leaves its state behind. */
export function runPowertrain(
  drive: Drive,
  traits: Traits,
  type: FleetVehicle['type'],
  ambient: number,
  state: PowertrainState,
): PowertrainSignals {
  const { count } = drive;
  const battery = traits.battery && new BatteryRun(traits.battery, state.charge);
  const engine = traits.engine && new EngineRun(traits.engine, traits.wheelCircumferenceMetres, ambient, state.oil);
  const voltage = battery && new Int32Array(count);
  const oilTemperature = engine && new Int32Array(count);
  const rpm = engine && new Int32Array(count);
  const duty = new EngineDuty(traits, type);
  const auxiliaryWatts = 350 + 60 * Math.abs(ambient - 21);
  let fuelCellWatts = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const speed = drive.speed[i] as number;
    const acceleration = speed - before;
    const watts = wheelWatts(traits.massKg, Math.abs(speed), speed < 0 ? -acceleration : acceleration);
    before = speed;
    // The first sample finds the engine at rest, the last one stopped again.
    const running =
      engine !== null &&
      i > 0 &&
      i < count - 1 &&
      duty.wants(speed, watts, drive.gear[i] as number, engine.oil, battery);
    if (engine && oilTemperature && rpm) {
      const turning = engine.second(speed, acceleration, drive.gear[i] as number, running);
      oilTemperature[i] = 5 * Math.round(Math.max(0, engine.oil) * 2);
      rpm[i] = 5 * Math.round(turning * 2);
    }
    if (battery && voltage) {
      let load = watts > 0 ? watts / 0.9 : Math.max(-60_000, watts * 0.62);
      if (type === 'FV') {
        // The fuel cell follows the load slowly and steers the charge to a half; the battery takes the difference.
        fuelCellWatts += (Math.max(0, load) - fuelCellWatts) / 12;
        load -= fuelCellWatts + (0.55 - battery.charge) * 9000;
      } else if (running) {
        const assist = Math.max(0, load - 45_000);
        load = Math.min(load, 0) + assist - (load < 0 ? 0 : (duty.restingCharge - battery.charge) * 12_000);
      }
      voltage[i] = Math.round(battery.second(load + auxiliaryWatts) * 10);
    }
  }
  if (battery) state.charge = battery.charge;
  if (engine) state.oil = engine.oil;
  return { voltage, oilTemperature, rpm };
}

/** Between two trips the oil cools; a car that can be plugged in and is low charges, quickly where it stops for less than an hour. */
export function rest(state: PowertrainState, { battery }: Traits, seconds: number, ambient: number): void {
  state.oil = ambient + (state.oil - ambient) * wholePower(1 - 1 / coolingSeconds, seconds);
  if (battery?.plugIn && state.charge < 0.55 && seconds > 1200) {
    const watts = seconds < 3600 ? 110_000 : 11_000;
    state.charge = Math.min(0.8, state.charge + (seconds * watts) / (3600 * battery.capacityWattHours));
  }
}

/** Power at the wheels in watts: inertia, rolling and air resistance. */
function wheelWatts(massKg: number, speed: number, acceleration: number): number {
  return (massKg * acceleration + massKg * 0.108 * (speed > 0 ? 1 : 0) + 0.39 * speed * speed) * speed;
}

/** Decides whether the combustion engine turns. */
class EngineDuty {
  /** The charge that a hybrid's engine steers to. */
  readonly restingCharge: number;
  readonly #type: FleetVehicle['type'];
  readonly #stopStart: boolean;
  #secondsAtRest = 0;
  #secondsLeft = 0;

  constructor(traits: Traits, type: FleetVehicle['type']) {
    this.restingCharge = type === 'PE' ? 0.22 : 0.58;
    this.#type = type;
    this.#stopStart = traits.engine?.stopStart ?? false;
  }

  wants(speed: number, watts: number, inGear: number, oil: number, battery: BatteryRun | null): boolean {
    this.#secondsAtRest = speed === 0 ? this.#secondsAtRest + 1 : 0;
    if (battery === null) return !(this.#stopStart && inGear !== 0 && oil > 55 && this.#secondsAtRest > 2);
    const low = battery.charge < this.restingCharge - 0.06;
    const needed = this.#type === 'PE' ? watts > 55_000 || (low && speed > 8) : watts > 14_000 || speed > 19 || low;
    if (needed) this.#secondsLeft = 7;
    else if (this.#secondsLeft > 0) this.#secondsLeft--;
    return this.#secondsLeft > 0;
  }
}
