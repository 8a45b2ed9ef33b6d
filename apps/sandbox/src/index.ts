// The sandbox in-process. The command line and its files are in node.ts and not exported: they need Node.

export type { Clock } from './clock.js';
export type { DirtyKind } from './dirty-data.js';
export type { Fault } from './faults.js';
export { exportFixtures, type Fixture, type FixtureOptions } from './fixtures.js';
export type { Consent, Habit, VehicleOptions } from './fleet/vehicles.js';
export type { OwnerSources, Sandbox, SandboxOptions, SandboxVehicle, StateStore } from './options.js';
export { createSandbox } from './sandbox.js';
export { demoAccessToken, demoClient, demoRefreshToken, type TokenLifetimes } from './tokens.js';
