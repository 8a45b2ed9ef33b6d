import { operations } from '@vehicle-data/openapi';
import * as v from 'valibot';
import { Clock } from './clock.js';
import { Faults } from './faults.js';
import { type Car, createCar } from './fleet/car.js';
import { kept } from './fleet/trips.js';
import { type Consent, consent, createFleet, type Fleet, type FleetVehicle } from './fleet/vehicles.js';
import type { SandboxOptions, SandboxVehicle } from './options.js';
import { dirtyVehicle } from './reserved-vins.js';
import { createTokens, grant } from './tokens.js';

const brandsOfContract: readonly string[] =
  operations.listVehicles.parameters.find(({ schema }) => schema === 'Brand')?.rule.enum ?? [];

const keptState = v.object({
  version: v.literal(1),
  consents: v.record(v.string(), consent),
  tokens: v.record(v.string(), grant),
});

/** Everything that a sandbox knows: its fleet with what it did, and what can be changed. The service and the controls work on it. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(options: SandboxOptions) {
  const { seed = 1, brands = brandsOfContract, vehicles, sensorNoise = true, tokenLifetimes, state } = options;
  const listed = createFleet(seed, brands, vehicles);
  const fleet: Fleet = { ...listed, find: (vin) => dirtyVehicle(vin, seed, brands) ?? listed.find(vin) };
  const cars = new Map<string, Car>();
  const clock = new Clock();
  const faults = new Faults();
  const tokens = createTokens(tokenLifetimes);
  let saved = Promise.resolve();
  /** The decisions that differ from those at the start. A vehicle has one owner and one brand, so its VIN is the key. */
  let changed = new Map<string, Consent>();

  /** Keeps consent and tokens as they are now; to be awaited before the response to a change. */
  const save = (): Promise<void> => {
    const write = async () => {
      const kept = { version: 1, consents: Object.fromEntries(changed), tokens: tokens.all() };
      await state?.save(`${JSON.stringify(kept, null, 2)}\n`);
    };
    // One after the other, so that an older state never replaces a newer one.
    saved = saved.then(write, write);
    return saved;
  };
  const consents = {
    of: (vin: string): Consent => changed.get(vin) ?? fleet.find(vin)?.initialConsent ?? 'never',
    async setAll(vehicles: Iterable<FleetVehicle>, consent: Consent): Promise<void> {
      for (const { vin } of vehicles) changed.set(vin, consent);
      await save();
    },
    async set(vin: string, consent: Consent): Promise<void> {
      const vehicle = fleet.find(vin);
      // The message does not repeat the VIN, which may be that of a real vehicle.
      if (vehicle === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
      await consents.setAll([vehicle], consent);
    },
    /** The vehicles of an owner and a brand that share their data. */
    shared: (owner: string, brand: string): FleetVehicle[] =>
      [...fleet].filter((one) => one.owner === owner && one.brand === brand && consents.of(one.vin) === 'shared'),
    all: () => Object.fromEntries(Array.from(fleet, ({ vin }) => [vin, consents.of(vin)])),
  };
  const begin = (from?: v.InferOutput<typeof keptState>) => {
    changed = new Map(Object.entries(from?.consents ?? {}));
    tokens.restore(from?.tokens);
    clock.reset();
    if (options.frozen) clock.freeze();
    if (options.now) clock.set(options.now);
    faults.clear();
    faults.add(...(options.faults ?? []));
  };
  const text = state?.load();
  begin(typeof text === 'string' ? readState(text) : undefined);

  const parts = { seed, brands, fleet, clock, faults, consents, tokens, save };
  return {
    ...parts,
    car: (vehicle: FleetVehicle) => kept(cars, vehicle.vin, 16, () => createCar(seed, vehicle, sensorNoise)),
    /** Forgets every change: clock and faults are as the options say, consent and tokens as the fleet starts with. */
    async reset(): Promise<void> {
      begin();
      await save();
    },
    shown({ vin, brand, type, owner, zone: homeZone, habit }: FleetVehicle): SandboxVehicle {
      return { vin, brand, type, owner, consent: consents.of(vin), homeZone, habit };
    },
  };
}

function readState(text: string) {
  try {
    return v.parse(keptState, JSON.parse(text));
  } catch {
    // The error of the parser would quote the text, and with it tokens.
    throw new Error('the state is not one of this version of the sandbox');
  }
}
