import type { Build } from './build.js';
import type { Drive, Gear } from './drive.js';
import type { Random } from './random.js';

/** What the powertrain remembers between two trips of a day: temperature outside and of the oil in °C, charge of the battery from 0 to 1. */
type PowertrainState = Readonly<Record<'ambient' | 'oil' | 'charge', number>>;

/** Time constant of standing oil on its way to the temperature outside, in seconds. */
const coolingSeconds = 4500;

/** State before the first trip of a day: cold, and charged overnight or kept charged by the vehicle itself. */
export function morningState(build: Build, ambient: number, random: Random): PowertrainState {
  return { ambient, oil: ambient, charge: build.plugsIn ? random.between(0.8, 0.95) : random.between(0.5, 0.6) };
}

/** State after a rest: oil cools, and a low battery that can be plugged in charges, quickly at a stop of less than an hour. */
export function rest({ ambient, oil: warm, charge }: PowertrainState, build: Build, seconds: number): PowertrainState {
  const oil = ambient + (warm - ambient) * Math.exp(-seconds / coolingSeconds);
  if (!build.battery || !build.plugsIn || charge >= 0.55 || seconds < 1200) return { ambient, oil, charge };
  const wattHours = (seconds / 3600) * (seconds < 3600 ? 110_000 : 11_000);
  return { ambient, oil, charge: Math.min(0.8, charge + wattHours / build.battery.capacityWattHours) };
}

const within = (low: number, high: number, value: number) => Math.max(low, Math.min(high, value));

/** Runs the powertrain through a drive. A group of signals is absent where the vehicle has no such part. */
export function runPowertrain(drive: Drive, build: Build, before: PowertrainState, noise: Random | null) {
  const { type, battery, engine } = build;
  const { ambient } = before;
  const voltage: number[] = [];
  const oilTemperature: number[] = [];
  const rpm: number[] = [];
  const engineRuns = engineDuty(build);
  const auxiliaryWatts = 350 + 60 * Math.abs(ambient - 21);
  let { oil, charge } = before;
  let [slowSag, fuelCellWatts, ratio, speedBefore] = [0, 0, 0, 0];
  for (let i = 0; i < drive.samples; i++) {
    const speed = Math.abs(drive.speed[i] ?? 0);
    const inGear = drive.gear[i] ?? 'p';
    const acceleration = speed - speedBefore;
    speedBefore = speed;
    // Power at the wheels: inertia, rolling and air resistance.
    const watts = (build.massKg * (acceleration + (speed > 0 ? 0.108 : 0)) + 0.39 * speed * speed) * speed;
    // The first sample finds the engine at rest, the last one stopped again.
    const running = i > 0 && i < drive.samples - 1 && engineRuns(speed, watts, inGear, oil, charge);
    if (engine) {
      const throttle = within(0, 1, acceleration / 2);
      // Warm oil is near 90 °C, higher under load; it gets there along a curve of about six minutes.
      oil += running ? (86 + 9 * throttle + speed * 0.22 - oil) / 370 : (ambient - oil) / coolingSeconds;
      const idle = engine.idleRpm * (1 + 0.5 * within(0, 1, (45 - oil) / 50));
      const turning = (step: number) => (speed / build.wheelCircumferenceMeters) * 60 * (engine.ratios[step] ?? 0);
      if (inGear !== 'd') ratio = 0;
      while (ratio < engine.ratios.length - 1 && turning(ratio) > 2250 + 1300 * throttle) ratio++;
      while (ratio > 0 && turning(ratio) < 1180) ratio--;
      const coupled = inGear === 'd' || inGear === 'r' ? turning(ratio) : 0;
      const shown = running ? Math.max(idle, coupled) + 4 * (noise?.bell() ?? 0) : 0;
      rpm.push(Math.round(shown * 2) / 2);
      oilTemperature.push(Math.round(Math.max(0, oil) * 2) / 2);
    }
    if (battery) {
      let load = watts > 0 ? watts / 0.9 : Math.max(-60_000, watts * 0.62);
      if (type === 'FV') {
        // The fuel cell follows the load slowly and steers the charge to a half; the battery takes the difference.
        fuelCellWatts += (Math.max(0, load) - fuelCellWatts) / 12;
        load -= fuelCellWatts + (0.55 - charge) * 9000;
      } else if (running) {
        const assist = Math.max(0, load - 45_000);
        load = Math.min(load, 0) + assist - (load < 0 ? 0 : (build.restingCharge - charge) * 12_000);
      }
      load += auxiliaryWatts;
      // The voltage sags at once and more with time, and recovers.
      const resting = battery.emptyVolts + (battery.fullVolts - battery.emptyVolts) * charge;
      const ampere = load / resting;
      slowSag += (ampere * battery.slowOhm - slowSag) / 25;
      charge = within(0.03, 0.98, charge - load / (3600 * battery.capacityWattHours));
      voltage.push(Math.round((resting - ampere * battery.ohm - slowSag + 0.15 * (noise?.bell() ?? 0)) * 10) / 10);
    }
  }
  const batteries = battery && { batteries: { hv: { voltage } } };
  const signals = { ...batteries, ...(engine && { engine: { oilTemperature, rpm } }) };
  return { signals, after: { ambient, oil, charge } };
}

/** Decides second by second whether the combustion engine turns. */
function engineDuty(build: Build) {
  const { type, engine, battery } = build;
  let [secondsAtRest, secondsLeft] = [0, 0];
  return (speed: number, watts: number, inGear: Gear, oil: number, charge: number): boolean => {
    if (!engine) return false;
    secondsAtRest = speed === 0 ? secondsAtRest + 1 : 0;
    if (!battery) return !(engine.stopStart && inGear !== 'p' && oil > 55 && secondsAtRest > 2);
    const low = charge < build.restingCharge - 0.06;
    const needed = type === 'PE' ? watts > 55_000 || (low && speed > 8) : watts > 14_000 || speed > 19 || low;
    secondsLeft = needed ? 7 : secondsLeft - 1;
    return secondsLeft > 0;
  };
}
