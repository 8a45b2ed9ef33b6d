// The sandbox in-process. The command line and the state file are in node.ts and not exported: they need Node.

export type { Clock } from './clock.js';
export type { DirtyKind } from './dirty-data.js';
export type { Fault, FaultEffect, FaultScope } from './faults.js';
export { exportFixtures, type Fixture, type FixtureOptions } from './fixtures.js';
export type { Home } from './fleet/towns.js';
export type { Consent, Habit, VehicleOptions } from './fleet/vehicles.js';
export { type ReplayDifference, replaySession } from './replay.js';
export { createSandbox } from './sandbox.js';
export type {
  ConsentControl,
  FaultControl,
  RecordedCall,
  Sandbox,
  SandboxOptions,
  SandboxVehicle,
} from './sandbox-options.js';
export type { StateStore } from './state.js';
export type { TokenLifetimes } from './tokens.js';
export { demoAccessToken, demoClient, demoRefreshToken } from './tokens.js';
