import { operations } from '@vehicle-data/openapi';
import { createFleet } from '../src/fleet/vehicles.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.js';
import { ask, type TestResponse } from './ask.js';

/** The vehicles that every sandbox has. */
export const fleetVehicles = [...createFleet(1, operations.listVehicles.parameters[0].rule.enum, undefined)];

/** A sandbox at a fixed moment, every vehicle of which shares its data. */
export interface WholeFleet {
  readonly sandbox: Sandbox;
  readonly vins: readonly string[];
  /** Calls an operation of a vehicle with the token of its owner and the header of its brand. */
  readonly get: (vin: string, path: string) => Promise<TestResponse>;
  /** Calls an operation on consent with the token and brand of a vehicle. */
  readonly consent: (vin: string, method: string, query?: string) => Promise<TestResponse>;
}

export async function wholeFleet(now: string, options: SandboxOptions = {}): Promise<WholeFleet> {
  const sandbox = createSandbox({ ...options, now: new Date(now), frozen: true });
  const tokens = new Map<string, string>();
  for (const { vin, owner } of fleetVehicles) {
    await sandbox.consents.set(vin, 'shared');
    if (!tokens.has(owner)) tokens.set(owner, sandbox.accessTokenOf(owner));
  }
  const clientOf = (vin: string) => {
    const vehicle = fleetVehicles.find((candidate) => candidate.vin === vin);
    if (vehicle === undefined) throw new Error('no such vehicle');
    return { brand: vehicle.brand, token: tokens.get(vehicle.owner) ?? null };
  };
  return {
    sandbox,
    vins: fleetVehicles.map(({ vin }) => vin),
    get: (vin, path) => ask(sandbox, `/v1/vehicles/${vin}/${path}`, clientOf(vin)),
    consent: (vin, method, query = '') => ask(sandbox, `/v1/vehicles/consent${query}`, { ...clientOf(vin), method }),
  };
}
