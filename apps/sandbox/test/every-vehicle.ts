import { fleetVehicles } from '../src/fleet/vehicles.js';
import { createSandbox, type Sandbox } from '../src/index.js';
import { accessTokenOf, ask } from './ask.js';
import { type Answered, brands } from './serve-sandbox.js';

/** A sandbox at a fixed moment, every vehicle of which shares its data. */
export interface WholeFleet {
  readonly sandbox: Sandbox;
  readonly vins: readonly string[];
  /** Calls an operation of a vehicle with the token of its owner and the header of its brand. */
  readonly get: (vin: string, path: string) => Promise<Answered>;
  /** Calls an operation on consent with the token and brand of a vehicle. */
  readonly consent: (vin: string, method: string, query?: string) => Promise<Answered>;
}

export async function wholeFleet(now: string, seed?: number): Promise<WholeFleet> {
  const sandbox = createSandbox({ seed });
  sandbox.clock.freeze();
  sandbox.clock.set(Date.parse(now));
  const tokens = new Map<string, string>();
  for (const { vin, owner } of fleetVehicles) {
    await sandbox.consents.set(vin, 'shared');
    if (!tokens.has(owner)) tokens.set(owner, await accessTokenOf(sandbox, owner));
  }
  const callerOf = (vin: string) => {
    const vehicle = fleetVehicles.find((candidate) => candidate.vin === vin);
    if (vehicle === undefined) throw new Error('no such vehicle');
    return { brand: brands[vehicle.brandPosition], token: tokens.get(vehicle.owner) ?? null };
  };
  return {
    sandbox,
    vins: fleetVehicles.map(({ vin }) => vin),
    get: (vin, path) => ask(sandbox, `/v1/vehicles/${vin}/${path}`, callerOf(vin)),
    consent: (vin, method, query = '') => ask(sandbox, `/v1/vehicles/consent${query}`, { ...callerOf(vin), method }),
  };
}
