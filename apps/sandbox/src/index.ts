// The sandbox in-process. The command line and its files are in node.ts and not exported: they need Node.

export type { Clock } from './clock.js';
export type { DirtyKind } from './dirty-data.js';
export type { Fault, FaultEffect, FaultScope } from './faults.js';
export { exportFixtures, type Fixture, type FixtureOptions } from './fixtures.js';
export type { Consent, Habit, Home, VehicleOptions } from './fleet/vehicles.js';
export type { ConsentControl, FaultControl, Sandbox, SandboxOptions, SandboxVehicle } from './options.js';
export type { RecordedCall } from './recording.js';
export { type ReplayDifference, replaySession } from './replay.js';
export { createSandbox } from './sandbox.js';
export type { StateStore } from './state.js';
export type { TokenLifetimes } from './tokens.js';
export { demoAccessToken, demoClient, demoRefreshToken } from './tokens.js';
